// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/name_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <string_view>
#include <utility>

#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxPatternLength = 256;

}  // namespace

struct NamePattern::Compiled {
  re2::RE2 regex;
};

litert::Expected<NamePattern> NamePattern::Compile(std::string text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  NamePattern pattern;
  // Not copied: RE2 can't be.
  pattern.compiled_ = std::shared_ptr<const Compiled>(new Compiled{re2::RE2(text, options)});
  if (!pattern.compiled_->regex.ok()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("not a regular expression: '{:.{}}': {}", text,
                                          kMaxPatternLength, pattern.compiled_->regex.error()));
  }
  pattern.text_ = std::move(text);
  return pattern;
}

bool NamePattern::Matches(const std::string& name) const {
  return compiled_ != nullptr && re2::RE2::FullMatch(name, compiled_->regex);
}

bool NamePattern::IsFoundIn(const std::string& name) const {
  return compiled_ != nullptr && re2::RE2::PartialMatch(name, compiled_->regex);
}

std::string QuotePattern(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

litert::Expected<NamePattern> ReadNamePattern(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(std::string text, ReadString(value));
  if (text.size() > kMaxPatternLength)
    return SpecError(value.at, "pattern is longer than 256 characters");
  auto pattern = NamePattern::Compile(std::move(text));
  if (!pattern) return SpecError(value.at, pattern.Error().Message());
  return pattern;
}

}  // namespace npukit::conformance

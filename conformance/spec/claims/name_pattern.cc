// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/name_pattern.h"

#include <regex>
#include <utility>

#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxPatternLength = 256;

}  // namespace

struct NamePattern::Compiled {
  std::regex regex;
};

litert::Expected<NamePattern> NamePattern::Compile(std::string text) {
  NamePattern pattern;
  try {
    pattern.compiled_ = std::make_shared<const Compiled>(
        Compiled{std::regex(text, std::regex::ECMAScript | std::regex::optimize)});
  } catch (const std::regex_error&) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "not a regular expression: '" + text + "'");
  }
  pattern.text_ = std::move(text);
  return pattern;
}

bool NamePattern::Matches(const std::string& name) const {
  return compiled_ != nullptr && std::regex_match(name, compiled_->regex);
}

bool NamePattern::IsFoundIn(const std::string& name) const {
  return compiled_ != nullptr && std::regex_search(name, compiled_->regex);
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

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A regular expression for names of results ("suite/case/class.check"), in RE2's syntax: the usual
// one without references and look-ahead. Patterns come from vendors' files, and RE2 matches in time
// linear in the name, whatever the pattern.
//
//   LITERT_ASSIGN_OR_RETURN(const NamePattern pattern, NamePattern::Compile("core/ADD_.*"));
//   if (pattern.Matches(result.name)) ...

#ifndef NPUKIT_CONFORMANCE_SPEC_CLAIMS_NAME_PATTERN_H_
#define NPUKIT_CONFORMANCE_SPEC_CLAIMS_NAME_PATTERN_H_

#include <memory>
#include <string>

#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Cheap to copy: copies share what was compiled.
class NamePattern {
 public:
  // Matches nothing, not even the empty name.
  NamePattern() = default;

  // "not a regular expression: 'TEXT': WHY" if it is none, or one too large.
  static litert::Expected<NamePattern> Compile(std::string text);

  bool Matches(const std::string& name) const;    // the whole name
  bool IsFoundIn(const std::string& name) const;  // some part of it
  const std::string& text() const { return text_; }

 private:
  struct Compiled;

  std::string text_;
  std::shared_ptr<const Compiled> compiled_;
};

// The pattern that matches this name alone.
std::string QuotePattern(const std::string& name);

// Of a claims or profile file, which is not trusted: long patterns are refused.
litert::Expected<NamePattern> ReadNamePattern(const Value& value);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_CLAIMS_NAME_PATTERN_H_

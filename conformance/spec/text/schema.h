// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reading Values against a schema: every function returns the thing asked for, or an error that
// names the place, what was expected and what stands there.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_SCHEMA_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_SCHEMA_H_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// The members of a map that a schema knows. Ask for each key, then Finish(): a key that nobody
// asked for is an error. Keeps a reference to the value.
class MapReader {
 public:
  // `what` names the thing in messages: "a case", "a tensor".
  static litert::Expected<MapReader> Of(const Value& value, std::string_view what);

  litert::Expected<const Value*> Required(std::string_view key);
  // Null if absent.
  const Value* Optional(std::string_view key);
  litert::Expected<void> Finish() const;

  const SourceLocation& at() const { return value_->at; }

 private:
  MapReader(const Value& value, std::string_view what) : value_(&value), what_(what) {}

  const Value* value_;
  std::string what_;
  std::vector<std::string> known_;
};

litert::Expected<std::string> ReadString(const Value& value);
// Letters, digits and "_-.+/": what names are made of.
bool IsNameCharacter(char c);
// A string of them.
litert::Expected<std::string> ReadName(const Value& value);
litert::Expected<bool> ReadBool(const Value& value);
litert::Expected<int64_t> ReadInteger(const Value& value,
                                      int64_t min = std::numeric_limits<int64_t>::min(),
                                      int64_t max = std::numeric_limits<int64_t>::max());
// A finite number; with `allow_special` also nan, inf and -inf.
litert::Expected<double> ReadNumber(const Value& value, bool allow_special = false);

litert::Expected<void> ExpectList(const Value& value);
litert::Expected<std::vector<std::string>> ReadStrings(
    const Value& value);  // a list, or one string
litert::Expected<std::vector<int64_t>> ReadIntegers(const Value& value, int64_t min, int64_t max);
litert::Expected<std::vector<double>> ReadNumbers(const Value& value, bool allow_special = false);

// Index of the scalar among `choices`, or an error that lists them.
litert::Expected<size_t> ReadChoice(const Value& value,
                                    const std::vector<std::string_view>& choices);

// "a, b or c".
std::string JoinChoices(const std::vector<std::string>& choices);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_SCHEMA_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a YAML file says, each part with the place it stands at. Only value_parser.cc knows the YAML
// library; everything behind it reads these plain values, so that matrix parameters can be put into
// a graph before its schema is checked and every complaint still names line and column.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Line and column count from 1.
struct SourceLocation {
  std::shared_ptr<const std::string> file;
  int line = 1;
  int column = 1;

  // "suite.yaml:12:5".
  std::string ToString() const;
};

// An Error whose message is "file:line:column: message".
litert::Unexpected SpecError(const SourceLocation& at, std::string_view message);

struct Value {
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Member;

  Kind kind = Kind::kNull;
  std::string text;             // kScalar
  bool quoted = false;          // kScalar: written in quotes, so never a number or a parameter
  std::vector<Value> items;     // kList
  std::vector<Member> members;  // kMap, in file order, keys unique
  SourceLocation at;
  SourceLocation key_at;  // of a map's member: where its key stands

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }

  // Null if there is no such key, or this is not a map.
  const Value* Find(std::string_view key) const;

  // "a map", "a list", "nothing" or the scalar in quotes: for messages.
  std::string Describe() const;

  // What a name may contain of a value: scalars as they stand, lists joined with 'x', a map's `id`.
  // Error for a map without one.
  litert::Expected<std::string> NameText() const;

  // Equal as data: place and quotes do not count.
  bool SameAs(const Value& other) const;
};

// Not std::pair, which asks whether Value can be made before a vector of pairs can be destroyed:
// clang 14 goes round in circles.
struct Value::Member {
  std::string first;
  Value second;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_H_

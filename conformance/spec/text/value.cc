// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/value.h"

#include <fmt/format.h>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

std::string SourceLocation::ToString() const {
  std::string text = file ? *file : "?";
  return fmt::format("{}:{}:{}", text, line, column);
}

litert::Unexpected SpecError(const SourceLocation& at, std::string_view message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            at.ToString() + ": " + std::string(message));
}

const Value* Value::Find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

std::string Value::Describe() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return "'" + text + "'";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "?";
}

litert::Expected<std::string> Value::NameText() const {
  switch (kind) {
    case Kind::kNull:
      return std::string("none");
    case Kind::kScalar:
      return text;
    case Kind::kList: {
      std::string joined;
      for (const Value& item : items) {
        LITERT_ASSIGN_OR_RETURN(std::string part, item.NameText());
        if (!joined.empty()) joined += 'x';
        joined += part;
      }
      return joined.empty() ? std::string("scalar") : joined;
    }
    case Kind::kMap:
      if (const Value* id = Find("id"); id != nullptr && id->is_scalar()) return id->text;
      return SpecError(at, "a map in a name needs a key 'id'");
  }
  return std::string();
}

bool Value::SameAs(const Value& other) const {
  if (kind != other.kind || text != other.text || items.size() != other.items.size() ||
      members.size() != other.members.size()) {
    return false;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].SameAs(other.items[i])) return false;
  }
  for (const Member& member : members) {
    const Value* counterpart = other.Find(member.first);
    if (counterpart == nullptr || !member.second.SameAs(*counterpart)) return false;
  }
  return true;
}

}  // namespace npukit::conformance

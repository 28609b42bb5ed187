// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/expansion.h"

#include <algorithm>
#include <cctype>

#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

const Value* FindParameter(const Binding& binding, std::string_view name) {
  for (const Value::Member& member : binding) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

// "a" or "a.b.c" in the binding.
litert::Expected<const Value*> Resolve(const SourceLocation& at, std::string_view path,
                                       const Binding& binding) {
  const size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  const Value* value = FindParameter(binding, name);
  if (value == nullptr)
    return SpecError(at, "no parameter '" + std::string(name) + "' in the matrix");
  std::string_view rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  while (!rest.empty()) {
    const size_t next = rest.find('.');
    const std::string_view key = rest.substr(0, next);
    value = value->Find(key);
    if (value == nullptr) {
      return SpecError(at, "parameter '" + std::string(name) + "' has no member '" +
                               std::string(key) + "' here (" + DescribeBinding(binding) + ")");
    }
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + 1);
  }
  return value;
}

bool IsPath(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.';
  });
}

// Text with each ${path} replaced.
litert::Expected<Value> SubstituteText(const Value& value, const Binding& binding) {
  Value result = value;
  result.text.clear();
  std::string_view rest = value.text;
  for (size_t open = rest.find("${"); open != std::string_view::npos; open = rest.find("${")) {
    const size_t close = rest.find('}', open);
    if (close == std::string_view::npos)
      return SpecError(value.at, "'${' without '}' in " + value.Describe());
    LITERT_ASSIGN_OR_RETURN(const Value* bound,
                            Resolve(value.at, rest.substr(open + 2, close - open - 2), binding));
    LITERT_ASSIGN_OR_RETURN(const std::string text, bound->NameText());
    result.text.append(rest.substr(0, open)).append(text);
    rest = rest.substr(close + 1);
  }
  result.text.append(rest);
  return result;
}

bool Excluded(const Binding& binding, const Value& exclude) {
  return std::any_of(exclude.items.begin(), exclude.items.end(), [&](const Value& rule) {
    return std::all_of(rule.members.begin(), rule.members.end(), [&](const Value::Member& member) {
      const Value* bound = FindParameter(binding, member.first);
      return bound != nullptr && bound->SameAs(member.second);
    });
  });
}

litert::Expected<void> CheckMatrix(const Value& matrix, const Value* exclude) {
  if (!matrix.is_map() || matrix.members.empty()) {
    return SpecError(matrix.at, "expected a map of parameters, found " + matrix.Describe());
  }
  size_t combinations = 1;
  for (const auto& [name, values] : matrix.members) {
    LITERT_RETURN_IF_ERROR(ExpectList(values));
    if (values.items.empty()) return SpecError(values.at, "parameter '" + name + "' has no values");
    combinations *= values.items.size();
    if (combinations > kMaxCombinations)
      return SpecError(matrix.at, "more than 100000 combinations");
  }
  if (exclude == nullptr) return {};
  LITERT_RETURN_IF_ERROR(ExpectList(*exclude));
  for (const Value& rule : exclude->items) {
    if (!rule.is_map() || rule.members.empty())
      return SpecError(rule.at, "expected a map, found " + rule.Describe());
    for (const Value::Member& member : rule.members) {
      if (matrix.Find(member.first) == nullptr) {
        return SpecError(member.second.key_at, "no parameter '" + member.first + "' in the matrix");
      }
    }
  }
  return {};
}

}  // namespace

std::string DescribeBinding(const Binding& binding) {
  std::string text;
  for (const auto& [name, value] : binding) {
    auto part = value.NameText();
    if (!text.empty()) text += ' ';
    text += name + "=" + (part ? *part : std::string("{..}"));
  }
  return text;
}

litert::Expected<std::vector<Binding>> Combinations(const Value& matrix, const Value* exclude) {
  LITERT_RETURN_IF_ERROR(CheckMatrix(matrix, exclude));
  // The last parameter changes fastest, as loops nest that are written in that order. The order of
  // a suite's cases is this one, and with it which shard has which.
  std::vector<Binding> combinations(1);
  for (const auto& [name, values] : matrix.members) {
    std::vector<Binding> longer;
    longer.reserve(combinations.size() * values.items.size());
    for (const Binding& prefix : combinations) {
      for (const Value& value : values.items) {
        longer.push_back(prefix);
        longer.back().push_back({name, value});
      }
    }
    combinations = std::move(longer);
  }
  if (exclude != nullptr) {
    std::erase_if(combinations,
                  [&](const Binding& binding) { return Excluded(binding, *exclude); });
  }
  return combinations;
}

litert::Expected<Value> Substitute(const Value& value, const Binding& binding) {
  if (value.is_scalar()) {
    const std::string_view text = value.text;
    if (text.size() > 1 && text[0] == '$' && IsPath(text.substr(1))) {
      LITERT_ASSIGN_OR_RETURN(const Value* bound, Resolve(value.at, text.substr(1), binding));
      return *bound;
    }
    if (text.find("${") != std::string_view::npos) return SubstituteText(value, binding);
    return value;
  }
  Value result = value;
  for (Value& item : result.items) {
    LITERT_ASSIGN_OR_RETURN(item, Substitute(item, binding));
  }
  for (auto& [name, member] : result.members) {
    LITERT_ASSIGN_OR_RETURN(member, Substitute(member, binding));
  }
  return result;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/rules/placement_request.h"

#include <algorithm>

namespace npukit {

bool IsAboutRequest(const PlacementRequest& request, std::string_view message) {
  const auto names = [&](const auto& asked) {
    return !asked.where.empty() && message.starts_with(asked.where) &&
           message.substr(asked.where.size()).starts_with(": ");
  };
  return std::any_of(request.rules.begin(), request.rules.end(), names) ||
         std::any_of(request.specs.begin(), request.specs.end(), names);
}

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;  // the last one, and where its run ends so far
  size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Matches(const PlacementRule& rule, const UnfoldedOp& op) {
  if (rule.subgraph && *rule.subgraph != op.subgraph) return false;
  const auto any = [](const auto& list, auto test) {
    return list.empty() || std::any_of(list.begin(), list.end(), test);
  };
  return any(rule.ops,
             [&](const PlacementRule::Range& range) {
               return range.first <= op.index && op.index <= range.last;
             }) &&
         any(rule.names, [&](const std::string& name) { return MatchesPattern(name, op.name); }) &&
         any(rule.types, [&](const std::string& type) {
           return type == op.op || (!op.composite.empty() && type == op.composite);
         });
}

}  // namespace npukit

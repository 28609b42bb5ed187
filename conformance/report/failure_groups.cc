// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/failure_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <sstream>

#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/suite/check.h"
#include "sdk/tools/command_line/shell_word.h"

namespace npukit::conformance {

std::vector<FailureGroup> GroupFailures(const std::vector<CaseResult>& results) {
  std::vector<FailureGroup> groups;
  std::map<std::string, size_t> index;
  for (const CaseResult& result : results) {
    if (result.result != Result::kFailed) continue;
    const auto [entry, inserted] = index.emplace(result.group, groups.size());
    if (inserted) groups.push_back({result.group, {}});
    groups[entry->second].results.push_back(&result);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return a.results.size() > b.results.size();
  });
  return groups;
}

std::string FailureKind(const CaseResult& result) {
  const std::string& text = result.detail;
  // Past either end of the text is no word: before the first character, `at` has wrapped around.
  const auto is_in_word = [&](size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string unquoted;
  char quote = 0;  // that is open
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Within a word it is an apostrophe.
    const bool is_mark = c == '"' || (c == '\'' && !(is_in_word(i - 1) && is_in_word(i + 1)));
    if (is_mark && (quote == 0 || quote == c)) quote = quote == 0 ? c : '\0';
    if (quote != 0) continue;
    unquoted += std::ispunct(static_cast<unsigned char>(c)) != 0 && c != '.' ? ' ' : c;
  }
  std::istringstream words(unquoted);
  std::string kind;
  for (std::string word; words >> word;) {
    const bool number =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool pattern = std::find(std::begin(kPatternNames), std::end(kPatternNames), word) !=
                         std::end(kPatternNames);
    if (number || pattern || word == "nan" || word == "inf") continue;
    kind += word + " ";
  }
  return kind;
}

std::string CommandFor(const RunInfo& info, const CaseResult& result) {
  // What follows from other results comes with them.
  if (FindCheck(result.check) == nullptr) return info.command;
  return fmt::format("{} --filter {}", info.command,
                     tools::ShellWord("^" + QuotePattern(result.name) + "$"));
}

}  // namespace npukit::conformance

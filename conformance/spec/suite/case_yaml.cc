// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/case_yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace npukit::conformance {
namespace {

constexpr const char* kSelectNames[] = {"claimed", "none", "any"};  // by SelectRule

}  // namespace

std::string YamlQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string ModelCaseYaml(const CaseSpec& spec, const std::string& model_file) {
  std::vector<std::string_view> checks;
  for (const CheckInfo* check : spec.checks) checks.push_back(check->id);
  std::vector<std::string_view> patterns;
  for (const DataSpec::Pattern pattern : spec.patterns)
    patterns.emplace_back(kPatternNames[static_cast<size_t>(pattern)]);
  std::string yaml = fmt::format("  - name: {}\n    checks: [{}]\n    model: {}\n", spec.name,
                                 fmt::join(checks, ", "), YamlQuoted(model_file));
  if (spec.exact) yaml += "    tolerance: exact\n";
  if (spec.needs_all_claimed) yaml += "    needs_all_claimed: true\n";
  if (spec.timeout_s) yaml += fmt::format("    timeout_s: {}\n", *spec.timeout_s);
  yaml += fmt::format(
      "    expect: {{select: {}{}}}\n", kSelectNames[static_cast<size_t>(spec.expect.select)],
      spec.expect.partitions ? fmt::format(", partitions: {}", *spec.expect.partitions)
                             : std::string());
  yaml += fmt::format("    data: [{}]\n", fmt::join(patterns, ", "));
  if (!spec.input_ranges.empty()) yaml += "    ranges:\n";
  for (const auto& [tensor, range] : spec.input_ranges)
    yaml += fmt::format("      {}: [{}, {}]\n", YamlQuoted(tensor), range.first, range.second);
  if (!spec.input_files.empty()) yaml += "    inputs:\n";
  for (const auto& [tensor, file] : spec.input_files) {
    yaml += fmt::format("      {}: {}\n", YamlQuoted(tensor),
                        std::filesystem::path(file).filename().string());
  }
  return yaml;
}

}  // namespace npukit::conformance

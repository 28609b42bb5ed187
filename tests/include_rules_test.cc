// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Holds every #include of the tree against include_rules.txt, so that the design's arrows stay
// arrows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/source_tree.h"

namespace npukit {
namespace {

struct FolderRule {
  std::string folder;
  std::vector<std::string> allowed_prefixes;
};
struct OnlyRule {
  std::string pattern;
  std::vector<std::string> folders;
};
struct Rules {
  std::vector<FolderRule> folders;
  std::vector<FolderRule> tests;  // of tests under a folder, in place of `folders`
  std::vector<OnlyRule> only;
};

Rules ReadRules(std::istream& in) {
  Rules rules;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string kind, subject, colon, word;
    if (!(words >> kind) || kind.starts_with("#")) continue;
    words >> subject >> colon;
    std::vector<std::string> rest;
    while (words >> word) rest.push_back(word);
    EXPECT_EQ(colon, ":") << "rule without ' : ' in: " << line;
    if (kind == "folder") {
      rules.folders.push_back({subject, rest});
    } else if (kind == "tests") {
      rules.tests.push_back({subject, rest});
    } else if (kind == "only") {
      rules.only.push_back({subject, rest});
    } else {
      ADD_FAILURE() << "unknown rule: " << line;
    }
  }
  return rules;
}

// The rule with the longest folder that holds `path`; null if none does.
const FolderRule* FindRule(const std::vector<FolderRule>& rules, const std::string& path) {
  const FolderRule* best = nullptr;
  for (const FolderRule& rule : rules) {
    if (IsUnder(path, rule.folder) && (best == nullptr || rule.folder.size() > best->folder.size()))
      best = &rule;
  }
  return best;
}

// What is wrong with `#include` of `target` in the file `path`; empty if nothing is.
std::string Judge(const Rules& rules, const std::string& path, const std::string& target,
                  bool quoted) {
  for (const OnlyRule& rule : rules.only) {
    if (!target.starts_with(rule.pattern)) continue;
    if (std::none_of(rule.folders.begin(), rule.folders.end(),
                     [&](const auto& f) { return IsUnder(path, f); })) {
      return path + " may not include " + target + " (fenced: only " + rule.pattern + ")";
    }
    return "";
  }
  if (!quoted) return "";
  const FolderRule* rule = IsTestFile(path) ? FindRule(rules.tests, path) : nullptr;
  if (rule == nullptr) rule = FindRule(rules.folders, path);
  if (rule == nullptr) return path + " lies in no folder of include_rules.txt";
  if (target.starts_with(rule->folder + "/")) return "";
  for (const std::string& prefix : rule->allowed_prefixes) {
    if (target.starts_with(prefix)) return "";
  }
  return path + " may not include " + target + " (rule for " + rule->folder + ")";
}

std::vector<std::string> JudgeFile(const Rules& rules, const SourceFile& file) {
  std::vector<std::string> faults;
  for (const Include& include : file.includes) {
    std::string fault = Judge(rules, file.path, include.target, include.quoted);
    if (!fault.empty()) faults.push_back(std::move(fault));
  }
  return faults;
}

std::vector<std::string> JudgeText(const Rules& rules, const std::string& path,
                                   const std::string& text) {
  std::istringstream in(text);
  return JudgeFile(rules, {.path = path, .includes = ReadIncludes(in)});
}

Rules TreeRules() {
  std::ifstream in(std::string(NPUKIT_SOURCE_DIR) + "/tests/include_rules.txt");
  EXPECT_TRUE(in.good()) << "tests/include_rules.txt can't be read";
  return ReadRules(in);
}

TEST(IncludeRules, EveryIncludeOfTheTreeIsAllowed) {
  const Rules rules = TreeRules();
  const std::vector<SourceFile> files = ReadSourceTree();
  for (const SourceFile& file : files) EXPECT_THAT(JudgeFile(rules, file), testing::IsEmpty());
  EXPECT_GT(files.size(), 100u) << "the walk found hardly any source";
}

TEST(IncludeRules, ForbiddenIncludesAreFound) {
  const Rules rules = TreeRules();
  const std::vector<std::pair<std::string, std::string>> forbidden = {
      {"simulator/units/x.cc", "#include \"litert/c/litert_common.h\""},
      {"simulator/isa/x.cc", "#include \"simulator/hw/hardware.h\""},
      {"conformance/runner/x.cc", "#include \"reference_plugin/module/module.h\""},
      {"reference_plugin/dispatch/x.cc", "#include \"reference_plugin/compiler/tiling.h\""},
      {"reference_plugin/compiler/x.cc", "#include \"sdk/host/model/graph/model.h\""},
      {"sdk/host/partition/x.cc", "#include \"sdk/host/session/session.h\""},
      {"sdk/include/npukit/x.h", "#include \"sdk/host/model/graph/model.h\""},
      {"sdk/host/runtime/x.cc", "#include \"sdk/host/model/file/tflite_schema_generated.h\""},
      {"sdk/host/runtime/x.cc", "#include <Eigen/Core>"},
      {"conformance/runner/x.cc", "  # include <yaml-cpp/yaml.h>"},
      {"elsewhere/x.cc", "#include \"litert/c/litert_common.h\""},
  };
  for (const auto& [path, text] : forbidden) {
    EXPECT_EQ(JudgeText(rules, path, text).size(), 1u) << path << ": " << text;
  }
}

TEST(IncludeRules, AllowedIncludesPass) {
  const Rules rules = TreeRules();
  const std::string text =
      "#include <vector>\n#include \"simulator/isa/isa.h\"\n#include \"npukit/plugin.h\"\n";
  EXPECT_THAT(JudgeText(rules, "reference_plugin/compiler/x.cc", text), testing::IsEmpty());
}

TEST(IncludeRules, TestsMayLookFurther) {
  const Rules rules = TreeRules();
  const std::string text = "#include \"sdk/host/session/session.h\"\n";
  EXPECT_THAT(JudgeText(rules, "sdk/host/plugin/x_test.cc", text), testing::IsEmpty());
  EXPECT_THAT(JudgeText(rules, "sdk/host/plugin/testing/x.h", text), testing::IsEmpty());
  EXPECT_THAT(JudgeText(rules, "sdk/host/plugin/x.cc", text), testing::SizeIs(1));
}

}  // namespace
}  // namespace npukit

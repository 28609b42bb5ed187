// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "conformance/spec/suite/check.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/spec/testing/bad_file.h"
#include "conformance/spec/text/expansion.h"
#include "conformance/spec/text/value_parser.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string SuiteError(const std::string& yaml) {
  auto value = ParseValue(yaml, "s.yaml");
  if (!value) return value.Error().Message();
  auto suite = ReadSuite(*value);
  return suite ? "" : suite.Error().Message();
}

Suite MustReadSuite(const std::string& yaml) {
  auto value = ParseValue(yaml, "s.yaml");
  EXPECT_TRUE(value) << (value ? "" : value.Error().Message());
  if (!value) return {};
  auto suite = ReadSuite(*value);
  EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
  return suite ? std::move(*suite) : Suite{};
}

constexpr char kGoodSuite[] = R"(suite: s
cases:
  - name: ${op}_${shape}_${q.id}
    classes: [partition, numerics]
    matrix:
      op: [ADD, MUL, SUB]
      shape: [[4], [2, 3]]
      q: [{id: a, scale: 0.5}, {id: b, scale: 0.25}]
    exclude:
      - {op: SUB, shape: [4]}
    graph:
      inputs:
        x: {type: int8, shape: $shape, quant: {scale: $q.scale, zero_point: 3}}
      constants:
        c: {type: int8, shape: $shape, quant: {scale: 1}, data: extremes}
      ops:
        - {op: $op, in: [x, c], out: y, options: {fused_activation_function: RELU6}}
      outputs: [y]
)";

TEST(Expansion, CombinesAndExcludes) {
  const Suite suite = MustReadSuite(kGoodSuite);
  ASSERT_EQ(suite.cases.size(), 3 * 2 * 2 - 2u);
  EXPECT_EQ(suite.cases[0].name, "ADD_4_a");
  EXPECT_EQ(suite.cases[1].name, "ADD_4_b");
  EXPECT_EQ(suite.cases.back().name, "SUB_2x3_b");
  const SubgraphSpec& graph = suite.cases.back().graph->subgraphs[0];
  EXPECT_EQ(graph.inputs[0].quant->scales, std::vector<float>{0.25f});
  EXPECT_EQ(*graph.inputs[0].shape, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(graph.ops[0].code, kLiteRtOpCodeTflSub);
  EXPECT_EQ(graph.ops[0].options.As<SubOptions>()->fused_activation_function,
            ActivationFunctionType::kRelu6);
}

TEST(Expansion, ClassesChooseTheChecksThatSuitTheCase) {
  const Suite suite = MustReadSuite(kGoodSuite);
  size_t with_graph = 0;
  for (const CheckInfo& check : AllChecks()) {
    with_graph += (check.klass == "partition" || check.klass == "numerics") &&
                  check.needs != CheckNeeds::kNothing;
  }
  EXPECT_EQ(suite.cases[0].checks.size(), with_graph);
  const Suite abi = MustReadSuite("suite: s\ncases: [{name: a, classes: [abi, dispatch]}]\n");
  for (const CheckInfo* check : abi.cases[0].checks) EXPECT_EQ(check->needs, CheckNeeds::kNothing);
}

TEST(Expansion, ChecksAreUniqueAndEachClassIsContiguous) {
  std::set<std::string_view> ids;
  std::vector<std::string_view> classes;
  for (const CheckInfo& check : AllChecks()) {
    EXPECT_TRUE(ids.insert(check.id).second) << check.id;
    EXPECT_FALSE(check.asks.empty());
    if (classes.empty() || classes.back() != check.klass) classes.push_back(check.klass);
  }
  EXPECT_EQ(std::set<std::string_view>(classes.begin(), classes.end()).size(), classes.size());
}

class BadSuite : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadSuite, NamesLineAndColumn) {
  ExpectRefused(GetParam(), "s.yaml", SuiteError(GetParam().yaml));
}

// A case with one op; `line` stands on line 3, from column 5.
std::string WithLine(const std::string& line) { return "suite: s\ncases:\n  - " + line + "\n"; }

std::string WithGraph(const std::string& graph) {
  return "suite: s\ncases:\n  - name: a\n    classes: [numerics]\n    graph:\n" + graph;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSuite,
    ::testing::Values(
        BadFile{"empty file", "", "1:1", "empty"},
        BadFile{"not a map", "- 1\n", "1:1", "expected a map for a suite, found a list"},
        BadFile{"two documents", "suite: s\n---\nsuite: t\n", "1:1", "more than one document"},
        BadFile{"broken syntax", "suite: s\ncases: [1, 2\n", "3:1",
                "end of sequence flow not found"},
        BadFile{"unknown key", "suite: s\ncase: []\ncases: []\n", "2:1",
                "unknown key 'case' in a suite; known are"},
        BadFile{"duplicate key", "suite: s\nsuite: t\ncases: []\n", "2:1", "duplicate key 'suite'"},
        BadFile{"missing key", "suite: s\n", "1:1", "a suite needs a key 'cases'"},
        BadFile{"cases no list", "suite: s\ncases: 3\n", "2:8", "expected a list, found '3'"},
        BadFile{"bad name", WithLine("{name: 'a b', classes: abi}"), "3:12", "a name has letters"},
        BadFile{"no question", WithLine("{name: a}"), "3:5", "the case asks nothing"},
        BadFile{"unknown class", WithLine("{name: a, classes: [foo]}"), "3:24",
                "unknown class 'foo'; known are abi"},
        BadFile{"unknown check", WithLine("{name: a, checks: [abi.foo]}"), "3:23",
                "unknown check 'abi.foo'"},
        BadFile{"check without its graph", WithLine("{name: a, checks: [numerics.oracle]}"), "3:23",
                "needs a graph"},
        BadFile{"unknown network", WithLine("{name: a, classes: model, network: foo}"), "3:40",
                "unknown network 'foo'"},
        BadFile{"bad parameter", WithLine("{name: $x, classes: abi, matrix: {y: [1]}}"), "3:12",
                "no parameter 'x' in the matrix"},
        BadFile{"empty matrix value", WithLine("{name: a, classes: abi, matrix: {y: []}}"), "3:41",
                "has no values"},
        BadFile{"exclude of nothing",
                WithLine("{name: a, classes: abi, matrix: {y: [1]}, exclude: [{z: 1}]}"), "3:58",
                "no parameter 'z'"},
        BadFile{"same name twice", WithLine("{name: a, classes: abi, matrix: {y: [1, 2]}}"), "3:5",
                "case 'a' stands twice; the first is at s.yaml:3:5"},
        BadFile{"bad timeout", WithLine("{name: a, classes: abi, timeout_s: -1}"), "3:40",
                "timeout_s"},
        BadFile{"bad pattern", WithLine("{name: a, classes: abi, data: [odd]}"), "3:36",
                "expected random, wide"},
        BadFile{"bad expectation", WithLine("{name: a, classes: abi, expect: {select: some}}"),
                "3:46", "expected claimed, none or any, found 'some'"},
        BadFile{
            "unknown op",
            WithGraph(
                "      inputs: {}\n      ops: [{op: ADDD, in: [], out: y}]\n      outputs: [y]\n"),
            "7:18", "unknown operator 'ADDD'"},
        BadFile{
            "unknown option",
            WithGraph(
                "      inputs: {}\n      ops: [{op: ADD, in: [], out: y, options: {relu: true}}]\n"
                "      outputs: [y]\n"),
            "7:49", "unknown option 'relu'; known are fused_activation_function"},
        BadFile{
            "bad option value",
            WithGraph(
                "      inputs: {}\n      ops: [{op: SOFTMAX, in: [], out: y, options: {beta: x}}]\n"
                "      outputs: [y]\n"),
            "7:59", "expected a number, found 'x'"},
        BadFile{"bad enum",
                WithGraph(
                    "      inputs: {}\n      ops:\n        - op: ADD\n          in: []\n          "
                    "out: y\n"
                    "          options: {fused_activation_function: RELUX}\n      outputs: [y]\n"),
                "11:48", "expected NONE, RELU"},
        BadFile{
            "unknown tensor",
            WithGraph(
                "      inputs: {}\n      ops: [{op: ADD, in: [q], out: y}]\n      outputs: [y]\n"),
            "7:13", "op reads unknown tensor 'q'"},
        BadFile{"tensor twice",
                WithGraph("      inputs: {y: {type: int8, shape: [1]}}\n      ops: [{op: ABS, in: "
                          "y, out: y}]\n"
                          "      outputs: [y]\n"),
                "7:35", "tensor 'y' stands twice"},
        BadFile{"unknown output",
                WithGraph("      inputs: {}\n      ops: []\n      outputs: [z]\n"), "6:7",
                "unknown tensor 'z' among the outputs"},
        BadFile{
            "bad type",
            WithGraph(
                "      inputs: {x: {type: i8, shape: [1]}}\n      ops: []\n      outputs: []\n"),
            "6:26", "expected an element type (float32"},
        BadFile{
            "bad shape",
            WithGraph(
                "      inputs: {x: {type: int8, shape: [a]}}\n      ops: []\n      outputs: []\n"),
            "6:40", "expected an integer, found 'a'"},
        BadFile{
            "shape too large",
            WithGraph(
                "      inputs: {x: {type: int8, shape: [-2]}}\n      ops: []\n      outputs: []\n"),
            "6:40", "-2 is not between -1 and 16777216"},
        BadFile{"input without shape",
                WithGraph("      inputs: {x: {type: int8}}\n      ops: []\n      outputs: []\n"),
                "6:19", "tensor 'x' needs a key 'shape'"},
        BadFile{"composite without body",
                WithGraph("      inputs: {}\n      ops: [{op: odml.x, in: [], out: y}]\n      "
                          "outputs: [y]\n"),
                "7:13", "composite odml.x needs a key 'decomposition'"}),
    [](const auto& info) {
      std::string name = info.param.what;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

TEST(ValueParser, BoundsDepthAndAliases) {
  EXPECT_THAT(SuiteError(std::string(200, '[') + std::string(200, ']')), HasSubstr("deep"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = fmt::format("*a{}", i - 1);
    bomb += fmt::format("a{}: &a{} [{}", i, i, last);
    for (int j = 0; j < 9; ++j) bomb += ", " + last;
    bomb += "]\n";
  }
  EXPECT_THAT(SuiteError(bomb), HasSubstr("too many values"));
  EXPECT_THAT(SuiteError("suite: &a [*a]\n"), StartsWith("s.yaml:1:"));
}

TEST(ValueParser, EveryTruncationEndsWithAnAnswer) {
  const std::string yaml = kGoodSuite;
  for (size_t length = 0; length < yaml.size(); ++length) {
    const std::string error = SuiteError(yaml.substr(0, length));
    EXPECT_THAT(error, ::testing::AnyOf("", StartsWith("s.yaml:")));
  }
}

TEST(ValueParser, EveryDamagedByteEndsWithAnAnswer) {
  const std::string yaml = kGoodSuite;
  for (size_t at = 0; at < yaml.size(); ++at) {
    for (const char byte :
         {'\0', '\xff', '{', '}', '[', ']', ':', '-', '*', '&', '!', '"', '\n', '\t', '$'}) {
      std::string damaged = yaml;
      damaged[at] = byte;
      const std::string error = SuiteError(damaged);
      EXPECT_THAT(error, ::testing::AnyOf("", StartsWith("s.yaml:"))) << at << " " << int{byte};
    }
  }
}

// -- Parts

// A folder of this test's own, gone with it.
class SuiteFolder {
 public:
  SuiteFolder() {
    path_ = std::filesystem::temp_directory_path() / fmt::format("npukit_suite_test_{}", getpid());
    std::filesystem::create_directories(path_);
  }
  ~SuiteFolder() { std::filesystem::remove_all(path_); }
  SuiteFolder(const SuiteFolder&) = delete;
  SuiteFolder& operator=(const SuiteFolder&) = delete;
  std::string File(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

std::string PartOf(const std::string& whole, const std::string& name) {
  return "part_of: " + whole + "\ncases:\n  - {name: " + name + ", checks: [abi.exports]}\n";
}

TEST(SuiteParts, AreReadInOrderAndNameTheirFiles) {
  const SuiteFolder folder;
  folder.File("one.yaml", PartOf("s", "first"));
  folder.File("two.yaml", PartOf("s", "second"));
  const auto suite = LoadSuite(folder.File("s.yaml", "suite: s\nparts: [one.yaml, two.yaml]\n"));
  ASSERT_TRUE(suite) << suite.Error().Message();
  ASSERT_EQ(suite->cases.size(), 2u);
  EXPECT_EQ(suite->cases[0].full_name(), "s/first");
  EXPECT_EQ(suite->cases[1].full_name(), "s/second");
  ASSERT_EQ(suite->files.size(), 3u);
  EXPECT_THAT(suite->files[2], ::testing::EndsWith("two.yaml"));
}

TEST(SuiteParts, ErrorsNameFileLineAndColumn) {
  const SuiteFolder folder;
  folder.File("good.yaml", PartOf("s", "first"));
  folder.File("foreign.yaml", PartOf("t", "first"));
  folder.File("broken.yaml", "part_of: s\ncases: [\n");
  folder.File("whole.yaml", "suite: s\ncases: []\n");
  struct Row {
    std::string parts;
    std::string message;
  };
  const Row rows[] = {
      {"[no_such.yaml]", "s.yaml:2:9: no such file"},
      {"[good.yaml, good.yaml]", "good.yaml:3:5: case 'first' stands twice"},
      {"[foreign.yaml]", "foreign.yaml:1:10: is part of 't', not of 's'"},
      {"[broken.yaml]", "broken.yaml:3:1: "},
      {"[whole.yaml]", "whole.yaml:1:1: a part of a suite needs a key 'part_of'"},
      {"good.yaml", "s.yaml:2:8: expected a list"},
      {"[s.yaml]", "s.yaml:1:1: a part of a suite needs a key 'part_of'"},
  };
  for (const Row& row : rows) {
    const auto suite = LoadSuite(folder.File("s.yaml", "suite: s\nparts: " + row.parts + "\n"));
    ASSERT_FALSE(suite) << row.parts;
    EXPECT_THAT(suite.Error().Message(), HasSubstr(row.message));
  }
}

}  // namespace
}  // namespace npukit::conformance

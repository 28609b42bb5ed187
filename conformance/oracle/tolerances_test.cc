// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// docs/tolerances.md says of every operator how its results are judged; the code does what it says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/oracle/graph_model.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/oracle/testing/operators_without_cases.h"
#include "conformance/spec/claims/claim_match.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(Trimmed(part));
  return parts;
}

// The class of each operator, from the document's table of operators.
std::map<std::string, std::string> ReadClasses() {
  std::map<std::string, std::string> classes;
  std::ifstream stream(std::string(NPUKIT_SOURCE_DIR) + "/docs/tolerances.md");
  bool within = false;
  for (std::string line; std::getline(stream, line);) {
    if (line == "| operators | class | derivation |") within = true;
    if (line.empty()) within = false;
    // The derivation may hold bars of its own: |x|.
    const std::vector<std::string> cells = Split(line, '|');
    if (!within || cells.size() < 4 || cells[1] == "operators" || cells[1] == "---") continue;
    EXPECT_FALSE(cells[3].empty()) << line;
    for (const std::string& name : Split(cells[1], ','))
      EXPECT_TRUE(classes.emplace(name, cells[2]).second) << name << " stands twice";
  }
  return classes;
}

// What the code does with exact inputs.
struct Observed {
  std::set<kernels::Tolerance::Kind> kinds;  // of float results
  double most_ulps = 0;                      // the largest bound, in ULP of its value
  double most_narrow_ulps = 0;  // the same of results of 16 bits, which round once more
  bool integers_are_exact = true;
  size_t floats = 0;
};

using ObservedByName = std::map<std::string, Observed>;

// Floats of magnitudes 1/2 to 2, where nothing underflows; integers as the suite has them.
std::vector<uint8_t> InputOf(const Tensor& input, const CaseModel& made, double sign,
                             uint64_t seed) {
  const auto given = made.input_ranges.find(input.name);
  ValueRange range;
  if (given != made.input_ranges.end()) range = given->second;
  const bool is_float = input.element_type == kLiteRtElementTypeFloat32;
  if (is_float && !range) range = sign > 0 ? std::pair(0.5, 2.0) : std::pair(-2.0, -0.5);
  auto bytes = MakeTensorData(input.element_type, input.shape, {}, range, seed);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::vector<uint8_t>();
}

void Note(const Op& op, const kernels::OracleTensor& result, Observed& observed) {
  const kernels::Operator& known = *kernels::FindOperator(op);
  const kernels::Tolerance& tolerance = known.parts.tolerance.For(result.type);
  EXPECT_FALSE(tolerance.reason.empty()) << known.name;
  if (!result.is_float()) {
    observed.integers_are_exact = observed.integers_are_exact &&
                                  tolerance.kind == kernels::Tolerance::Kind::kExact &&
                                  !result.is_uncertain();
    return;
  }
  ++observed.floats;
  observed.kinds.insert(tolerance.kind);
  const bool is_narrow =
      result.type == kLiteRtElementTypeFloat16 || result.type == kLiteRtElementTypeBFloat16;
  double& most_ulps = is_narrow ? observed.most_narrow_ulps : observed.most_ulps;
  for (size_t i = 0; i < result.values.size(); ++i) {
    const double bound = result.bounds.empty() ? 0 : result.bounds[i];
    if (bound == 0 || std::isnan(result.values[i])) continue;
    const double ulp = 2 * kernels::kRoundingUnit * std::fabs(result.values[i]);
    most_ulps = std::max(most_ulps, bound / ulp);
  }
}

ObservedByName CollectJudgedOps() {
  ObservedByName observed;
  for (const char* name : {"core", "operators"}) {
    const auto suite =
        LoadSuite(std::string(NPUKIT_SOURCE_DIR) + "/conformance/suites/" + name + ".yaml");
    EXPECT_TRUE(suite);
    if (!suite) continue;
    for (const CaseSpec& spec : suite->cases) {
      const auto made = MakeCaseModel(spec, nullptr, 1);
      if (!spec.Asks("numerics.oracle") || !made) continue;
      const Subgraph& graph = made->model->main_subgraph();
      if (graph.ops().size() != 1) continue;
      for (const double sign : {1.0, -1.0}) {
        std::vector<std::vector<uint8_t>> inputs;
        for (const Tensor* input : graph.inputs)
          inputs.push_back(InputOf(*input, *made, sign, inputs.size() + 1));
        GraphOracle oracle(*made->model, graph);
        if (!oracle.Run(inputs)) continue;  // a shape that the values decide
        for (size_t i = 0; i < graph.outputs.size(); ++i)
          Note(*graph.ops()[0], oracle.output(i), observed[ClaimName(*graph.ops()[0])]);
      }
    }
  }
  return observed;
}

TEST(Tolerances, TheDocumentHasEveryOperator) {
  const auto classes = ReadClasses();
  std::set<std::string> known;
  for (const kernels::Operator& op : kernels::AllOperators()) {
    known.insert(std::string(op.name));
    EXPECT_TRUE(classes.contains(std::string(op.name))) << op.name << " has no row";
  }
  for (const auto& [name, klass] : classes)
    EXPECT_TRUE(known.contains(name)) << name << " has a row, but there is no such operator";
}

TEST(Tolerances, TheCodeHasTheDocumentsClasses) {
  using Kind = kernels::Tolerance::Kind;
  const ObservedByName observed = CollectJudgedOps();
  for (const auto& [name, klass] : ReadClasses()) {
    const auto found = observed.find(name);
    if (found == observed.end()) {
      EXPECT_TRUE(HasNoCases(name)) << name << ": no case computes it";
      continue;
    }
    const Observed& code = found->second;
    EXPECT_TRUE(code.integers_are_exact) << name;
    if (klass == "exact") {
      for (const Kind kind : code.kinds) EXPECT_EQ(kind, Kind::kExact) << name;
      EXPECT_EQ(code.most_ulps + code.most_narrow_ulps, 0) << name;
      continue;
    }
    ASSERT_GT(code.floats, 0u) << name << " gives integers only";
    EXPECT_TRUE(code.kinds.contains(Kind::kRunningBound)) << name;
    if (klass == "inherited") {
      EXPECT_EQ(code.most_ulps + code.most_narrow_ulps, 0) << name;
    } else if (klass.ends_with(" ULP")) {
      EXPECT_NEAR(code.most_ulps, std::stod(klass), 1e-9) << name;
    } else {
      EXPECT_EQ(klass, "running") << name;
      EXPECT_GT(code.most_ulps + code.most_narrow_ulps, 0) << name;
    }
  }
}

// The section on functions has the errors that the code grants.
TEST(Tolerances, FunctionsAreGrantedWhatTheDocumentSays) {
  using Ulps = kernels::FunctionUlps;
  const std::map<std::string, double> granted = {{"+ - * and conversions", Ulps::kRounded},
                                                 {"division", Ulps::kDivide},
                                                 {"sqrt", Ulps::kSqrt},
                                                 {"rsqrt", Ulps::kRsqrt},
                                                 {"exp, expm1, log", Ulps::kExp},
                                                 {"log1p", Ulps::kLog1p},
                                                 {"sin, cos", Ulps::kSinCos},
                                                 {"tanh", Ulps::kTanh},
                                                 {"erf, erfc, pow", Ulps::kErf},
                                                 {"atan2", Ulps::kAtan2}};
  EXPECT_EQ(Ulps::kExp, Ulps::kExpm1);
  EXPECT_EQ(Ulps::kExp, Ulps::kLog);
  EXPECT_EQ(Ulps::kErf, Ulps::kPow);
  std::ifstream stream(std::string(NPUKIT_SOURCE_DIR) + "/docs/tolerances.md");
  size_t rows = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> cells = Split(line, '|');
    const auto found = cells.size() == 4 ? granted.find(cells[1]) : granted.end();
    if (found == granted.end()) continue;
    ++rows;
    EXPECT_EQ(std::stod(cells[2]), found->second) << line;
  }
  EXPECT_EQ(rows, granted.size());
}

}  // namespace
}  // namespace npukit::conformance

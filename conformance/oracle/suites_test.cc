// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The kit's own suites: every case can be made, everything that is judged by values has an oracle,
// and every operator that the oracle knows has cases.

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "conformance/oracle/graph_model.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/spec/suite/case_text.h"
#include "conformance/spec/suite/suite.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {
namespace {

Suite LoadKitSuite(const std::string& name) {
  auto suite = LoadSuite(std::string(NPUKIT_SOURCE_DIR) + "/conformance/suites/" + name + ".yaml");
  EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
  return suite ? std::move(*suite) : Suite{};
}

// "" if the oracle gives values for every pattern of inputs.
std::string OracleProblem(const CaseSpec& spec, const CaseModel& made) {
  const Subgraph& graph = made.model->main_subgraph();
  for (size_t index = 0; index < spec.patterns.size(); ++index) {
    std::vector<std::vector<uint8_t>> inputs;
    for (const Tensor* input : graph.inputs) {
      const auto range = made.input_ranges.find(input->name);
      auto bytes = MakeTensorData(
          input->element_type, input->shape, {.pattern = spec.patterns[index], .values = {}},
          range == made.input_ranges.end() ? ValueRange() : range->second, index + 1);
      if (!bytes) return bytes.Error().Message();
      inputs.push_back(std::move(*bytes));
    }
    GraphOracle oracle(*made.model, graph);
    if (auto run = oracle.Run(inputs); !run) return run.Error().Message();
  }
  return {};
}

TEST(Suites, EveryCaseThatIsJudgedByValuesHasAnOracle) {
  for (const char* suite : {"core", "operators", "graphs", "patterns"}) {
    for (const CaseSpec& spec : LoadKitSuite(suite).cases) {
      if (!spec.Asks("numerics.oracle") || spec.graph == nullptr) continue;
      const auto made = MakeCaseModel(spec, nullptr, 1);
      if (!made) {
        ADD_FAILURE() << spec.at.ToString() << " " << spec.name << ": " << made.Error().Message();
        continue;
      }
      const std::string problem = OracleProblem(spec, *made);
      EXPECT_EQ(problem, "") << spec.at.ToString() << " " << spec.name;
    }
  }
}

// A graph (operators, types, shapes, quantisations) with one regime of input data.
TEST(Suites, ThereAreSixThousandDistinctCases) {
  std::map<std::string, std::string> first;  // name of the case that was first, by contents
  size_t regimes = 0;
  size_t cases = 0;
  std::string twins;
  size_t twin_count = 0;
  std::set<std::string> graphs;
  for (const char* name :
       {"core", "operators", "dispatch", "graphs", "patterns", "robustness", "performance"}) {
    for (const CaseSpec& spec : LoadKitSuite(name).cases) {
      if (spec.graph == nullptr) continue;
      ++cases;
      const std::string graph = GraphText(*spec.graph);
      graphs.insert(graph);
      for (const DataSpec::Pattern pattern : spec.patterns) {
        ++regimes;
        const std::string contents = graph + kPatternNames[static_cast<size_t>(pattern)];
        const auto [twin, is_new] = first.emplace(contents, spec.full_name());
        // Suites may share graphs: each asks something else of them.
        if (is_new || !twin->second.starts_with(spec.suite + "/") ||
            twin->second == spec.full_name())
          continue;
        ++twin_count;
        twins += "\n    " + spec.full_name() + " is " + twin->second;
      }
    }
  }
  std::printf("%zu cases, %zu graphs that differ; %zu graphs with a regime of data, %zu differ\n",
              cases, graphs.size(), regimes, first.size());
  EXPECT_GE(first.size(), 6000u);
  EXPECT_EQ(twin_count, 0u) << "the same case twice in one suite:" << twins;
}

}  // namespace
}  // namespace npukit::conformance

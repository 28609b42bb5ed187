// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/build_model/build_model.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/build_model/quant_check.h"
#include "conformance/oracle/graph_model.h"
#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/text/value_parser.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::conformance {

int BuildVerb(tools::CommandLine& line, int argc, char** argv) {
  using tools::Fail;
  std::string path;
  std::string output;
  uint64_t seed = 1;
  line.Add("GRAPH", path, "YAML file: a graph as in the suites' cases (docs/models.md)").Required();
  line.Add("-o,--output", output, ".tflite file to write").Required();
  line.Add("--seed", seed, "of random constants").ShowDefault();
  if (const std::optional<int> ended = line.Parse(argc, argv)) return *ended;

  const auto value = ParseValueFile(path);
  if (!value) return Fail(tools::kWrongUsage, value.Error());
  const auto graph = ReadGraph(*value);
  if (!graph) return Fail(tools::kWrongUsage, graph.Error());
  if (const auto checked = CheckQuantizations(*graph); !checked)
    return Fail(tools::kWrongUsage, checked.Error());
  const auto made = MakeModel(*graph, /*claims=*/nullptr, seed);
  if (!made) return Fail(tools::kWrongUsage, path + ": " + made.Error().Message());
  if (auto saved = SaveModel(*made->model, output); !saved)
    return Fail(tools::kFailed, saved.Error());
  size_t ops = 0;
  for (const auto& subgraph : made->model->subgraphs()) ops += subgraph->ops().size();
  fmt::print("{}: {} op{}\n", output, ops, ops == 1 ? "" : "s");
  return tools::kDone;
}

}  // namespace npukit::conformance

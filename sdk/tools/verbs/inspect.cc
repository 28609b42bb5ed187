// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit inspect MODEL [--op N [--subgraph S]] [--json]

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/reports/model_report.h"
#include "sdk/tools/reports/op_context.h"

namespace npukit::tools {

int Inspect(CommandLine& line, int argc, char** argv) {
  std::string path;
  bool json = false;
  line.Add("MODEL", path, "A .tflite file, compiled or not").Required();
  line.AddFlag("--json", json, "Print everything as JSON");
  std::optional<size_t> op;
  size_t subgraph = 0;
  const Argument op_option =
      line.Add("--op", op, "Only this op, in its context: neighbours, options, tensors");
  line.Add("--subgraph", subgraph, "The subgraph of --op").Needs(op_option);
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;

  auto file = MapFile(path);
  if (!file) return Fail(kNotLoaded, file.Error());
  auto model = ParseModel(*file, path);
  if (!model) return Fail(kNotLoaded, model.Error());
  const nlohmann::ordered_json report = DescribeModel(**model, *file, path);
  if (op) {
    const auto context = OpContext(report, subgraph, *op);
    if (!context) return Fail(kWrongUsage, context.Error());
    if (json) {
      PrintJson(*context);
    } else {
      fmt::print("{}", OpContextText(*context));
    }
    return kDone;
  }
  if (json) {
    PrintJson(report);
  } else {
    fmt::print("{}", ReportText(report));
  }
  return kDone;
}

}  // namespace npukit::tools

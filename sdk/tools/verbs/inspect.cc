// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit inspect MODEL [--op N [--subgraph S]] [--yaml[=FILE] [--weights DIR]] [--json]

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/bundles/bundle_report.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/reports/model_report.h"
#include "sdk/tools/reports/model_yaml.h"
#include "sdk/tools/reports/op_context.h"

namespace npukit::tools {
namespace {

// To stdout, or into the file, in whose folder the weights' folder lies.
int PrintYaml(const Model& model, const std::string& path, const std::string& weights) {
  std::filesystem::path folder = weights;
  const std::filesystem::path base = std::filesystem::path(path).parent_path();
  if (!weights.empty() && folder.is_relative() && path != "-") folder = base / folder;
  const auto yaml = ModelYaml(model, {.weights_folder = folder.string(), .weights_name = weights});
  if (!yaml) return Fail(kFailed, yaml.Error());
  if (path == "-") {
    fmt::print("{}", *yaml);
    return kDone;
  }
  const auto written =
      WriteWholeFile(path, {reinterpret_cast<const uint8_t*>(yaml->data()), yaml->size()});
  return written ? int{kDone} : Fail(kFailed, written.Error());
}

int PrintBundle(const SharedBytes& file, const std::string& path, bool json) {
  const auto bundle = ParseBundle(file, path);
  if (!bundle) return Fail(kNotLoaded, bundle.Error());
  const nlohmann::ordered_json report = DescribeBundle(*bundle, path);
  if (json) {
    PrintJson(report);
  } else {
    fmt::print("{}", BundleText(report));
  }
  return kDone;
}

}  // namespace

int Inspect(CommandLine& line, int argc, char** argv) {
  std::string path;
  bool json = false;
  line.Add("MODEL", path,
           "A .tflite file, compiled or not; a .litertlm or .task bundle, or a model in it: "
           "BUNDLE#NAME")
      .Required();
  line.AddFlag("--json", json, "Print everything as JSON");
  std::optional<size_t> op;
  size_t subgraph = 0;
  const Argument op_option =
      line.Add("--op", op, "Only this op, in its context: neighbours, options, tensors");
  line.Add("--subgraph", subgraph, "The subgraph of --op").Needs(op_option);
  std::string yaml;
  std::string weights;
  line.AddFlagWithValue("--yaml", yaml, "-",
                        "print the model as a graph that npukit build reads; --yaml=FILE: write it "
                        "there (docs/models.md)")
      .Excludes("--op")
      .Excludes("--json");
  line.Add(
          "--weights", weights,
          "with --yaml: folder for the values of large constants, relative to the file; without it "
          "they become random")
      .Needs(line.Find("--yaml"));
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;

  if (const auto whole = MapFile(path); whole && LooksLikeBundle(whole->bytes)) {
    if (op || !yaml.empty())
      return Fail(kWrongUsage, path + ": is a bundle; name one of its models: " + path + "#NAME");
    return PrintBundle(*whole, path, json);
  }
  auto file = MapModel(path);
  if (!file) return Fail(kNotLoaded, file.Error());
  auto model = ParseModel(*file, path);
  if (!model) return Fail(kNotLoaded, model.Error());
  if (!yaml.empty()) return PrintYaml(**model, yaml, weights);
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

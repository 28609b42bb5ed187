// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit sample: writes one of the networks that the project makes itself.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sdk/host/model/graph/sample_models.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"

namespace npukit::tools {
namespace {

int ListSamples(bool json) {
  nlohmann::ordered_json samples = nlohmann::ordered_json::array();
  for (const SampleModel& sample : SampleModels()) {
    if (json) {
      samples.push_back({{"name", sample.name}, {"description", sample.description}});
    } else {
      fmt::print("{}\n    {}\n", sample.name, sample.description);
    }
  }
  if (json) PrintJson(nlohmann::ordered_json{{"samples", samples}});
  return kDone;
}

int WriteSample(const std::string& name, uint32_t seed, const std::string& path) {
  auto model = BuildSampleModel(name, seed);
  if (!model)
    return Fail(model.Error().StatusCC() == litert::Status::kErrorNotFound ? kWrongUsage : kFailed,
                model.Error());
  if (const auto saved = SaveModel(**model, path); !saved) return Fail(kFailed, saved.Error());
  fmt::print("{}\n", path);
  return kDone;
}

}  // namespace

int Sample(CommandLine& line, int argc, char** argv) {
  std::string name;
  std::string path;
  uint32_t seed = 1;
  bool json = false;
  line.Add("NAME", name, "which; without it they are listed");
  line.Add("-o,--output", path, "file to write (default: NAME.tflite)");
  line.Add("--seed", seed, "seed of the random weights").ShowDefault();
  line.AddFlag("--json", json, "list as JSON");
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (name.empty()) return ListSamples(json);
  return WriteSample(name, seed, path.empty() ? name + ".tflite" : path);
}

}  // namespace npukit::tools

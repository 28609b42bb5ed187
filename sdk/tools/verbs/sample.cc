// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit sample: writes one of the networks that the project makes itself.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/samples/sample_models.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/language/language_flags.h"

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

litert::Expected<std::unique_ptr<Model>> Build(const std::string& name, uint32_t seed,
                                               const LanguageFlags& language) {
  if (!language.is_given()) return BuildSampleModel(name, seed);
  std::optional<LanguageModelShape> shape = FindLanguageModel(name);
  if (!shape) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("'{}' is not a language model: there are no layers and the like to set", name));
  }
  shape->seed = seed;
  LITERT_RETURN_IF_ERROR(language.ApplyTo(*shape));
  return BuildLanguageModel(*shape);
}

int WriteSample(const std::string& name, uint32_t seed, const LanguageFlags& language,
                const std::string& path) {
  auto model = Build(name, seed, language);
  if (!model) {
    const auto status = model.Error().Status();
    const bool is_usage =
        status == kLiteRtStatusErrorNotFound || status == kLiteRtStatusErrorInvalidArgument;
    return Fail(is_usage ? kWrongUsage : kFailed, model.Error());
  }
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
  const Argument which = line.Add("NAME", name, "which network; without it all are listed");
  line.Suggest("NAME", [] {
    std::vector<std::string> names;
    for (const SampleModel& sample : SampleModels()) names.emplace_back(sample.name);
    return names;
  });
  line.Add("-o,--output", path, "file to write (default: NAME.tflite)").Needs(which);
  line.Add("--seed", seed, "seed of the random weights").ShowDefault().Needs(which);
  line.AddFlag("--json", json, "list as JSON").Excludes("NAME");
  LanguageFlags language;
  language.AddTo(line);
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (name.empty() && language.is_given())
    return Fail(kWrongUsage, "NAME is missing: layers and the like are a language model's");
  if (name.empty()) return ListSamples(json);
  return WriteSample(name, seed, language, path.empty() ? name + ".tflite" : path);
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A small application as one writes it for LiteRT: on LiteRT's headers alone, linked with
// libLiteRt.so. Runs a model with one float input and one float output on the CPU, or compiled at
// load for the NPU whose plugins lie in a folder, and prints the outputs.
//
//   classify MODEL [PLUGIN_DIR]

#include <cstdio>
#include <string>
#include <vector>

#include "litert/cc/litert_common.h"
#include "litert/cc/litert_compiled_model.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_environment_options.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_tensor_buffer.h"

namespace {

litert::Expected<void> Classify(const std::string& model_path, const char* plugin_dir) {
  std::vector<litert::EnvironmentOptions::Option> environment_options;
  if (plugin_dir != nullptr) {
    environment_options.emplace_back(litert::EnvironmentOptions::Option{
        litert::EnvironmentOptions::Tag::kCompilerPluginLibraryDir, plugin_dir});
    environment_options.emplace_back(litert::EnvironmentOptions::Option{
        litert::EnvironmentOptions::Tag::kDispatchLibraryDir, plugin_dir});
  }
  LITERT_ASSIGN_OR_RETURN(
      auto env, litert::Environment::Create(litert::EnvironmentOptions(environment_options)));
  LITERT_ASSIGN_OR_RETURN(auto options, litert::Options::Create());
  LITERT_RETURN_IF_ERROR(options.SetHardwareAccelerators(
      plugin_dir == nullptr ? litert::HwAcceleratorSet(litert::HwAccelerators::kCpu)
                            : litert::HwAccelerators::kNpu | litert::HwAccelerators::kCpu));
  LITERT_ASSIGN_OR_RETURN(auto model, litert::CompiledModel::Create(env, model_path, options));

  LITERT_ASSIGN_OR_RETURN(auto inputs, model.CreateInputBuffers());
  LITERT_ASSIGN_OR_RETURN(auto outputs, model.CreateOutputBuffers());
  LITERT_ASSIGN_OR_RETURN(const size_t input_bytes, inputs[0].PackedSize());
  std::vector<float> values(input_bytes / sizeof(float));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) - 3;
  LITERT_RETURN_IF_ERROR(inputs[0].Write<float>(values));
  LITERT_RETURN_IF_ERROR(model.Run(inputs, outputs));

  LITERT_ASSIGN_OR_RETURN(const size_t output_bytes, outputs[0].PackedSize());
  std::vector<float> results(output_bytes / sizeof(float));
  LITERT_RETURN_IF_ERROR(outputs[0].Read<float>(litert::internal::Span<float>(results)));
  LITERT_ASSIGN_OR_RETURN(const bool accelerated, model.IsFullyAccelerated());
  std::printf("%s\n", accelerated ? "NPU" : "CPU");
  for (float result : results) std::printf("%.6g\n", static_cast<double>(result));
  return {};
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): an example, in which only memory can be wanting
int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto done = Classify(argv[1], argc > 2 ? argv[2] : nullptr);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.Error().Message().c_str());
    return 1;
  }
  return 0;
}

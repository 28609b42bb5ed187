// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MobileNet v2 from the .tflite file to its cycles: how long AcmeCorp compiles it, and how long one
// inference takes the simulator, with values and without.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <random>
#include <string>

#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "simulator/device/simulation.h"
#include "simulator/driver/execution_context.h"
#include "simulator/driver/loaded_module.h"
#include "simulator/tools/program_file.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

std::string ModelPath() { return SharedDir() + "/models/tf2_mobilenet_v2_1.0_224_ptq.tflite"; }

// The compiled model, which is one partition; nullptr, with the state's error, if it is not there.
std::unique_ptr<acme::Module> Compile(const char* soc, benchmark::State& state) {
  if (!std::filesystem::exists(ModelPath())) {
    state.SkipWithError("the model is not there");
    return nullptr;
  }
  const auto model = LoadModel(ModelPath());
  const auto choice = ChoosePlugins(kPluginDir, {"AcmeCorp"});
  const std::string output =
      (std::filesystem::temp_directory_path() / "npukit_networks_benchmark.tflite").string();
  const auto applied =
      ApplyPlugins(**model, std::vector{&choice->plugins.front()}, {.soc_model = soc});
  if (!applied || !SaveModel(*applied->model, output)) {
    state.SkipWithError("the model did not compile");
    return nullptr;
  }
  auto module = acme::LoadProgram(output, "", "");
  std::filesystem::remove(output);
  if (!module) {
    state.SkipWithError(module.Error().Message().c_str());
    return nullptr;
  }
  return std::make_unique<acme::Module>(std::move(*module));
}

void CompileMobileNet(benchmark::State& state, const char* soc) {
  for (auto _ : state) {
    if (Compile(soc, state) == nullptr) return;
  }
}

void RunMobileNet(benchmark::State& state, const char* soc, acme::RunMode mode) {
  const std::unique_ptr<acme::Module> module = Compile(soc, state);
  if (module == nullptr) return;
  const acme::ModuleEntry& entry = module->entries.front();
  const auto program = acme::Program::Decode(entry.code);
  const acme::Hardware hardware = *acme::BuiltinHardware(soc);
  acme::Units units(hardware);
  const std::span<const uint8_t> constants = module->constants.bytes();
  std::vector<std::vector<uint8_t>> buffers{{constants.begin(), constants.end()},
                                            std::vector<uint8_t>(entry.workspace_bytes)};
  for (const acme::ModuleBinding& binding : entry.bindings)
    buffers.emplace_back(binding.size_bytes);
  std::mt19937 random(1);
  for (size_t i = acme::kFirstIoBinding; i < buffers.size(); ++i) {
    for (uint8_t& byte : buffers[i]) byte = static_cast<uint8_t>(random());
  }
  for (auto& buffer : buffers) units.memory().buffers.push_back(buffer.data());
  acme::RunResult result;
  for (auto _ : state) {
    auto run = acme::RunProgram(*program, hardware, &units, {.mode = mode});
    if (!run) {
      state.SkipWithError(run.Error().Message().c_str());
      return;
    }
    result = std::move(*run);
  }
  state.counters["cycles"] = static_cast<double>(result.counters.cycles);
  state.counters["instructions"] = static_cast<double>(result.counters.instructions);
}

// The runs of a context that has run before (known_times.h), as a session's.
void RunMobileNetAgain(benchmark::State& state, const char* soc) {
  const std::unique_ptr<acme::Module> module = Compile(soc, state);
  if (module == nullptr) return;
  const std::shared_ptr<const acme::Hardware> hardware =
      std::make_shared<acme::Hardware>(*acme::BuiltinHardware(soc));
  const auto loaded = acme::LoadedModule::Load(hardware, acme::SerializeModule(*module));
  if (!loaded) {
    state.SkipWithError(loaded.Error().Message().c_str());
    return;
  }
  acme::ExecutionContext context(*loaded, 0);
  bool ran = true;
  std::vector<std::vector<uint8_t>> buffers;
  for (const acme::ModuleBinding& binding : context.entry().bindings) {
    buffers.emplace_back(binding.size_bytes);
    ran = ran && context.Bind(buffers.size() - 1, buffers.back().data(), buffers.back().size());
  }
  ran = ran && context.Run({});
  for (auto _ : state) ran = ran && context.Run({});
  if (!ran) state.SkipWithError("the run failed");
}

const bool kRegistered = [] {
  for (const char* soc : {"acme_a0", "acme_a1", "acme_a2"}) {
    const auto add = [&](const std::string& what, auto function, auto... arguments) {
      benchmark::RegisterBenchmark((what + "/" + soc).c_str(), function, soc, arguments...)
          ->Unit(benchmark::kMillisecond);
    };
    add("CompileMobileNet", CompileMobileNet);
    add("FunctionAndTime", RunMobileNet, acme::RunMode::kFunctionAndTime);
    add("Again", RunMobileNetAgain);
    add("FunctionOnly", RunMobileNet, acme::RunMode::kFunctionOnly);
    add("TimeOnly", RunMobileNet, acme::RunMode::kTimeOnly);
  }
  return true;
}();

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/reproduction.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/shell_word.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::conformance {
namespace {

constexpr std::string_view kModelSuffix = ".tflite";

void AddOption(std::string& command, const char* name, const std::string& value) {
  if (!value.empty()) command += fmt::format(" {} {}", name, tools::ShellWord(value));
}

void AddOptions(std::string& command, const char* name, const std::vector<std::string>& values) {
  for (const std::string& value : values) AddOption(command, name, value);
}

}  // namespace

OutputPaths::OutputPaths(const std::string& output, const std::string& model) {
  if (output.ends_with(kModelSuffix)) {
    stem_ = output.substr(0, output.size() - kModelSuffix.size());
    return;
  }
  const std::filesystem::path folder =
      output.empty() ? std::filesystem::path(model).replace_extension(".reduced")
                     : std::filesystem::path(output);
  stem_ = (folder / "model").string();
}

litert::Expected<void> OutputPaths::MakeFolder() const {
  const std::filesystem::path folder = std::filesystem::path(stem_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, folder.string() + ": " + error.message());
}

std::string OutputPaths::input(size_t index) const {
  return fmt::format("{}.in{}.bin", stem_, index);
}

litert::Expected<void> WriteReproduction(const TrialModel& model, const OutputPaths& paths) {
  LITERT_RETURN_IF_ERROR(tools::WriteWholeFile(paths.model(), model.file));
  for (size_t i = 0; i < model.inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(tools::WriteWholeFile(paths.input(i), model.inputs[i]));
  std::error_code error;
  for (size_t i = model.inputs.size(); std::filesystem::remove(paths.input(i), error); ++i) {
  }
  return {};
}

std::string CommandFor(const Symptom& symptom, const tools::SessionFlags& flags,
                       const OutputPaths& paths, size_t input_count) {
  const char* verb = symptom.ending == Ending::kDiffers ? "diff"
                     : symptom.needs_times()            ? "bench"
                                                        : "run";
  std::string command = fmt::format("npukit {} {}", verb, tools::ShellWord(paths.model()));
  AddOption(command, "--plugin-dir", flags.plugin_dir);
  AddOption(command, "--device", flags.device.address);
  AddOption(command, "--device-dir", flags.device.folder);
  if (flags.device.compiles_on_device) command += " --compile-on-device";
  if (symptom.ending != Ending::kDiffers) command += " --jit";
  AddOption(command, "--soc", flags.soc);
  AddOptions(command, "--plugin", flags.delegation.plugins);
  AddOption(command, "--placement", flags.delegation.placement_file);
  AddOptions(command, "--spec", flags.delegation.specs);
  AddOption(command, "--soc-file", flags.delegation.soc_file);
  if (flags.delegation.max_partitions != 0)
    command += fmt::format(" --max-partitions {}", flags.delegation.max_partitions);
  if (flags.delegation.on_compile_failure != "fail")
    AddOption(command, "--on-compile-failure", flags.delegation.on_compile_failure);
  if (flags.delegation.fold_constants) command += " --fold-constants";
  AddOptions(command, "--op-package-dir", flags.op_packages.dirs);
  if (flags.exact_hybrid) command += " --exact-hybrid";
  if (input_count > 0) command += " --in";
  for (size_t i = 0; i < input_count; ++i) command += " " + tools::ShellWord(paths.input(i));
  return command;
}

}  // namespace npukit::conformance

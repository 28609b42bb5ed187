// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-asm: Acme assembly text to a module.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "simulator/module/verify.h"
#include "simulator/tools/errors.h"
#include "simulator/tools/json_text.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/verb.h"

namespace acme {
namespace {

constexpr const char* kTool = "npukit asm";

int ReportError(const Error& error, bool json) {
  if (json) {
    nlohmann::json out = {{"ok", false}, {"error", error.Message()}};
    if (error.OffsetBytes() != Error::kNoOffset) out["offset_bytes"] = error.OffsetBytes();
    fmt::print("{}\n", JsonText(out));
  }
  // Text that does not assemble is what the tool is there to find.
  const bool is_text =
      error.Code() == ErrorCode::kInvalidProgram || error.Code() == ErrorCode::kIncompatible;
  return Fail(kTool, is_text ? 1 : ExitCode(error), error.Message());
}

}  // namespace

int AsmMain(int argc, char** argv) {
  CLI::App app(
      "Assembles Acme assembly text (.acm) to a module that npukit-sim and the driver load.",
      kTool);
  std::string input, output, soc_model, soc_file;
  bool json = false;
  app.add_option("FILE", input, "assembly text")->required();
  app.add_option("-o,--output", output, "module to write; none: only check");
  app.add_option("--soc", soc_model, "SoC model instead of the text's .soc");
  app.add_option("--soc-file", soc_file, "hardware YAML instead of the text's .soc")
      ->excludes("--soc");
  app.add_flag("--json", json, "print a JSON record");
  app.set_version_flag("--version", std::string(kTool) + " " NPUKIT_VERSION);
  int exit_code = 0;
  if (!ParseArguments(app, argc, argv, exit_code)) return exit_code;
  Expected<std::vector<uint8_t>> text = ReadBytes(input);
  if (!text) return ReportError(text.Error(), json);
  Expected<Module> module = AssembleModule(
      {reinterpret_cast<const char*>(text->data()), text->size()}, input, soc_model, soc_file);
  if (!module) return ReportError(module.Error(), json);
  Expected<Hardware> hardware = ChooseHardware(soc_model, soc_file, module->soc_model);
  if (!hardware) return ReportError(hardware.Error(), json);
  if (const auto verified = VerifyModule(*module, *hardware); !verified)
    return ReportError(InFile(input, verified.Error()), json);
  const std::vector<uint8_t> bytes = SerializeModule(*module);
  if (!output.empty()) {
    if (Expected<void> written = WriteBytes(output, bytes.data(), bytes.size()); !written)
      return Fail(kTool, 1, written.Error().Message());
  }
  const size_t instructions = module->entries[0].code.size();
  if (json) {
    fmt::print("{}\n", JsonText({{"ok", true},
                                 {"instructions", instructions},
                                 {"bytes", bytes.size()},
                                 {"soc", module->soc_model}}));
  } else {
    fmt::print("{} instructions, {} bytes, for {}\n", instructions, bytes.size(),
               module->soc_model);
  }
  return 0;
}

}  // namespace acme

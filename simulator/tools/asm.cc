// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-asm: Acme assembly text to a module.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "simulator/module/verify.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/verb.h"

namespace acme {
namespace {

int ReportError(const Error& error, bool json) {
  if (json) {
    nlohmann::json out = {{"ok", false}, {"error", error.Message()}};
    if (error.OffsetBytes() != Error::kNoOffset) out["offset_bytes"] = error.OffsetBytes();
    fmt::print("{}\n", out.dump());
  }
  fmt::print(stderr, "npukit-asm: {}\n", error.Message());
  return error.Code() == ErrorCode::kIo ? 3 : 1;
}

}  // namespace

int AsmMain(int argc, char** argv) {
  CLI::App app(
      "Assembles Acme assembly text (.acm) to a module that npukit-sim and the driver load.",
      "npukit-asm");
  std::string input, output, soc_model, soc_file;
  bool json = false;
  app.add_option("FILE", input, "assembly text")->required();
  app.add_option("-o,--output", output, "module to write; none: only check");
  app.add_option("--soc", soc_model, "SoC model instead of the text's .soc");
  app.add_option("--soc-file", soc_file, "hardware YAML instead of the text's .soc");
  app.add_flag("--json", json, "print a JSON record");
  app.set_version_flag("--version", "npukit asm " NPUKIT_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  Expected<std::vector<uint8_t>> text = ReadBytes(input);
  if (!text) return ReportError(text.Error(), json);
  Expected<Module> module = AssembleModule(
      {reinterpret_cast<const char*>(text->data()), text->size()}, input, soc_model, soc_file);
  if (!module) return ReportError(module.Error(), json);
  Expected<Hardware> hardware = ChooseHardware(soc_model, soc_file, module->soc_model);
  if (!hardware) return ReportError(hardware.Error(), json);
  if (const auto verified = VerifyModule(*module, *hardware); !verified)
    return ReportError(verified.Error(), json);
  const std::vector<uint8_t> bytes = SerializeModule(*module);
  if (!output.empty()) {
    if (Expected<void> written = WriteBytes(output, bytes.data(), bytes.size()); !written)
      return ReportError(written.Error(), json);
  }
  const size_t instructions = module->entries[0].code.size();
  if (json) {
    fmt::print("{}\n", nlohmann::json{{"ok", true},
                                      {"instructions", instructions},
                                      {"bytes", bytes.size()},
                                      {"soc", module->soc_model}}
                           .dump());
  } else {
    fmt::print("{} instructions, {} bytes, for {}\n", instructions, bytes.size(),
               module->soc_model);
  }
  return 0;
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-disasm: modules (also those inside a compiled model) to assembly text, with the operators
// each instruction comes from.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "simulator/isa/text.h"
#include "simulator/module/variants.h"
#include "simulator/tools/errors.h"
#include "simulator/tools/json_text.h"
#include "simulator/tools/mapped_file.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/verb.h"

namespace acme {
namespace {

constexpr const char* kTool = "npukit disasm";

// The name of the handle in force at each instruction that sets one.
std::string MarkComment(const Module& module, const Word& word) {
  if (static_cast<Opcode>(word.w[0] & 0xFF) != Opcode::kCpMark) return "";
  const uint32_t handle = word.w[1];
  if (handle == 0 || handle > module.debug.size()) return "";
  const DebugRecord& record = module.debug[handle - 1];
  // On its line, whatever it holds.
  std::string text = EscapedName(record.name);
  if (!record.op_indices.empty())
    text += fmt::format(" (op {})", fmt::join(record.op_indices, ", "));
  return text;
}

std::string Directives(const Module& module, const ModuleEntry& entry) {
  std::string text = fmt::format("# entry point {}\n.soc {}\n", EscapedName(entry.name),
                                 NameText(module.soc_model));
  for (const ModuleBinding& binding : entry.bindings) {
    text += fmt::format(".binding {} {} {}\n", binding.output ? "out" : "in",
                        NameText(binding.name), binding.size_bytes);
  }
  if (entry.workspace_bytes != 0) text += fmt::format(".workspace {}\n", entry.workspace_bytes);
  // Counted from 1: handle 0 stands for none.
  for (size_t h = 0; h < module.debug.size(); ++h)
    text += fmt::format(".handle {} \"{}\"\n", h + 1, EscapedName(module.debug[h].name));
  return text;
}

std::string Constants(const Module& module, bool with_constants) {
  if (!with_constants)
    return fmt::format(".constant_fill 0x00 {}  # values left out; --constants shows them\n",
                       module.constants.size());
  std::string text;
  for (size_t i = 0; i < module.constants.size(); ++i) {
    text += fmt::format("{}{:02x}", i % 32 == 0 ? (i == 0 ? ".constant " : "\n.constant ") : " ",
                        module.constants.bytes()[i]);
  }
  return text.empty() ? text : text + "\n";
}

// As comments: a text holds one program.
std::string Variants(const Module& module, const ModuleEntry& entry) {
  std::string text;
  for (const ModuleVariant& variant : entry.variants) {
    std::vector<std::string> guards;
    for (const ModuleGuard& guard : variant.guards) guards.push_back(Describe(guard, entry));
    text += fmt::format("# instead, where {}:\n", fmt::join(guards, " and "));
    std::istringstream code(DisassembleCode(
        variant.code, [&](uint32_t pc) { return MarkComment(module, variant.code[pc]); }));
    for (std::string line; std::getline(code, line);) text += "#   " + line + "\n";
  }
  return text;
}

std::string Disassemble(const Module& module, bool with_constants) {
  std::string text;
  for (const ModuleEntry& entry : module.entries) {
    text += Directives(module, entry) + Constants(module, with_constants);
    text += DisassembleCode(entry.code,
                            [&](uint32_t pc) { return MarkComment(module, entry.code[pc]); }) +
            Variants(module, entry) + "\n";
  }
  return text;
}

nlohmann::json CodeJson(const std::vector<Word>& code) {
  nlohmann::json lines = nlohmann::json::array();
  for (const Word& word : code) lines.push_back(DisassembleInstruction(word));
  return lines;
}

nlohmann::json ModuleJson(const Module& module) {
  nlohmann::json out = {{"soc", module.soc_model},
                        {"isa", fmt::format("{}.{}", module.isa_major, module.isa_minor)},
                        {"producer", module.producer},
                        {"constant_bytes", module.constants.size()},
                        {"entries", nlohmann::json::array()}};
  for (const ModuleEntry& entry : module.entries) {
    nlohmann::json bindings = nlohmann::json::array();
    for (const ModuleBinding& b : entry.bindings)
      bindings.push_back({{"name", b.name}, {"bytes", b.size_bytes}, {"output", b.output}});
    out["entries"].push_back({{"name", entry.name},
                              {"bindings", bindings},
                              {"workspace_bytes", entry.workspace_bytes},
                              {"code", CodeJson(entry.code)}});
    for (const ModuleVariant& variant : entry.variants) {
      nlohmann::json guards = nlohmann::json::array();
      for (const ModuleGuard& guard : variant.guards) guards.push_back(Describe(guard, entry));
      out["entries"].back()["variants"].push_back(
          {{"guards", guards}, {"code", CodeJson(variant.code)}});
    }
  }
  for (const DebugRecord& record : module.debug)
    out["handles"].push_back({{"name", record.name}, {"ops", record.op_indices}});
  return out;
}

// All modules of a file.
Expected<std::vector<Module>> ReadModules(const std::string& path) {
  ACME_ASSIGN_OR_RETURN(const ModuleSource file, OpenModuleSource(path));
  if (LooksLikeModule(file.bytes)) {
    Expected<Module> module = ParseModuleInPlace(file);
    if (!module) return InFile(path, module.Error());
    return std::vector<Module>{std::move(*module)};
  }
  std::vector<Module> modules = FindModules(file);
  if (modules.empty()) return Error(ErrorCode::kNotFound, path + " holds no Acme module");
  return modules;
}

}  // namespace

int DisasmMain(int argc, char** argv) {
  CLI::App app(
      "Shows Acme modules as assembly text: a module file, or a compiled model that carries "
      "modules.",
      kTool);
  std::string input, output;
  bool json = false;
  bool constants = false;
  app.add_option("FILE", input, "module or compiled model")->required();
  app.add_option("-o,--output", output, "file to write instead of standard output");
  app.add_flag("--constants", constants,
               "show the constants' bytes, so that the text assembles to the same program");
  app.add_flag("--json", json, "JSON instead of text")->excludes("--constants");
  app.set_version_flag("--version", std::string(kTool) + " " NPUKIT_VERSION);
  int exit_code = 0;
  if (!ParseArguments(app, argc, argv, exit_code)) return exit_code;
  Expected<std::vector<Module>> modules = ReadModules(input);
  if (!modules) {
    return Fail(kTool, 3, modules.Error().Message());
  }
  std::string text;
  if (json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Module& module : *modules) all.push_back(ModuleJson(module));
    text = JsonText({{"modules", all}}) + "\n";
  } else {
    for (size_t i = 0; i < modules->size(); ++i) {
      if (modules->size() > 1) text += fmt::format("# module {}\n", i);
      text += Disassemble((*modules)[i], constants);
    }
  }
  if (output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  if (Expected<void> written = WriteBytes(output, text.data(), text.size()); !written) {
    return Fail(kTool, 1, written.Error().Message());
  }
  return 0;
}

}  // namespace acme

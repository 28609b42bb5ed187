// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/sim_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "simulator/device/simulation.h"
#include "simulator/module/variants.h"
#include "simulator/module/verify.h"
#include "simulator/tools/errors.h"
#include "simulator/tools/json_text.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/sim_report.h"
#include "simulator/trace/chrome_trace.h"

namespace acme {
namespace {

struct RunArguments {
  std::string program, soc_model, soc_file, entry, out_prefix, trace, csv, mode = "both";
  std::vector<std::string> memory, settings;
  std::optional<int> module_index;
  int64_t cycle_budget = 0;  // 0: none
  bool check_races = false;
  bool json = false;
};

// What an option asks for that the mode does not do.
Expected<void> CheckMode(const RunArguments& args) {
  const struct {
    const char* option;
    std::string value;
    const char* mode;
    const char* lacks;
  } kLacking[] = {
      {"--mem", fmt::format("{}", fmt::join(args.memory, " ")), "time", "reads no inputs"},
      {"--out-prefix", args.out_prefix, "time", "has no outputs"},
      {"--trace", args.trace, "function", "keeps no time"},
      {"--csv", args.csv, "function", "keeps no time"},
  };
  for (const auto& [option, value, mode, lacks] : kLacking) {
    if (args.mode == mode && !value.empty())
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("{} {}: --mode {} {}", option, value, mode, lacks));
  }
  return {};
}

// A module may ask for any size. The machine grants memory that it does not have, and ends the process
// once it is written to.
Expected<void> CheckMemory(const ModuleEntry& entry) {
  const uint64_t machine_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t left_bytes = machine_bytes;
  const auto take = [&](const std::string& what, uint64_t size_bytes) -> Expected<void> {
    if (size_bytes > left_bytes) {
      return Error(
          ErrorCode::kIncompatible,
          fmt::format("{} has {} bytes, with all before it more than this machine's memory "
                      "of {}; --mode time needs none",
                      what, size_bytes, machine_bytes));
    }
    left_bytes -= size_bytes;
    return {};
  };
  ACME_RETURN_IF_ERROR(take("the workspace", entry.workspace_bytes));
  for (const ModuleBinding& binding : entry.bindings)
    ACME_RETURN_IF_ERROR(take("binding " + binding.name, binding.size_bytes));
  return {};
}

// DRAM buffers of an entry point but the constants, inputs read from files. Without values they are empty: time depends
// on their sizes alone.
struct Buffers {
  std::vector<uint8_t> workspace;
  std::vector<std::vector<uint8_t>> bindings;

  static Expected<Buffers> Make(const ModuleEntry& entry, const std::vector<std::string>& files,
                                bool needed) {
    if (needed) ACME_RETURN_IF_ERROR(CheckMemory(entry));
    Buffers buffers;
    if (needed) buffers.workspace.resize(entry.workspace_bytes);
    size_t next = 0;
    for (const ModuleBinding& binding : entry.bindings) {
      std::vector<uint8_t> data(needed && binding.output ? binding.size_bytes : 0);
      if (!binding.output && needed) {
        if (next == files.size()) {
          return Error(ErrorCode::kInvalidArgument,
                       fmt::format("input {} ({} bytes) has no --mem file; --mode time needs none",
                                   binding.name, binding.size_bytes));
        }
        auto read = ReadBytes(files[next]);
        if (!read) return Error(ErrorCode::kInvalidArgument, "--mem: " + read.Error().Message());
        data = std::move(*read);
        if (data.size() != binding.size_bytes) {
          return Error(ErrorCode::kInvalidArgument,
                       fmt::format("{} has {} bytes, input {} needs {}", files[next], data.size(),
                                   binding.name, binding.size_bytes));
        }
        ++next;
      }
      buffers.bindings.push_back(std::move(data));
    }
    if (next != files.size()) {
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("--mem {}: there is no input for it; entry point {} has {}",
                               files[next], entry.name, next));
    }
    return buffers;
  }
};

// Each setting is "name=value".
Expected<void> ChangeFields(const std::vector<std::string>& settings, Hardware& hardware) {
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("--set {}: expected NAME=VALUE", setting));
    }
    const std::string_view text = setting;
    Expected<void> set =
        SetHardwareField(hardware, text.substr(0, equals), text.substr(equals + 1));
    if (!set) {
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("--set {}: {}", setting, set.Error().Message()));
    }
  }
  return {};
}

Expected<const ModuleEntry*> ChooseEntry(const Module& module, const std::string& name) {
  if (!name.empty()) {
    const ModuleEntry* entry = module.FindEntry(name);
    if (entry != nullptr) return entry;
    std::vector<std::string> names;
    for (const ModuleEntry& known : module.entries) names.push_back("'" + known.name + "'");
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("--entry: there is no entry point '{}'; there {} {}", name,
                             names.size() == 1 ? "is" : "are", fmt::join(names, ", ")));
  }
  if (module.entries.size() != 1) {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("the module has {} entry points; pick one with --entry",
                             module.entries.size()));
  }
  return &module.entries[0];
}

// The entry point's programs, checked. For time it is its own alone that counts.
Expected<EntryPrograms> ProgramsOf(const Module& module, const ModuleEntry& entry,
                                   const Hardware& hardware, bool values) {
  EntryPrograms of_entry;
  if (!values) {
    ACME_ASSIGN_OR_RETURN(of_entry.own, VerifyOwnProgram(module, entry, hardware));
    return of_entry;
  }
  ACME_ASSIGN_OR_RETURN(std::vector<EntryPrograms> all, VerifyModule(module, hardware));
  return std::move(all[static_cast<size_t>(&entry - module.entries.data())]);
}

// What is run, and its entry point with what is said of it and without code.
struct Taken {
  const Program* program;
  ModuleEntry entry;
};

// What these inputs take.
Taken ForInputs(const ModuleEntry& entry, const EntryPrograms& programs, const Buffers& buffers) {
  Taken taken{&programs.own,
              {entry.name,
               entry.bindings,
               entry.workspace_bytes,
               {},
               entry.roofline_cycles,
               entry.macs,
               {}}};
  if (programs.variants.empty()) return taken;
  std::vector<const uint8_t*> bindings;
  for (const std::vector<uint8_t>& bytes : buffers.bindings) bindings.push_back(bytes.data());
  if (const std::optional<size_t> variant = ChooseVariant(entry, bindings)) {
    taken.program = &programs.variants[*variant];
    taken.entry.roofline_cycles = entry.variants[*variant].roofline_cycles;
    taken.entry.macs = entry.variants[*variant].macs;
  }
  return taken;
}

Expected<RunOptions> MakeOptions(const RunArguments& args, const Module& module) {
  RunOptions options;
  if (args.mode == "both") {
    options.mode = RunMode::kFunctionAndTime;
  } else if (args.mode == "function") {
    options.mode = RunMode::kFunctionOnly;
  } else {
    options.mode = RunMode::kTimeOnly;
  }
  if (args.cycle_budget > 0) options.cycle_budget = args.cycle_budget;
  options.check_races = args.check_races;
  options.profile = true;
  options.trace = !args.trace.empty();
  options.handle_name = [&module](uint32_t h) {
    // Handle 0 stands for none.
    return h >= 1 && h <= module.debug.size() ? module.debug[h - 1].name : std::string();
  };
  return options;
}

// What was written by an option, with its name where it could not be.
Expected<void> WrittenBy(const char* option, const Expected<void>& written) {
  if (written) return {};
  return Error(written.Error().Code(), fmt::format("{}: {}", option, written.Error().Message()));
}

Expected<void> WriteOutputs(const RunArguments& args, const ModuleEntry& entry,
                            const Buffers& buffers) {
  if (args.out_prefix.empty()) return {};
  int next = 0;
  for (size_t i = 0; i < entry.bindings.size(); ++i) {
    if (!entry.bindings[i].output) continue;
    const auto& bytes = buffers.bindings[i];
    const std::string path = fmt::format("{}{}.bin", args.out_prefix, next++);
    ACME_RETURN_IF_ERROR(WrittenBy("--out-prefix", WriteBytes(path, bytes.data(), bytes.size())));
  }
  return {};
}

Expected<void> WriteReports(const RunArguments& args, const RunResult& result, const Module& module,
                            const Hardware& hardware, const RunOptions& options) {
  if (!args.trace.empty()) {
    const Expected<void> written =
        WriteChromeTrace(args.trace, result.trace,
                         {hardware.name, hardware.clock_mhz, result.counters.cycles,
                          result.scratchpad_levels, options.handle_name});
    ACME_RETURN_IF_ERROR(WrittenBy("--trace", written));
  }
  if (args.csv.empty()) return {};
  const std::string csv = ReportCsv(result, module);
  return WrittenBy("--csv", WriteBytes(args.csv, csv.data(), csv.size()));
}

// `has_run`: whether what fails is the writing of what the run gave.
Expected<void> Run(const RunArguments& args, bool& has_run) {
  ACME_RETURN_IF_ERROR(CheckMode(args));
  ACME_ASSIGN_OR_RETURN(
      const Module module,
      LoadProgram(args.program, args.soc_model, args.soc_file, args.module_index.value_or(-1)));
  ACME_ASSIGN_OR_RETURN(Hardware hardware,
                        ChooseHardware(args.soc_model, args.soc_file, module.soc_model));
  ACME_RETURN_IF_ERROR(ChangeFields(args.settings, hardware));
  ACME_ASSIGN_OR_RETURN(const ModuleEntry* named, ChooseEntry(module, args.entry));
  ACME_ASSIGN_OR_RETURN(RunOptions options, MakeOptions(args, module));
  const bool values = options.mode != RunMode::kTimeOnly;
  const Expected<EntryPrograms> programs = ProgramsOf(module, *named, hardware, values);
  if (!programs) return InFile(args.program, programs.Error());
  ACME_ASSIGN_OR_RETURN(Buffers buffers, Buffers::Make(*named, args.memory, values));
  const auto [program, entry] = ForInputs(*named, *programs, buffers);
  std::unique_ptr<Units> units;
  if (values) {
    units = std::make_unique<Units>(hardware);
    // By the numbers that programs have for them. The verifier lets nobody write constants.
    std::vector<uint8_t*>& numbered = units->memory().buffers;
    numbered = {const_cast<uint8_t*>(module.constants.data()), buffers.workspace.data()};
    for (std::vector<uint8_t>& bytes : buffers.bindings) numbered.push_back(bytes.data());
  }
  for (const BufferLimits& limits : BuffersOf(module, entry))
    options.buffer_bytes.push_back(static_cast<int64_t>(limits.size_bytes));
  ACME_ASSIGN_OR_RETURN(const RunResult result,
                        RunProgram(*program, hardware, units.get(), options));
  has_run = true;
  if (values) ACME_RETURN_IF_ERROR(WriteOutputs(args, entry, buffers));
  ACME_RETURN_IF_ERROR(WriteReports(args, result, module, hardware, options));
  if (args.json) {
    fmt::print("{}\n", ReportJson(result, module, entry, hardware));
  } else {
    fmt::print("{}", ReportText(result, entry, hardware));
  }
  return {};
}

// Whole numbers from 0 on, as npukit's other verbs say it.
CLI::Validator FromZeroOn() {
  return CLI::Validator(
      [](const std::string& text) {
        if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
          return std::string();
        return fmt::format("expected a whole number from 0 on, found '{}'", text);
      },
      "");
}

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  CLI::App* run = app.add_subcommand(
      "run", "Runs a program: .acm text, a module, or a compiled model that carries one");
  auto args = std::make_shared<RunArguments>();
  run->set_version_flag("--version", "npukit sim run " NPUKIT_VERSION);
  run->add_option("PROGRAM", args->program, "program file")->required();
  run->add_option(
      "--soc", args->soc_model,
      fmt::format("SoC model instead of the program's ({})", fmt::join(BuiltinSocModels(), ", ")));
  run->add_option("--soc-file", args->soc_file, "hardware YAML")->excludes("--soc");
  run->add_option("--set", args->settings,
                  "NAME=VALUE: one field of the chip, e.g. dram.bytes_per_cycle=8; may be repeated")
      ->allow_extra_args(false);
  run->add_option("--mem", args->memory, "raw bytes of each input binding, in order");
  run->add_option("--out-prefix", args->out_prefix,
                  "write output bindings to PREFIX0.bin, PREFIX1.bin, ...");
  run->add_option("--entry", args->entry, "entry point of a module with several");
  run->add_option("--module", args->module_index,
                  "which module of a file with several, counted from 0")
      ->check(FromZeroOn());
  run->add_option("--mode", args->mode, "both, function or time (default: both)")
      ->check(CLI::IsMember({"both", "function", "time"}));
  run->add_option("--cycle-budget", args->cycle_budget,
                  "stop with an error after this many cycles of the NPU; 0, the default: never")
      ->check(FromZeroOn());
  run->add_option("--trace", args->trace, "write a Chrome/Perfetto trace");
  run->add_option("--csv", args->csv, "write counters per debug handle");
  run->add_flag("--check-races", args->check_races,
                "fail at the first access that no semaphore orders");
  run->add_flag("--json", args->json, "JSON instead of text");
  run->callback([args, exit_code] {
    bool has_run = false;
    Expected<void> status = Run(*args, has_run);
    if (status) return;
    if (args->json) fmt::print("{}\n", JsonText({{"error", status.Error().Message()}}));
    *exit_code =
        Fail("npukit sim", has_run ? 1 : ExitCode(status.Error()), status.Error().Message());
  });
}

}  // namespace acme

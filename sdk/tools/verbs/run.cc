// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit run: one inference, on the CPU and, with a plugin, on the NPU.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/host/runtime/diagnostics/op_profile.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/reports/run_outputs.h"
#include "sdk/tools/reports/session_report.h"
#include "sdk/tools/reports/trace_file.h"

namespace npukit::tools {
namespace {

struct RunFlags : SessionFlags {
  OutputFlags outputs;
  std::string trace;
  bool profile = false;
  int repeat = 1;
  bool reset_state = false;
};

// Runs, with step times and the devices' traces if a trace file is wanted; a library without
// metrics has no trace.
litert::Expected<void> RunTraced(SignatureRunner& runner, const std::string& trace_path) {
  runner.EnableStepTimes(true);
  const bool has_metrics = runner.StartMetrics(NPUKIT_METRICS_DETAIL_TRACE).HasValue();
  LITERT_RETURN_IF_ERROR(runner.Run());
  std::vector<DispatchMetrics> metrics;
  if (has_metrics) {
    LITERT_ASSIGN_OR_RETURN(metrics, runner.StopMetrics());
  }
  const std::string text = JsonText(MakeTrace(runner, metrics));
  return WriteWholeFile(trace_path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// Runs with debug handles recorded, joined with the model's own ops.
litert::Expected<std::vector<OpProfile>> RunProfiled(SignatureRunner& runner,
                                                     const Session& session) {
  runner.EnableStepTimes(true);
  const auto recording = runner.SetRecording(kNpukitRecordProfile);
  if (!recording && recording.Error().Status() != kLiteRtStatusErrorUnsupported)
    return litert::Unexpected(recording.Error());
  if (!recording && session.placement().partitions != 0)
    Warn("no profile of the NPU: " + recording.Error().Message());
  LITERT_RETURN_IF_ERROR(runner.Run());
  return ProfileByOp(runner, session.placement());
}

nlohmann::ordered_json ProfileJson(const std::vector<OpProfile>& profile) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OpProfile& op : profile) {
    nlohmann::ordered_json entry = {
        {"subgraph", op.subgraph}, {"index", op.index}, {"op", op.op}, {"name", op.name}};
    entry["target"] = op.target == Target::kNpu ? "npu" : "cpu";
    if (op.target == Target::kNpu) {
      entry["plugin"] = op.plugin;
      entry["partition"] = op.partition;
      entry["cycles"] =
          op.num_events == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(op.cycles);
      entry["unit_cycles"] = op.unit_cycles;
      entry["events"] = op.num_events;
    } else {
      entry["host_ms"] = static_cast<double>(op.host_ns) / 1e6;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void PrintProfile(const std::vector<OpProfile>& profile) {
  fmt::print("profile:\n");
  for (const OpProfile& op : profile) {
    if (op.op.empty()) {
      fmt::print("  the rest of '{}': {:.0f} cycles\n", op.partition, op.cycles);
      continue;
    }
    fmt::print("  {}", OpText(op.subgraph, op.index, op.op, op.name));
    if (op.target == Target::kCpu) {
      fmt::print(" on the CPU: {:.3f} ms\n", static_cast<double>(op.host_ns) / 1e6);
      continue;
    }
    if (op.num_events == 0) {
      fmt::print(" on {}, '{}': not measured\n", op.plugin, op.partition);
      continue;
    }
    fmt::print(" on {}, '{}': {:.0f} cycles", op.plugin, op.partition, op.cycles);
    for (const auto& [unit, cycles] : op.unit_cycles) fmt::print(", {} {:.0f}", unit, cycles);
    fmt::print("\n");
  }
}

// All runs; a trace or profile is of the last.
litert::Expected<std::vector<OpProfile>> RunAll(SignatureRunner& runner, Session& session,
                                                const RunFlags& flags, RunOutputs& outputs) {
  std::vector<OpProfile> profile;
  for (int i = 0; i < flags.repeat; ++i) {
    if (flags.reset_state) session.ResetState();
    const bool is_last = i + 1 == flags.repeat;
    if (is_last && flags.profile) {
      LITERT_ASSIGN_OR_RETURN(profile, RunProfiled(runner, session));
    } else if (is_last && !flags.trace.empty()) {
      LITERT_RETURN_IF_ERROR(RunTraced(runner, flags.trace));
    } else {
      LITERT_RETURN_IF_ERROR(runner.Run());
    }
    outputs.Add();
  }
  return profile;
}

// What a run is reported from: where its inputs came from and what became of its outputs.
struct RunReport {
  std::vector<std::string> sources;
  const RunOutputs& outputs;
  std::vector<OpProfile> profile;
};

void PrintRun(const RunFlags& flags, const Session& session, const SignatureRunner& runner,
              const RunReport& run) {
  if (flags.json) {
    nlohmann::ordered_json report = {{"model", flags.model}};
    report["inputs"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < runner.inputs().size(); ++i) {
      nlohmann::ordered_json input = PortJson(runner.inputs()[i]);
      input["file"] = flags.inputs.files.empty() ? nlohmann::ordered_json()
                                                 : nlohmann::ordered_json(run.sources[i]);
      report["inputs"].push_back(std::move(input));
    }
    report["outputs"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < runner.outputs().size(); ++i) {
      nlohmann::ordered_json output = PortJson(runner.outputs()[i]);
      output.update(run.outputs.Json(i));
      report["outputs"].push_back(std::move(output));
    }
    report["placement"] = PlacementJson(session.placement());
    if (flags.profile) report["profile"] = ProfileJson(run.profile);
    return PrintJson(report);
  }
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    fmt::print("input {}: '{}' {} from {}\n", i, ShortName(runner.inputs()[i].name),
               TypeText(runner.inputs()[i]), run.sources[i]);
  }
  for (size_t i = 0; i < runner.outputs().size(); ++i) {
    fmt::print("output {}: '{}' {}{}\n{}", i, ShortName(runner.outputs()[i].name),
               TypeText(runner.outputs()[i]), run.outputs.FileText(i), run.outputs.ValuesText(i));
  }
  fmt::print("{}", PlacementText(session.placement(), flags.jit || !flags.plugin_dir.empty()));
  if (flags.profile) PrintProfile(run.profile);
}

// Everything after the arguments are read.
int RunModel(RunFlags& flags) {
  int exit_code = kDone;
  const std::unique_ptr<Session> session = OpenSession(flags, exit_code);
  if (session == nullptr) return exit_code;
  auto found = session->Runner(flags.signature);
  if (!found) return Fail(kWrongUsage, found.Error());
  SignatureRunner& runner = **found;
  auto sources = flags.inputs.Fill(runner, session->model());
  if (!sources) return Fail(kWrongUsage, sources.Error());
  auto outputs = RunOutputs::Create(flags.outputs, runner);
  if (!outputs) return Fail(kWrongUsage, outputs.Error());
  auto profile = RunAll(runner, *session, flags, *outputs);
  if (!profile) return Fail(kFailed, profile.Error());
  if (auto written = outputs->Write(); !written) return Fail(kFailed, written.Error());
  PrintRun(flags, *session, runner,
           {.sources = std::move(*sources), .outputs = *outputs, .profile = std::move(*profile)});
  if (auto closed = session->Close(); !closed) return Fail(kFailed, closed.Error());
  return kDone;
}

}  // namespace

int Run(CommandLine& line, int argc, char** argv) {
  RunFlags flags;
  flags.AddTo(line);
  flags.AddJit(line);
  flags.outputs.AddTo(line);
  const Argument repeat = line.Add("--repeat", flags.repeat,
                                   "run this many times with the same inputs; variables and states "
                                   "last from run to run, "
                                   "and the output files hold all runs one after the other")
                              .ShowDefault()
                              .Between(1, 1'000'000);
  line.AddFlag("--reset-state", flags.reset_state,
               "variables and states are as before the first run in every run")
      .Needs(repeat);
  line.Add("--trace", flags.trace, "write a Chrome/Perfetto trace of the run to this file");
  line.AddFlag("--profile", flags.profile,
               "what each op of the model cost, also inside partitions, by debug handles (ops "
               "overlap: no sum)")
      .Excludes("--trace");
  if (std::optional<int> ended = line.Parse(argc, argv)) return *ended;
  return OnDevice(flags, [&] { return RunModel(flags); });
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit run: one inference, on the CPU and, with a plugin, on the NPU.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/tools/command_line.h"
#include "sdk/tools/session_flags.h"
#include "sdk/tools/trace_file.h"

NPUKIT_VERB("run", "run a model once; print its outputs and where each op ran")

namespace npukit::tools {
namespace {

struct RunFlags : SessionFlags {
  std::string out_prefix;
  std::string trace;
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
  const std::string text =
      MakeTrace(runner, metrics).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return WriteWholeFile(trace_path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// Outputs go to P0.bin, P1.bin, ...; gives the names, empty without a prefix.
litert::Expected<std::vector<std::string>> WriteOutputs(const SignatureRunner& runner,
                                                        const std::string& prefix) {
  std::vector<std::string> files(runner.outputs().size());
  if (prefix.empty()) return files;
  for (size_t i = 0; i < files.size(); ++i) {
    files[i] = prefix + std::to_string(i) + ".bin";
    LITERT_RETURN_IF_ERROR(WriteWholeFile(files[i], runner.output(i)));
  }
  return files;
}

void PrintReport(const RunFlags& flags, const Session& session, const SignatureRunner& runner,
                 const std::vector<std::string>& files) {
  auto file_json = [](const std::string& file) {
    return file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(file);
  };
  if (flags.json) {
    nlohmann::ordered_json report = {{"model", flags.model}};
    report["inputs"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < runner.inputs().size(); ++i) {
      nlohmann::ordered_json input = PortJson(runner.inputs()[i]);
      input["file"] = file_json(flags.inputs.empty() ? "" : flags.inputs[i]);
      report["inputs"].push_back(std::move(input));
    }
    report["outputs"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < runner.outputs().size(); ++i) {
      nlohmann::ordered_json output = PortJson(runner.outputs()[i]);
      output["file"] = file_json(files[i]);
      report["outputs"].push_back(std::move(output));
    }
    report["placement"] = PlacementJson(session.placement());
    return PrintJson(report);
  }
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    std::printf("input %zu: '%s' %s from %s\n", i, ShortName(runner.inputs()[i].name).c_str(),
                TypeText(runner.inputs()[i]).c_str(),
                flags.inputs.empty() ? ("seed " + std::to_string(flags.seed)).c_str()
                                     : flags.inputs[i].c_str());
  }
  for (size_t i = 0; i < runner.outputs().size(); ++i) {
    std::printf("output %zu: '%s' %s%s%s\n", i, ShortName(runner.outputs()[i].name).c_str(),
                TypeText(runner.outputs()[i]).c_str(), files[i].empty() ? "" : " to ",
                files[i].c_str());
  }
  std::printf("%s",
              PlacementText(session.placement(), flags.jit || !flags.plugin_dir.empty()).c_str());
}

int Main(int argc, char** argv) {
  CLI::App app(VerbHelp());
  RunFlags flags;
  flags.AddTo(app);
  flags.AddJit(app);
  app.add_option("--out-prefix", flags.out_prefix,
                 "write the outputs to PREFIX0.bin, PREFIX1.bin, ...");
  app.add_option("--trace", flags.trace, "write a Chrome/Perfetto trace of the run to this file");
  if (std::optional<int> exit_code = Parse(app, argc, argv)) return *exit_code;

  auto options = flags.Options();
  if (!options) return Fail(kWrongUsage, options.Error());
  auto session = Session::Open(flags.model, *options);
  if (!session) return Fail(kNotLoaded, session.Error());
  auto found = (*session)->Runner(flags.signature);
  if (!found) return Fail(kWrongUsage, found.Error());
  SignatureRunner& runner = **found;
  if (auto filled = FillInputs(runner, flags); !filled) return Fail(kWrongUsage, filled.Error());
  auto run = flags.trace.empty() ? runner.Run() : RunTraced(runner, flags.trace);
  if (!run) return Fail(kFailed, run.Error());
  auto files = WriteOutputs(runner, flags.out_prefix);
  if (!files) return Fail(kFailed, files.Error());
  PrintReport(flags, **session, runner, *files);
  if (auto closed = (*session)->Close(); !closed) return Fail(kFailed, closed.Error());
  return kDone;
}

}  // namespace
}  // namespace npukit::tools

int main(int argc, char** argv) { return npukit::tools::Main(argc, argv); }

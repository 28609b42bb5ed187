// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/reduce.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/reduce/recording.h"
#include "conformance/reduce/reducer.h"
#include "conformance/reduce/reproduction.h"
#include "conformance/reduce/symptom.h"
#include "conformance/reduce/trials.h"
#include "conformance/runner/process/device_pool.h"
#include "conformance/spec/text/text_hash.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::conformance {
namespace {

using tools::Fail;
using Json = nlohmann::ordered_json;

std::atomic<bool> should_stop = false;

void OnInterrupt(int) { should_stop = true; }

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

struct ReduceFlags : tools::SessionFlags {
  std::string wanted;  // --while; empty: whatever shows
  std::string message;
  std::string output;
  std::optional<double> timeout_s;
  int max_trials = 2000;
};

// A line that tells whether trials of an earlier call still hold: the same model, settings and
// libraries.
std::string Circumstances(const ReduceFlags& flags, const std::vector<uint8_t>& model) {
  std::string text(model.begin(), model.end());
  std::error_code error;
  std::vector<std::string> libraries;
  for (const std::string& folder : {flags.plugin_dir, flags.device.folder}) {
    if (folder.empty()) continue;
    for (const std::string& path : FindSharedLibraries(folder, error)) {
      libraries.push_back(
          fmt::format("{} {} {}", path, std::filesystem::file_size(path, error),
                      std::filesystem::last_write_time(path, error).time_since_epoch().count()));
    }
  }
  libraries.push_back(CommandFor({}, flags, OutputPaths("x.tflite", {}), 0));
  libraries.push_back(fmt::format("{} {} {} {} {}", flags.wanted, flags.message,
                                  flags.timeout_s.value_or(0), flags.signature, flags.inputs.seed));
  using Lists = std::initializer_list<const std::vector<std::string>*>;
  for (const auto* list : Lists{&libraries, &flags.inputs.files, &flags.resizes}) {
    for (const std::string& item : *list) text += "\n" + item;
  }
  return "npukit reduce 1 " + DigestOf(text);
}

std::string NoSignature(const Model& model, const std::string& key) {
  std::vector<std::string> known;
  for (const auto& signature : model.signatures)
    known.push_back(fmt::format("'{}'", signature->key));
  return fmt::format(
      "there is no signature '{}'; {}", key,
      known.empty() ? "the model has none" : fmt::format("there are {}", fmt::join(known, ", ")));
}

// The subgraph that the signature runs; nullopt if there is no such signature.
std::optional<size_t> SubgraphOf(const Model& model, const std::string& key) {
  const Subgraph* wanted = nullptr;
  if (key.empty() && model.signatures.empty()) return 0;
  for (const auto& signature : model.signatures) {
    if (wanted == nullptr && (key.empty() || signature->key == key)) wanted = signature->subgraph;
  }
  for (size_t i = 0; i < model.subgraphs().size(); ++i) {
    if (&model.subgraph(i) == wanted) return i;
  }
  return std::nullopt;
}

// What was asked for; or, if nothing was, what the whole model shows.
litert::Expected<Symptom> ChooseSymptom(const ReduceFlags& flags, const Observed& observed) {
  Symptom symptom;
  if (flags.wanted.empty()) {
    if (observed.ending == Ending::kFine || !IsOnNpu(observed.ending)) {
      return litert::Unexpected(
          kLiteRtStatusErrorNotFound,
          observed.ending == Ending::kFine
              ? "nothing is wrong: it compiles, runs, and lies within the bounds"
              : "nothing runs on the NPU: " + observed.message);
    }
    symptom.ending = observed.ending;
  } else {
    LITERT_ASSIGN_OR_RETURN(symptom, ParseSymptom(flags.wanted));
  }
  symptom.message = flags.message;
  if (symptom.ending == Ending::kCrashes && observed.ending == Ending::kCrashes)
    symptom.signal = observed.signal;
  if (symptom.IsShownBy(observed)) return symptom;
  std::string what = kEndingNames[static_cast<size_t>(observed.ending)];
  if (observed.run_ms) what += fmt::format(", {:.3f} ms", *observed.run_ms);
  if (observed.cycles) what += fmt::format(", {:.0f} cycles", *observed.cycles);
  if (!observed.message.empty()) what += ": " + observed.message;
  return litert::Unexpected(
      kLiteRtStatusErrorNotFound,
      fmt::format("the model does not show '{}'; found: {}", symptom.ToString(), what));
}

// Where what was asked for does not show.
tools::ExitCode CodeOf(Ending ending) {
  if (ending == Ending::kNotLoaded) return tools::kNotLoaded;
  return ending == Ending::kWrongRequest ? tools::kWrongUsage : tools::kFailed;
}

struct Outcome {
  Symptom symptom;
  Reduced reduced;
  size_t trials = 0;
  size_t known = 0;
  bool interrupted = false;
};

// Of a crash the innermost frames are enough.
std::string FirstLines(const std::string& text) {
  constexpr int kMaxLines = 8;
  size_t end = 0;
  for (int i = 0; i < kMaxLines && end < text.size(); ++i)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  std::string first = text.substr(0, end);
  if (!first.empty() && first.back() != '\n') first += '\n';
  return first;
}

void PrintOutcome(const ReduceFlags& flags, const Subgraph& graph, const Outcome& outcome,
                  const OutputPaths& paths) {
  const TrialModel& model = outcome.reduced.model;
  const std::string command = CommandFor(outcome.symptom, flags, paths, model.inputs.size());
  if (flags.json) {
    Json ops = Json::array();
    for (uint32_t index : outcome.reduced.ops) {
      const Op& op = graph.op(index);
      ops.push_back({{"index", index},
                     {"op", OpName(op)},
                     {"name", op.outputs.empty() ? "" : op.outputs.front()->name}});
    }
    Json inputs = Json::array();
    for (size_t i = 0; i < model.inputs.size(); ++i) inputs.push_back(paths.input(i));
    return tools::PrintJson({{"model", flags.model},
                             {"symptom", outcome.symptom.ToString()},
                             {"message", outcome.reduced.observed.message},
                             {"output", paths.model()},
                             {"inputs", std::move(inputs)},
                             {"command", command},
                             {"ops_before", graph.ops().size()},
                             {"ops_after", outcome.reduced.ops.size()},
                             {"ops", std::move(ops)},
                             {"size_bytes", model.file.size()},
                             {"trials", outcome.trials},
                             {"remembered_trials", outcome.known},
                             {"interrupted", outcome.interrupted}});
  }
  fmt::print("{}: {} of {} ops\n", outcome.symptom.ToString(), outcome.reduced.ops.size(),
             graph.ops().size());
  for (uint32_t index : outcome.reduced.ops) {
    const Op& op = graph.op(index);
    fmt::print("  {}\n", tools::OpText(0, index, OpName(op),
                                       op.outputs.empty() ? "" : op.outputs.front()->name));
  }
  fmt::print("{}", FirstLines(outcome.reduced.observed.message));
  fmt::print("{} ({} bytes), {} trials, {} remembered\n{}\n", paths.model(), model.file.size(),
             outcome.trials, outcome.known, command);
}

// What a reduction begins with: the model, what its tensors held on the CPU, and the subgraph by itself.
struct Start {
  std::unique_ptr<Model> model;
  std::vector<uint8_t> file;
  size_t subgraph = 0;
  Recording recording;
  OpSet all_ops;
  TrialModel whole;

  const Subgraph& graph() const { return model->subgraph(subgraph); }
};

// An exit code with the error printed, or none and `start` filled.
std::optional<int> Prepare(const ReduceFlags& flags, const SessionOptions& session, Start& start) {
  auto model = LoadModel(flags.model);
  if (!model) return Fail(tools::kNotLoaded, model.Error());
  auto file = tools::ReadWholeFile(flags.model);
  if (!file) return Fail(tools::kNotLoaded, file.Error());
  const std::optional<size_t> subgraph = SubgraphOf(**model, flags.signature);
  if (!subgraph) return Fail(tools::kWrongUsage, NoSignature(**model, flags.signature));
  if (auto there = Session::CheckResizes(**model, session.resizes); !there)
    return Fail(tools::kWrongUsage, there.Error());
  start.model = std::move(*model);
  start.file = std::move(*file);
  start.subgraph = *subgraph;
  auto recording = RecordOnCpu(*start.model, start.graph(), flags.signature, session, flags.inputs);
  if (!recording) return Fail(tools::kWrongUsage, recording.Error());
  start.recording = std::move(*recording);
  if (!start.recording.why_not.empty()) {
    tools::Warn("the CPU can't run the whole model, so inner inputs are random: " +
                start.recording.why_not);
  }
  for (uint32_t i = 0; i < start.graph().ops().size(); ++i) start.all_ops.insert(i);
  auto cut = CutOps(*start.model, start.subgraph, start.all_ops);
  if (!cut) return Fail(tools::kNotLoaded, cut.Error());
  auto whole = ToTrial(*cut, start.recording, flags.inputs.seed);
  if (!whole) return Fail(tools::kNotLoaded, whole.Error());
  start.whole = std::move(*whole);
  return std::nullopt;
}

TrialLimits LimitsOf(const ReduceFlags& flags) {
  TrialLimits limits{.max_trials = static_cast<size_t>(flags.max_trials)};
  if (flags.timeout_s)
    limits.timeout = std::chrono::milliseconds(static_cast<int64_t>(*flags.timeout_s * 1000));
  return limits;
}

// The libraries for the device; an exit code, with the error printed, where there are none.
std::optional<int> ChooseLibraries(const ReduceFlags& flags, DeviceRequest& request) {
  const std::string vendors = fmt::format("{}", fmt::join(flags.delegation.plugins, ","));
  auto path = tools::ChooseDeviceLibrary(request.folder, vendors);
  if (!path) return Fail(tools::kNotLoaded, path.Error());
  request.library_path = std::move(*path);
  if (!flags.device.compiles_on_device) return std::nullopt;
  auto plugin = tools::ChooseDevicePlugin(request.folder, vendors);
  if (!plugin) return Fail(tools::kNotLoaded, plugin.Error());
  request.plugin_path = std::move(*plugin);
  return std::nullopt;
}

// The device of --device, with its library named for the sessions; null and kDone: there is none.
std::unique_ptr<DevicePool> OpenDevice(const ReduceFlags& flags, SessionOptions& session,
                                       int& exit_code) {
  if (!flags.device.is_asked()) return nullptr;
  auto address = remote::ParseDeviceAddress(flags.device.address);
  if (!address) {
    exit_code = Fail(tools::kWrongUsage, address.Error());
    return nullptr;
  }
  DeviceRequest request{
      .addresses = {std::move(*address)},
      .folder = FolderOf(flags.device.folder.empty() ? flags.plugin_dir : flags.device.folder),
      .library_path = {},
      .plugin_path = {}};
  if (const auto wrong = ChooseLibraries(flags, request)) {
    exit_code = *wrong;
    return nullptr;
  }
  auto pool = DevicePool::Open(request);
  if (!pool) {
    exit_code = Fail(tools::kNotLoaded, pool.Error());
    return nullptr;
  }
  session.dispatch_dir = (*pool)->library_path();
  return std::move(*pool);
}

// Everything after the arguments are read.
int ReduceModel(const ReduceFlags& flags, SessionOptions session) {
  int exit_code = tools::kDone;
  const std::unique_ptr<DevicePool> devices = OpenDevice(flags, session, exit_code);
  if (exit_code != tools::kDone) return exit_code;
  Start start;
  if (const auto ended = Prepare(flags, session, start)) return *ended;
  const OutputPaths paths(flags.output, flags.model);
  if (auto made = paths.MakeFolder(); !made) return Fail(tools::kFailed, made.Error());
  TrialSettings settings{.session = session};
  settings.session.resizes.clear();  // the recorded values have the new shapes
  settings.wants_diff = flags.wanted.empty() || flags.wanted == "differs";
  settings.wants_times = flags.wanted.starts_with("slower-than");
  Trials trials(std::move(settings), LimitsOf(flags), should_stop, devices.get());
  if (auto opened = trials.Remember(paths.trials(), Circumstances(flags, start.file)); !opened)
    return Fail(tools::kFailed, opened.Error());

  const Observed observed = trials.Try(start.whole);
  if (should_stop) return Fail(tools::kFailed, "interrupted");
  auto symptom = ChooseSymptom(flags, observed);
  if (!symptom) return Fail(CodeOf(observed.ending), symptom.Error());
  trials.settings().wants_diff = symptom->ending == Ending::kDiffers;

  Outcome outcome{.symptom = *symptom,
                  .reduced = {.ops = start.all_ops, .model = start.whole, .observed = observed}};
  litert::Expected<void> written = WriteReproduction(start.whole, paths);
  {
    tools::Progress progress;
    Reducer reducer(
        {*start.model, start.subgraph, start.recording, *symptom, flags.inputs.seed}, trials,
        [&](size_t ops) {
          progress.Show(fmt::format("trial {}: {} of {} ops", trials.count() + trials.known_count(),
                                    ops, start.all_ops.size()));
        },
        [&](const Reduced& best) { written = WriteReproduction(best.model, paths); });
    if (auto reduced = reducer.Run(trials.Plan(start.whole, 0)))
      outcome.reduced = std::move(*reduced);
  }
  if (!written) return Fail(tools::kFailed, written.Error());
  outcome.trials = trials.count();
  outcome.known = trials.known_count();
  outcome.interrupted = trials.is_interrupted();
  PrintOutcome(flags, start.graph(), outcome, paths);
  if (outcome.interrupted)
    return Fail(tools::kFailed, "interrupted; the same command goes on from here");
  if (trials.is_over()) tools::Warn("ended by --max-trials; a larger number goes on from here");
  return tools::kDone;
}

}  // namespace

int ReduceVerb(tools::CommandLine& line, int argc, char** argv) {
  ReduceFlags flags;
  flags.AddTo(line);
  line.Add("--while", flags.wanted,
           "what the smaller model must still show: compile-fails, load-fails, run-fails, differs, "
           "crashes, hangs, or slower-than with a time (5ms) or cycles (2e6cycles); without it "
           "whatever the whole model shows");
  line.JoinWords("--while", BelongsToSymptom);
  line.Add("--message", flags.message, "and the error's text must contain this");
  line.Add(
      "-o,--output", flags.output,
      "the .tflite to write, its inputs beside it; or a folder for them (default: MODEL.reduced)");
  line.Add("--timeout", flags.timeout_s, "seconds for a trial, after which it hangs (default 30)")
      .Positive();
  line.Add("--max-trials", flags.max_trials, "stop making the model smaller after this many trials")
      .ShowDefault()
      .Between(1, 1'000'000);
  if (std::optional<int> ended = line.Parse(argc, argv)) return *ended;
  if (const auto wrong = flags.device.CheckFolders(flags.plugin_dir)) return *wrong;
  if (flags.device.compiles_on_device && !flags.device.is_asked())
    return Fail(tools::kWrongUsage, "--compile-on-device needs --device");
  if (!flags.wanted.empty()) {
    if (auto symptom = ParseSymptom(flags.wanted); !symptom)
      return Fail(tools::kWrongUsage, symptom.Error());
  }
  // Plugins are looked at in the trials' processes only.
  const auto options = flags.Options();
  if (!options) return Fail(tools::kWrongUsage, options.Error());
  if (auto there = flags.CheckPluginDir(); !there) return Fail(tools::kNotLoaded, there.Error());
  CatchInterrupts();
  return ReduceModel(flags, *options);
}

}  // namespace npukit::conformance

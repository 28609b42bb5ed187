// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit diff: where, and by how much, a plugin's results leave those of the CPU.

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "npukit/compile_spec.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/diagnostics/numeric_diff.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json("inf"); }

Json GapJson(const std::optional<NumericGap>& gap) {
  if (!gap) return {};
  return {{"elems", gap->elems},
          {"differing_elems", gap->differing_elems},
          {"first_differing_elem", gap->first_differing_elem},
          {"max_abs", Finite(gap->max_abs)},
          {"max_steps", gap->max_steps ? Json(*gap->max_steps) : Json()},
          {"mse", Finite(gap->mse)},
          {"snr_db", gap->snr_db ? Finite(*gap->snr_db) : Json()}};
}

std::string GapText(const std::optional<NumericGap>& gap) {
  if (!gap) return "-";
  if (gap->is_exact()) return "equal";
  std::string text = fmt::format("max {:.3g}", gap->max_abs);
  if (gap->max_steps) text += fmt::format(" ({} steps)", *gap->max_steps);
  text += fmt::format(", mse {:.3g}", gap->mse);
  if (gap->snr_db) text += fmt::format(", snr {:.1f} dB", *gap->snr_db);
  return text + fmt::format(", {} of {} differ", gap->differing_elems, gap->elems);
}

Json TensorJson(const TensorDiff& tensor) {
  Json entry = PortJson(tensor.port);
  entry["op"] = tensor.step;
  entry["target"] = tensor.target == Target::kNpu ? "npu" : "cpu";
  entry["source_ops"] = Json::array();
  for (const auto& op : tensor.sources) entry["source_ops"].push_back(Describe(op));
  entry["isolated"] = GapJson(tensor.isolated);
  if (tensor.verdict) {
    entry["bounds"] = kBoundVerdictNames[static_cast<size_t>(tensor.verdict->kind)];
    entry["bounds_detail"] = tensor.verdict->detail;
  }
  entry["end_to_end"] = GapJson(tensor.end_to_end);
  return entry;
}

Json OpJson(const OpDiff& op) {
  return {{"subgraph", op.op.subgraph}, {"index", op.op.index}, {"op", op.op.op},
          {"name", op.op.name},         {"partition", op.step}, {"handle", op.handle},
          {"gap", GapJson(op.gap)}};
}

std::string SourceOpText(const DelegateRecord::SourceOp& op) {
  return OpText(op.subgraph, op.index, op.op, op.name);
}

// By debug handles.
void PrintInside(const NumericDiff& diff) {
  if (diff.ops.empty()) return;
  fmt::print("inside the partitions, by debug handles:\n");
  for (const OpDiff& op : diff.ops) {
    fmt::print("  {} of {}: {}\n", SourceOpText(op.op), op.step, GapText(op.gap));
  }
  if (diff.first_op_divergence < 0) return;
  const OpDiff& first = diff.ops[static_cast<size_t>(diff.first_op_divergence)];
  fmt::print("first op to differ: {}\n", SourceOpText(first.op));
}

// Each op of the NPU compiled by itself.
struct OpByOp {
  NumericDiff diff;
  std::string why_not;  // instead of a result
};

// ", within the bounds"; empty where nothing was judged, or nothing differs.
std::string VerdictText(const TensorDiff& tensor) {
  if (!tensor.verdict || (tensor.isolated && tensor.isolated->is_exact())) return {};
  switch (tensor.verdict->kind) {
    case BoundVerdict::Kind::kWithin:
      return "; within the bounds";
    case BoundVerdict::Kind::kBeyond:
      return "; BEYOND THE BOUNDS: " + tensor.verdict->detail;
    case BoundVerdict::Kind::kNotKnown:
      return "; bounds not known: " + tensor.verdict->detail;
  }
  return {};
}

void PrintOpByOp(const OpByOp& ops) {
  if (!ops.why_not.empty()) return fmt::print("op by op: not possible: {}\n", ops.why_not);
  fmt::print("op by op, each compiled by itself, with the CPU's inputs:\n");
  for (const TensorDiff& tensor : ops.diff.tensors) {
    if (tensor.target != Target::kNpu) continue;
    fmt::print("  '{}' {}: {}{}\n", ShortName(tensor.port.name), TypeText(tensor.port),
               GapText(tensor.isolated), VerdictText(tensor));
  }
}

void PrintDiff(const SessionFlags& flags, const NumericDiff& diff, const OpByOp& ops,
               const SessionPlacement& placement) {
  if (flags.json) {
    Json report = {{"model", flags.model}, {"tensors", Json::array()}};
    for (const TensorDiff& tensor : diff.tensors) report["tensors"].push_back(TensorJson(tensor));
    report["first_divergence"] =
        diff.first_divergence < 0
            ? Json()
            : Json(diff.tensors[static_cast<size_t>(diff.first_divergence)].port.name);
    report["unmatched"] = diff.unmatched;
    report["inside"] = Json::array();
    for (const OpDiff& op : diff.ops) report["inside"].push_back(OpJson(op));
    report["first_op_divergence"] =
        diff.first_op_divergence < 0
            ? Json()
            : Json(diff.ops[static_cast<size_t>(diff.first_op_divergence)].op.name);
    report["ops"] = Json::array();
    for (const TensorDiff& tensor : ops.diff.tensors) {
      if (tensor.target == Target::kNpu) report["ops"].push_back(TensorJson(tensor));
    }
    report["ops_why_not"] = ops.why_not;
    report["beyond_bounds"] = diff.CountBeyond() + ops.diff.CountBeyond();
    report["placement"] = PlacementJson(placement);
    return PrintJson(report);
  }
  fmt::print("{}", PlacementText(placement, /*plugin_was_asked_for=*/true));
  for (const TensorDiff& tensor : diff.tensors) {
    fmt::print("{} '{}' {}\n", tensor.step, ShortName(tensor.port.name), TypeText(tensor.port));
    if (tensor.isolated) {
      fmt::print("    with the CPU's inputs: {}{}\n", GapText(tensor.isolated),
                 VerdictText(tensor));
    }
    fmt::print("    end to end:            {}\n", GapText(tensor.end_to_end));
  }
  for (const std::string& name : diff.unmatched)
    fmt::print("'{}' has no counterpart on the CPU\n", ShortName(name));
  if (diff.first_divergence < 0) {
    fmt::print("no tensor differs\n");
  } else {
    const TensorDiff& first = diff.tensors[static_cast<size_t>(diff.first_divergence)];
    fmt::print("first to differ: '{}' of {}\n", ShortName(first.port.name), first.step);
  }
  PrintInside(diff);
  PrintOpByOp(ops);
}

// A plugin may be unable to compile what it selected op by op: that is told, and no error.
OpByOp DiffOpByOp(const SessionFlags& flags, SessionOptions options, const Model& given,
                  SignatureRunner& cpu) {
  options.one_op_per_partition = true;
  auto session = Session::Open(flags.model, options);
  if (!session) return {.diff = {}, .why_not = session.Error().Message()};
  if (std::string reason = (*session)->placement().fallback_reason; !reason.empty())
    return {.diff = {}, .why_not = reason};
  auto runner = (*session)->Runner(flags.signature);
  if (!runner) return {.diff = {}, .why_not = runner.Error().Message()};
  if (auto filled = flags.inputs.Fill(**runner, (*session)->model()); !filled)
    return {.diff = {}, .why_not = filled.Error().Message()};
  auto diff = DiffRuns(given, cpu, **runner);
  if (!diff) return {.diff = {}, .why_not = diff.Error().Message()};
  return {.diff = std::move(*diff), .why_not = {}};
}

// Everything after the arguments are read.
int DiffModel(SessionFlags& flags) {
  int failure = kDone;
  auto options = ReadOptions(flags, failure);
  if (!options) return failure;
  options->keep_intermediates = true;
  SessionOptions cpu_options = *options;
  cpu_options.plugin_dir.clear();
  cpu_options.dispatch_dir.clear();
  auto plain = LoadModel(flags.model);
  if (!plain) return Fail(kNotLoaded, plain.Error());
  if (HasDispatchOps(**plain)) {
    return Fail(kWrongUsage, flags.model +
                                 ": is compiled, and so has nothing that the CPU could "
                                 "compute: give the model that it was compiled from");
  }
  if (auto there = Session::CheckResizes(**plain, options->resizes); !there)
    return Fail(kWrongUsage, there.Error());
  // Its warnings are among the other's.
  auto cpu = Session::Create(std::move(*plain), cpu_options);
  if (!cpu) return Fail(kNotLoaded, fmt::format("{}: {}", flags.model, cpu.Error().Message()));
  options->jit = true;
  // A plugin that does not know it compiles all the same; then there is nothing to see inside its
  // partitions.
  options->placement.specs.push_back({.plugin = {},
                                      .partition = {},
                                      .spec = {NPUKIT_SPEC_KEEP_INTERMEDIATES, {'1'}},
                                      .where = "diff",
                                      .is_optional = true});
  std::optional<Progress> progress(std::in_place);
  progress->Show("compiling and loading");
  const std::unique_ptr<Session> npu = OpenAndWarn(flags.model, *options, failure);
  if (npu == nullptr) return failure;
  if (const SessionPlacement& placement = npu->placement(); !placement.fallback_reason.empty()) {
    const ExitCode code = CodeOfFallback(placement.fallback);
    return Fail(code == kDone ? kFailed : code, "nothing to compare: " + placement.fallback_reason);
  }
  if (auto met = CheckRequirement(flags, *npu); !met) return Fail(kFailed, met.Error());
  auto cpu_runner = (*cpu)->Runner(flags.signature);
  if (!cpu_runner) return Fail(kWrongUsage, cpu_runner.Error());
  auto npu_runner = npu->Runner(flags.signature);
  if (!npu_runner) return Fail(kNotLoaded, npu_runner.Error());
  if (auto filled = flags.inputs.Fill(**cpu_runner, (*cpu)->model()); !filled)
    return Fail(kWrongUsage, filled.Error());
  if (auto filled = flags.inputs.Fill(**npu_runner, npu->model()); !filled)
    return Fail(kWrongUsage, filled.Error());
  progress->Show("running on the CPU and the NPU");
  auto diff = DiffRuns((*cpu)->model(), **cpu_runner, **npu_runner);
  if (!diff) return Fail(kFailed, diff.Error());
  progress->Show("op by op, each compiled by itself");
  const OpByOp ops = DiffOpByOp(flags, *options, (*cpu)->model(), **cpu_runner);
  progress.reset();
  PrintDiff(flags, *diff, ops, npu->placement());
  if (auto closed = npu->Close(); !closed) return Fail(kFailed, closed.Error());
  const size_t beyond = diff->CountBeyond() + ops.diff.CountBeyond();
  if (beyond == 0) return kDone;
  return Fail(kFailed, fmt::format("{} of the NPU {} beyond the bounds",
                                   beyond == 1 ? "1 value" : fmt::format("{} values", beyond),
                                   beyond == 1 ? "lies" : "lie"));
}

}  // namespace

int Diff(CommandLine& line, int argc, char** argv) {
  SessionFlags flags;
  flags.AddTo(line);
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (const auto wrong = flags.device.CheckFolders(flags.plugin_dir)) return *wrong;
  return OnDevice(flags, [&] { return DiffModel(flags); });
}

}  // namespace npukit::tools

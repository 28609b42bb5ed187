// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/guarded_replay.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/metadata/delegate_metadata.h"

namespace npukit::conformance {
namespace {

// Other bytes than AttachedInvocation fills outputs with by itself.
constexpr uint8_t kOutputFill = 0xc3;

// Runs of an invocation, after its first: what engines and threads of a device do in another order, or
// what a run leaves behind, shows in one of the next ones.
constexpr size_t kRunsAgain = 2;

struct Buffers {
  GuardedMemory::At at = GuardedMemory::At::kEnd;
  std::vector<SharedPort> shared;
  size_t runs_again = 0;
};

litert::Expected<ObservedRun::Call> ReplayOp(Workbench& bench, const SignatureRunner& runner,
                                             const Op& call, const std::vector<uint8_t>& module,
                                             const Model& bodies, const Subgraph& body,
                                             const Buffers& buffers) {
  ObservedRun::Call observed;
  observed.ran = true;
  observed.entry_point = call.dispatch->entry_point;
  PartitionSource source;
  source.body = &body;
  source.bodies = &bodies;
  source.module = &module;
  source.entry_point = observed.entry_point;
  LITERT_ASSIGN_OR_RETURN(source.ports, PortsOf(body));
  for (const Tensor* input : call.inputs) {
    const std::span<const uint8_t> values = runner.TensorBytes(*input);
    observed.inputs.emplace_back(values.begin(), values.end());
  }
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  LITERT_ASSIGN_OR_RETURN(const auto loaded,
                          PartitionInvocation::Load(*device, source, buffers.at, buffers.shared));
  LITERT_ASSIGN_OR_RETURN(observed.outputs, loaded->Run(observed.inputs, kOutputFill));
  for (size_t run = 0; run < buffers.runs_again; ++run) {
    LITERT_ASSIGN_OR_RETURN(observed.again.emplace_back(),
                            loaded->Run(observed.inputs, kOutputFill));
  }
  LITERT_ASSIGN_OR_RETURN(observed.stray, loaded->attached().StrayWrite());
  if (!observed.stray.empty()) return observed;
  LITERT_RETURN_IF_ERROR(loaded->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return observed;
}

// `choose` gives the buffers of an op, or none if it is not to be run.
litert::Expected<ObservedRun> Replay(
    Workbench& bench, const Session& session, const SignatureRunner& runner, const Model& bodies,
    const std::function<std::optional<Buffers>(const Op&)>& choose) {
  ObservedRun run;
  bool is_clean = true;
  const std::vector<const Op*> calls = DispatchOpsOf(session, runner);
  for (size_t i = 0; i < calls.size(); ++i) {
    ObservedRun::Call& observed = run.calls.emplace_back();
    if (calls[i] == nullptr || !is_clean) continue;
    const std::optional<Buffers> buffers = choose(*calls[i]);
    if (!buffers) continue;
    const auto bytes = session.model().buffers().Get(calls[i]->dispatch->bytecode).bytes;
    const std::vector<uint8_t> module(bytes.begin(), bytes.end());
    LITERT_ASSIGN_OR_RETURN(
        observed, ReplayOp(bench, runner, *calls[i], module, bodies, bodies.subgraph(i), *buffers));
    is_clean = observed.stray.empty();
    // The session's own run has them.
    observed.inputs.clear();
  }
  return run;
}

std::string OtherValues(const ObservedRun::Call& call, const ObservedRun::Call& again,
                        std::string_view where) {
  const std::string name = "'" + again.entry_point + "' ";
  if (!again.stray.empty()) return name + again.stray;
  const std::string difference = OutputDifference(call.outputs, again.outputs);
  if (difference.empty()) return {};
  return fmt::format("{}gives other values for the same inputs {}: {}", name, where, difference);
}

// Buffers whose ends are guarded see more than one run.
size_t RunsAgain(GuardedMemory::At at) { return at == GuardedMemory::At::kEnd ? kRunsAgain : 0; }

std::string AgainProblem(const ObservedRun::Call& call, size_t runs) {
  if (call.again.size() != runs)
    return fmt::format("'{}' was not run {} times", call.entry_point, runs + 1);
  for (size_t i = 0; i < runs; ++i) {
    const std::string difference = OutputDifference(call.outputs, call.again[i]);
    if (difference.empty()) continue;
    return fmt::format("'{}' gives other values for the same inputs in run {} of {}: {}",
                       call.entry_point, i + 2, runs + 1, difference);
  }
  return {};
}

}  // namespace

litert::Expected<ObservedRun> ReplayGuarded(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies,
                                            GuardedMemory::At at) {
  return Replay(bench, session, runner, bodies, [at](const Op&) {
    return Buffers{.at = at, .shared = {}, .runs_again = RunsAgain(at)};
  });
}

litert::Expected<ObservedRun> ReplayInPlace(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<DelegateRecord> delegates,
                          ReadDelegates(session.model()));
  return Replay(bench, session, runner, bodies, [&](const Op& op) -> std::optional<Buffers> {
    const DelegateRecord* record = FindDelegate(delegates, op);
    if (record == nullptr || record->in_place.empty()) return std::nullopt;
    Buffers buffers;
    for (const DelegateRecord::InPlace& pair : record->in_place)
      buffers.shared.push_back({static_cast<int>(pair.output), static_cast<int>(pair.input)});
    return buffers;
  });
}

std::string GuardedProblem(const ObservedRun& run, const ObservedRun& guarded,
                           GuardedMemory::At at) {
  if (run.calls.size() != guarded.calls.size()) return "another number of partitions";
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const ObservedRun::Call& again = guarded.calls[i];
    if (!run.calls[i].ran) continue;
    if (!again.ran) return fmt::format("partition {} was not run between guard pages", i);
    std::string problem = OtherValues(run.calls[i], again, "in other buffers");
    if (problem.empty()) problem = AgainProblem(again, RunsAgain(at));
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string InPlaceProblem(const ObservedRun& run, const ObservedRun& in_place) {
  if (run.calls.size() != in_place.calls.size()) return "another number of partitions";
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const ObservedRun::Call& again = in_place.calls[i];
    if (!run.calls[i].ran || !again.ran) continue;
    std::string problem = OtherValues(run.calls[i], again,
                                      "where an output is an input's buffer, as it says it may be");
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/guarded_replay.h"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// Other bytes than AttachedInvocation fills outputs with by itself.
constexpr uint8_t kOutputFill = 0xc3;

litert::Expected<ObservedRun::Call> ReplayOp(Workbench& bench, const SignatureRunner& runner,
                                             const Op& call, const std::vector<uint8_t>& module,
                                             const Model& bodies, const Subgraph& body,
                                             GuardedMemory::At at) {
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
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source, at));
  LITERT_ASSIGN_OR_RETURN(observed.outputs, loaded->Run(observed.inputs, kOutputFill));
  LITERT_ASSIGN_OR_RETURN(observed.stray, loaded->attached().StrayWrite());
  if (!observed.stray.empty()) return observed;
  LITERT_RETURN_IF_ERROR(loaded->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return observed;
}

}  // namespace

litert::Expected<ObservedRun> ReplayGuarded(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies,
                                            GuardedMemory::At at) {
  ObservedRun run;
  bool is_clean = true;
  const std::vector<const Op*> calls = DispatchOpsOf(session, runner);
  for (size_t i = 0; i < calls.size(); ++i) {
    ObservedRun::Call& observed = run.calls.emplace_back();
    if (calls[i] == nullptr || !is_clean) continue;
    const auto bytes = session.model().buffers().Get(calls[i]->dispatch->bytecode).bytes;
    const std::vector<uint8_t> module(bytes.begin(), bytes.end());
    LITERT_ASSIGN_OR_RETURN(
        observed, ReplayOp(bench, runner, *calls[i], module, bodies, bodies.subgraph(i), at));
    is_clean = observed.stray.empty();
    // The session's own run has them.
    observed.inputs.clear();
  }
  return run;
}

std::string GuardedProblem(const ObservedRun& run, const ObservedRun& guarded) {
  if (run.calls.size() != guarded.calls.size()) return "another number of partitions";
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const ObservedRun::Call& again = guarded.calls[i];
    if (!run.calls[i].ran) continue;
    const std::string name = "'" + again.entry_point + "' ";
    if (!again.stray.empty()) return name + again.stray;
    if (!again.ran) return fmt::format("partition {} was not run between guard pages", i);
    const std::string difference = OutputDifference(run.calls[i].outputs, again.outputs);
    if (!difference.empty())
      return name + "gives other values for the same inputs in other buffers: " + difference;
  }
  return {};
}

}  // namespace npukit::conformance

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

litert::Expected<SeenRun::Call> ReplayOp(Workbench& bench, const SignatureRunner& runner,
                                         const Op& call, const std::vector<uint8_t>& module,
                                         const Model& bodies, const Subgraph& body,
                                         GuardedMemory::At at) {
  SeenRun::Call seen;
  seen.ran = true;
  seen.entry_point = call.dispatch->entry_point;
  PartitionSource source;
  source.body = &body;
  source.bodies = &bodies;
  source.module = &module;
  source.entry_point = seen.entry_point;
  LITERT_ASSIGN_OR_RETURN(source.ports, PortsOf(body));
  for (const Tensor* input : call.inputs) {
    const std::span<const uint8_t> values = runner.TensorBytes(*input);
    seen.inputs.emplace_back(values.begin(), values.end());
  }
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source, at));
  LITERT_ASSIGN_OR_RETURN(seen.outputs, loaded->Run(seen.inputs, kOutputFill));
  LITERT_ASSIGN_OR_RETURN(seen.stray, loaded->attached().StrayWrite());
  if (!seen.stray.empty()) return seen;
  LITERT_RETURN_IF_ERROR(loaded->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return seen;
}

}  // namespace

litert::Expected<SeenRun> ReplayGuarded(Workbench& bench, const Session& session,
                                        const SignatureRunner& runner, const Model& bodies,
                                        GuardedMemory::At at) {
  SeenRun run;
  bool is_clean = true;
  const std::vector<const Op*> calls = DispatchOpsOf(session, runner);
  for (size_t i = 0; i < calls.size(); ++i) {
    SeenRun::Call& seen = run.calls.emplace_back();
    if (calls[i] == nullptr || !is_clean) continue;
    const auto bytes = session.model().buffers().Get(calls[i]->dispatch->bytecode).bytes;
    const std::vector<uint8_t> module(bytes.begin(), bytes.end());
    LITERT_ASSIGN_OR_RETURN(
        seen, ReplayOp(bench, runner, *calls[i], module, bodies, bodies.subgraph(i), at));
    is_clean = seen.stray.empty();
    // The session's own run has them.
    seen.inputs.clear();
  }
  return run;
}

std::string GuardedProblem(const SeenRun& run, const SeenRun& guarded) {
  if (run.calls.size() != guarded.calls.size()) return "another number of partitions";
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const SeenRun::Call& again = guarded.calls[i];
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

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

litert::Expected<std::string> ReplayOp(Workbench& bench, const SignatureRunner& runner,
                                       const Op& call, const std::vector<uint8_t>& module,
                                       const Model& bodies, const Subgraph& body,
                                       GuardedMemory::At at) {
  PartitionSource source;
  source.body = &body;
  source.bodies = &bodies;
  source.module = &module;
  source.entry_point = call.dispatch->entry_point;
  LITERT_ASSIGN_OR_RETURN(source.ports, PortsOf(body));
  InputSet inputs;
  for (const Tensor* input : call.inputs) {
    const std::span<const uint8_t> values = runner.TensorBytes(*input);
    inputs.emplace_back(values.begin(), values.end());
  }
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source, at));
  LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded->Run(inputs, kOutputFill));
  const std::string stray = loaded->attached().StrayWrite();
  if (!stray.empty()) return "'" + source.entry_point + "' " + stray;
  LITERT_RETURN_IF_ERROR(loaded->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  OutputSet before;
  for (const Tensor* output : call.outputs) {
    const std::span<const uint8_t> values = runner.TensorBytes(*output);
    before.emplace_back(values.begin(), values.end());
  }
  const std::string difference = OutputDifference(before, outputs);
  if (difference.empty()) return difference;
  return fmt::format("'{}' gives other values for the same inputs in other buffers: {}",
                     source.entry_point, difference);
}

}  // namespace

litert::Expected<std::string> ReplayGuarded(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies,
                                            GuardedMemory::At at) {
  const std::vector<const Op*> calls = DispatchOpsOf(session, runner);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] == nullptr) continue;
    const auto bytes = session.model().buffers().Get(calls[i]->dispatch->bytecode).bytes;
    const std::vector<uint8_t> module(bytes.begin(), bytes.end());
    LITERT_ASSIGN_OR_RETURN(std::string problem, ReplayOp(bench, runner, *calls[i], module, bodies,
                                                          bodies.subgraph(i), at));
    if (!problem.empty()) return problem;
  }
  return std::string();
}

}  // namespace npukit::conformance

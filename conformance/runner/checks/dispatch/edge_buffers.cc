// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on buffers bound to the edges of graphs. Libraries that report none are
// passed over.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/dispatch/graph_bench.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {
constexpr uint8_t kEdgeFill = 0xa5;

// What came of runs with a buffer on the inner edge, and without it.
struct ObservedEdge {
  std::vector<std::string> taken;  // wrong calls that were not refused
  OutputSet attached;
  OutputSet asynchronous;  // with it; empty where the library has no such runs
  OutputSet detached;
  OutputSet edge;  // the buffer's bytes after each of the two runs
  static auto Fields(auto& self) {
    return std::tie(self.taken, self.attached, self.asynchronous, self.detached, self.edge);
  }
};

std::vector<std::string> TryWrongEdges(const DispatchExtras& extras,
                                       LiteRtDispatchInvocationContext context,
                                       LiteRtTensorBufferHandle handle) {
  const struct {
    const char* name;
    DispatchExtras::BindEdge bind;
    LiteRtDispatchInvocationContext context;
    LiteRtDispatchEdgeId edge;
    LiteRtTensorBufferHandle handle;
  } calls[] = {
      {"attach_edge_buffer(unknown edge)", extras.attach_edge_buffer, context, 99, handle},
      {"attach_edge_buffer(unknown buffer)", extras.attach_edge_buffer, context, kInnerEdge,
       handle + 1000},
      {"attach_edge_buffer(null)", extras.attach_edge_buffer, nullptr, kInnerEdge, handle},
      {"detach_edge_buffer(unknown edge)", extras.detach_edge_buffer, context, 99, handle},
      {"detach_edge_buffer(null)", extras.detach_edge_buffer, nullptr, kInnerEdge, handle}};
  std::vector<std::string> taken;
  for (const auto& call : calls) {
    if (VendorCall(call.name, call.bind, call.context, call.edge, call.handle) == kLiteRtStatusOk)
      taken.emplace_back(call.name);
  }
  return taken;
}

litert::Expected<ObservedEdge> TryEdge(VendorDevice& device, const PartitionSource& source,
                                       const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  GraphBench graph(device, bytecode);
  MakeChain(graph, source);
  LITERT_ASSIGN_OR_RETURN(const auto invocation, graph.MakeInvocation());
  LITERT_ASSIGN_OR_RETURN(const auto ports, AttachedInvocation::Create(*invocation, source.ports));
  const DispatchPort& between = source.ports.back();  // the output: the edge is of its type
  LITERT_ASSIGN_OR_RETURN(
      const auto buffer,
      VendorBuffer::Create(device, between.type, between.dense_bytes,
                           LITERT_HOST_MEMORY_BUFFER_ALIGNMENT, GuardedMemory::At::kEnd));
  // One byte.
  LiteRtRankedTensorType tiny = {.element_type = kLiteRtElementTypeInt8, .layout = {}};
  tiny.layout.rank = 1;
  tiny.layout.dimensions[0] = 1;
  LITERT_ASSIGN_OR_RETURN(const auto too_small,
                          VendorBuffer::Create(device, tiny, 1, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT,
                                               GuardedMemory::At::kEnd));
  const std::span<uint8_t> bytes = buffer->bytes();
  const DispatchExtras& extras = device.library().tables().extras;
  ObservedEdge observed;
  observed.taken = TryWrongEdges(extras, invocation->context(), buffer->handle());
  constexpr char kTooSmall[] = "attach_edge_buffer(too small a buffer)";
  if (between.dense_bytes > 1 &&
      VendorCall(kTooSmall, extras.attach_edge_buffer, invocation->context(), kInnerEdge,
                 too_small->handle()) == kLiteRtStatusOk) {
    observed.taken.emplace_back(kTooSmall);
  }
  const auto run = [&](const char* name, DispatchExtras::BindEdge bind,
                       OutputSet& outputs) -> litert::Expected<void> {
    const LiteRtStatus status =
        VendorCall(name, bind, invocation->context(), kInnerEdge, buffer->handle());
    if (status != kLiteRtStatusOk) return CallFailed(name, status);
    std::fill(bytes.begin(), bytes.end(), kEdgeFill);
    LITERT_ASSIGN_OR_RETURN(outputs, ports->Run(inputs));
    observed.edge.emplace_back(bytes.begin(), bytes.end());
    return {};
  };
  LITERT_RETURN_IF_ERROR(run("attach_edge_buffer", extras.attach_edge_buffer, observed.attached));
  if (RunsAsynchronously(device, source)) {
    ports->WriteAll(inputs);
    LITERT_ASSIGN_OR_RETURN(const RunEvents events, StartRun(*invocation, source.num_outputs()));
    LITERT_RETURN_IF_ERROR(WaitForAll(events));
    observed.asynchronous = ports->ReadAll();
  }
  LITERT_RETURN_IF_ERROR(run("detach_edge_buffer", extras.detach_edge_buffer, observed.detached));
  LITERT_RETURN_IF_ERROR(ports->Close());
  LITERT_RETURN_IF_ERROR(invocation->Close());
  LITERT_RETURN_IF_ERROR(buffer->Close());
  LITERT_RETURN_IF_ERROR(too_small->Close());
  LITERT_RETURN_IF_ERROR(graph.Close());
  return observed;
}

}  // namespace

CheckAnswer edge_buffers(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(
        const bool binds_edges,
        Witness::Get().Observe<bool>("edge buffers", [&]() -> litert::Expected<bool> {
          // A bit of its own, without a name in the headers before those of September 2026.
          constexpr int kEdgeBufferBinding = 8;
          const DispatchExtras& extras = device->library().tables().extras;
          return HasGraphs(*device) &&
                 (device->library().capabilities() & kEdgeBufferBinding) != 0 &&
                 extras.attach_edge_buffer != nullptr && extras.detach_edge_buffer != nullptr;
        }));
    if (!binds_edges) return CheckReport::Skip("the library reports no buffers for edges");
    if (!IsChainable(source))
      return CheckReport::Skip("its output does not fit its input: no edge lies between two of it");
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(const OutputSet twice,
                            RunFresh(bench, source, InputSet(fresh.outputs[0])));
    LITERT_ASSIGN_OR_RETURN(
        const ObservedEdge observed,
        Witness::Get().Observe<ObservedEdge>("a graph with a buffer on an edge", [&] {
          return TryEdge(*device, source, fresh.inputs[0]);
        }));
    NPUKIT_CHECK_THAT(observed.taken.empty(),
                      fmt::format("{} was taken", fmt::join(observed.taken, ", ")));
    std::string difference = OutputDifference(twice, observed.attached);
    NPUKIT_CHECK_THAT(difference.empty(), "a graph with a buffer on an edge: " + difference);
    if (!observed.asynchronous.empty()) difference = OutputDifference(twice, observed.asynchronous);
    NPUKIT_CHECK_THAT(difference.empty(),
                      "an asynchronous graph with a buffer on an edge: " + difference);
    difference = OutputDifference(twice, observed.detached);
    NPUKIT_CHECK_THAT(difference.empty(), "a graph with the buffer detached: " + difference);
    NPUKIT_CHECK_THAT(observed.edge.size() == 2, "other than two runs are told");
    NPUKIT_CHECK_THAT(observed.edge[0] == fresh.outputs[0][0],
                      "the buffer on an edge does not hold what went over it");
    const bool is_left = std::all_of(observed.edge[1].begin(), observed.edge[1].end(),
                                     [](uint8_t b) { return b == kEdgeFill; });
    NPUKIT_CHECK_THAT(is_left, "the buffer of an edge was written once it was detached");
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs of a partition's executable, made call by call through a vendor's table.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_GRAPH_BENCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_GRAPH_BENCH_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance::checks::dispatch {

bool HasGraphs(const VendorDevice& device);

// A graph under construction, with the executable of a partition. Keeps the first call that failed.
class GraphBench {
 public:
  GraphBench(VendorDevice& device, const Bytecode& bytecode);
  ~GraphBench() { (void)Close(); }

  template <typename Function, typename... Args>
  void Call(const char* name, Function function, Args... args) {
    if (!failed_.empty()) return;
    const LiteRtStatus status = VendorCall(name, function, args...);
    if (status != kLiteRtStatusOk) failed_ = std::string(name) + " gave " + StatusText(status);
  }
  // A call that must be refused.
  template <typename Function, typename... Args>
  void Refuse(const char* name, Function function, Args... args) {
    if (!failed_.empty()) return;
    if (VendorCall(name, function, args...) == kLiteRtStatusOk) taken_.emplace_back(name);
  }

  // A node of the partition's entry point; its edges are added.
  void AddNode(LiteRtDispatchNodeId node, const PartitionSource& source,
               const std::vector<LiteRtDispatchEdgeId>& inputs,
               const std::vector<LiteRtDispatchEdgeId>& outputs);
  void Connect(const std::vector<LiteRtDispatchEdgeId>& inputs,
               const std::vector<LiteRtDispatchEdgeId>& outputs);

  litert::Expected<std::unique_ptr<VendorInvocation>> MakeInvocation();

  litert::Expected<void> Result() const {
    if (failed_.empty()) return {};
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, failed_);
  }
  litert::Expected<void> Close();

  // Calls that were not refused.
  const std::vector<std::string>& taken() const { return taken_; }
  const LiteRtDispatchGraphInterface& table() const { return table_; }
  LiteRtDispatchGraph graph() const { return graph_; }
  LiteRtDispatchExecutableHandle executable() const { return executable_; }

 private:
  VendorDevice& device_;
  const LiteRtDispatchGraphInterface& table_;
  LiteRtDispatchGraph graph_ = nullptr;
  LiteRtDispatchExecutableHandle executable_ = 0;
  std::vector<LiteRtDispatchEdgeId> edges_;
  std::string failed_;
  std::vector<std::string> taken_;
};

// Consecutive ids.
std::vector<LiteRtDispatchEdgeId> Edges(size_t first, size_t count);

// The graph closes itself with its context.
litert::Expected<OutputSet> RunGraph(GraphBench& graph, const PartitionSource& source,
                                     const InputSet& inputs);

// Whether its output may be its input.
bool IsChainable(const PartitionSource& source);

// A graph of the partition alone.
void MakeSingle(GraphBench& graph, const PartitionSource& source);

// Two nodes of the partition, one after the other, with an edge between them.
inline constexpr LiteRtDispatchEdgeId kInnerEdge = 11;
void MakeChain(GraphBench& graph, const PartitionSource& source);

}  // namespace npukit::conformance::checks::dispatch

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_GRAPH_BENCH_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on graphs of executables. Libraries that report none are passed over.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/dispatch/graph_bench.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr char kNoGraphs[] = "the library reports no graphs";

litert::Expected<OutputSet> RunOnce(VendorDevice& device, const PartitionSource& source,
                                    const InputSet& inputs,
                                    void (*make)(GraphBench&, const PartitionSource&)) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  GraphBench graph(device, bytecode);
  make(graph, source);
  LITERT_ASSIGN_OR_RETURN(OutputSet outputs, RunGraph(graph, source, inputs));
  LITERT_RETURN_IF_ERROR(graph.Close());
  return outputs;
}

// The wrong calls that were not refused.
litert::Expected<std::vector<std::string>> TryWrongCalls(VendorDevice& device,
                                                         const PartitionSource& source) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  GraphBench g(device, bytecode);
  const LiteRtDispatchGraphInterface& t = g.table();
  const LiteRtDispatchGraph graph = g.graph();
  const auto npu = kLiteRtDispatchNodeTypeNpu;
  const char* function = source.entry_point.c_str();
  LiteRtDispatchInvocationContext context = nullptr;
  const auto refuse_whole = [&](const char* what) {
    g.Refuse(what, t.invocation_context_create_from_graph, device.context(), graph, &context);
  };
  refuse_whole("invocation_context_create_from_graph(no node)");
  g.Call("add_node", t.add_node, graph, LiteRtDispatchNodeId{1}, npu);
  g.Refuse("add_node(taken id)", t.add_node, graph, LiteRtDispatchNodeId{1}, npu);
  g.Refuse("add_node(null graph)", t.add_node, LiteRtDispatchGraph{}, LiteRtDispatchNodeId{2}, npu);
  g.Call("add_edge", t.add_edge, graph, LiteRtDispatchEdgeId{1});
  g.Refuse("add_edge(taken id)", t.add_edge, graph, LiteRtDispatchEdgeId{1});
  g.Refuse("connect_node_input(unknown node)", t.connect_node_input, graph, LiteRtDispatchNodeId{9},
           0, LiteRtDispatchEdgeId{1});
  g.Refuse("connect_node_output(unknown edge)", t.connect_node_output, graph,
           LiteRtDispatchNodeId{1}, 0, LiteRtDispatchEdgeId{9});
  g.Refuse("connect_graph_input(unknown edge)", t.connect_graph_input, graph, 0,
           LiteRtDispatchEdgeId{9});
  g.Refuse("connect_graph_output(unknown edge)", t.connect_graph_output, graph, 0,
           LiteRtDispatchEdgeId{9});
  g.Refuse("assign_node_function(unknown node)", t.assign_node_function, graph,
           LiteRtDispatchNodeId{9}, g.executable(), function);
  refuse_whole("invocation_context_create_from_graph(a node without a function)");
  g.Call("assign_node_function", t.assign_node_function, graph, LiteRtDispatchNodeId{1},
         g.executable(), function);
  refuse_whole("invocation_context_create_from_graph(nothing connected)");
  g.Refuse("annotate_node(unknown node)", t.annotate_node, graph, LiteRtDispatchNodeId{9}, "key",
           "value");
  g.Call("annotate_graph", t.annotate_graph, graph, "key", "value");
  g.Refuse("graph_destroy(null)", t.graph_destroy, LiteRtDispatchGraph{});
  g.Refuse("graph_create(null)", t.graph_create, device.context(), nullptr);
  LITERT_RETURN_IF_ERROR(g.Close());
  return g.taken();
}

litert::Expected<bool> SeesGraphs(const VendorDevice& device) {
  return Witness::Get().Observe<bool>(
      "graphs", [&]() -> litert::Expected<bool> { return HasGraphs(device); });
}

}  // namespace

CheckAnswer graph(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    Witness& witness = Witness::Get();
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool has_graphs, SeesGraphs(*device));
    if (!has_graphs) return CheckReport::Skip(kNoGraphs);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(const OutputSet one,
                            witness.Observe<OutputSet>("a graph of one node", [&] {
                              return RunOnce(*device, source, fresh.inputs[0], MakeSingle);
                            }));
    std::string difference = OutputDifference(fresh.outputs[0], one);
    NPUKIT_CHECK_THAT(difference.empty(), "a graph of one node: " + difference);
    if (IsChainable(source)) {
      LITERT_ASSIGN_OR_RETURN(const OutputSet twice,
                              RunFresh(bench, source, InputSet(fresh.outputs[0])));
      LITERT_ASSIGN_OR_RETURN(const OutputSet two,
                              witness.Observe<OutputSet>("a graph of two nodes", [&] {
                                return RunOnce(*device, source, fresh.inputs[0], MakeChain);
                              }));
      difference = OutputDifference(twice, two);
      NPUKIT_CHECK_THAT(difference.empty(), "a graph of two nodes: " + difference);
    }
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer graph_bounds(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool has_graphs, SeesGraphs(*device));
    if (!has_graphs) return CheckReport::Skip(kNoGraphs);
    LITERT_ASSIGN_OR_RETURN(
        const std::vector<std::string> taken,
        Witness::Get().Observe<std::vector<std::string>>(
            "wrong calls of a graph", [&] { return TryWrongCalls(*device, source); }));
    NPUKIT_CHECK_THAT(taken.empty(), fmt::format("{} was taken", fmt::join(taken, ", ")));
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch

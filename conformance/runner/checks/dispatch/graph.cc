// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on graphs of executables. Libraries that report none are passed over.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr char kNoGraphs[] = "the library reports no graphs";

bool HasGraphs(const VendorDevice& device) {
  return (device.library().capabilities() & kLiteRtDispatchCapabilitiesGraph) != 0 &&
         device.library().tables().graph != nullptr;
}

// A graph under construction, with the executable of a partition. Keeps the first call that failed.
class GraphBench {
 public:
  GraphBench(VendorDevice& device, const Bytecode& bytecode)
      : device_(device), table_(*device.library().tables().graph) {
    Call("graph_create", table_.graph_create, device.context(), &graph_);
    Call("load_executable", table_.load_executable, device.context(),
         kLiteRtDispatchExecutableTypeMlModel, &bytecode.buffer(), &executable_);
  }
  ~GraphBench() { (void)Close(); }

  template <typename Function, typename... Args>
  void Call(const char* name, Function function, Args... args) {
    if (!failed_.empty()) return;
    const LiteRtStatus status = VendorCall(name, function, args...);
    if (status != kLiteRtStatusOk) failed_ = std::string(name) + " gave " + StatusText(status);
  }
  // Whether a call that must be refused was.
  template <typename Function, typename... Args>
  void Refuse(const char* name, Function function, Args... args) {
    if (!failed_.empty()) return;
    if (VendorCall(name, function, args...) == kLiteRtStatusOk)
      failed_ = std::string(name) + " was taken";
  }

  // A node of the partition's entry point; its edges are added.
  void AddNode(LiteRtDispatchNodeId node, const PartitionSource& source,
               const std::vector<LiteRtDispatchEdgeId>& inputs,
               const std::vector<LiteRtDispatchEdgeId>& outputs) {
    Call("add_node", table_.add_node, graph_, node, kLiteRtDispatchNodeTypeNpu);
    for (const auto* edges : {&inputs, &outputs}) {
      for (LiteRtDispatchEdgeId edge : *edges) {
        if (std::count(edges_.begin(), edges_.end(), edge) != 0) continue;
        Call("add_edge", table_.add_edge, graph_, edge);
        edges_.push_back(edge);
      }
    }
    for (size_t i = 0; i < inputs.size(); ++i)
      Call("connect_node_input", table_.connect_node_input, graph_, node, static_cast<int>(i),
           inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      Call("connect_node_output", table_.connect_node_output, graph_, node, static_cast<int>(i),
           outputs[i]);
    Call("assign_node_function", table_.assign_node_function, graph_, node, executable_,
         source.entry_point.c_str());
  }
  void Connect(const std::vector<LiteRtDispatchEdgeId>& inputs,
               const std::vector<LiteRtDispatchEdgeId>& outputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      Call("connect_graph_input", table_.connect_graph_input, graph_, static_cast<int>(i),
           inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      Call("connect_graph_output", table_.connect_graph_output, graph_, static_cast<int>(i),
           outputs[i]);
  }

  litert::Expected<std::unique_ptr<VendorInvocation>> MakeInvocation() {
    LiteRtDispatchInvocationContext context = nullptr;
    Call("invocation_context_create_from_graph", table_.invocation_context_create_from_graph,
         device_.context(), graph_, &context);
    LiteRtDispatchGraph graph = nullptr;
    Call("invocation_context_get_graph", table_.invocation_context_get_graph, context, &graph);
    LITERT_RETURN_IF_ERROR(Result());
    if (context == nullptr || graph != graph_) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                "the graph gave no context, or the context another graph");
    }
    return VendorInvocation::Adopt(device_, context);
  }

  litert::Expected<void> Result() const {
    if (failed_.empty()) return {};
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, failed_);
  }
  litert::Expected<void> Close() {
    if (graph_ != nullptr)
      Call("graph_destroy", table_.graph_destroy, std::exchange(graph_, nullptr));
    if (executable_ != 0)
      Call("unload_executable", table_.unload_executable, device_.context(),
           std::exchange(executable_, 0));
    return Result();
  }

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
};

std::vector<LiteRtDispatchEdgeId> Edges(size_t first, size_t count) {
  std::vector<LiteRtDispatchEdgeId> edges;
  for (size_t i = 0; i < count; ++i) edges.push_back(first + i);
  return edges;
}

litert::Expected<OutputSet> RunGraph(GraphBench& graph, const PartitionSource& source,
                                     const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, graph.MakeInvocation());
  LITERT_ASSIGN_OR_RETURN(const auto attached,
                          AttachedInvocation::Create(*invocation, source.ports));
  LITERT_ASSIGN_OR_RETURN(OutputSet outputs, attached->Run(inputs));
  LITERT_RETURN_IF_ERROR(attached->Close());
  LITERT_RETURN_IF_ERROR(invocation->Close());
  return outputs;
}

// Its output may be its input.
bool IsChainable(const PartitionSource& source) {
  if (source.num_inputs() != 1 || source.num_outputs() != 1) return false;
  const Tensor& in = *source.body->inputs[0];
  const Tensor& out = *source.body->outputs[0];
  return in.element_type == out.element_type && in.shape == out.shape;
}

}  // namespace

CheckAnswer graph(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    if (!HasGraphs(*device)) return CheckReport::Skip(kNoGraphs);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    {
      GraphBench one(*device, bytecode);
      const auto inputs = Edges(0, source.num_inputs());
      const auto outputs = Edges(inputs.size(), source.num_outputs());
      one.AddNode(1, source, inputs, outputs);
      one.Connect(inputs, outputs);
      LITERT_ASSIGN_OR_RETURN(const OutputSet got, RunGraph(one, source, fresh.inputs[0]));
      const std::string difference = OutputDifference(fresh.outputs[0], got);
      NPUKIT_CHECK_THAT(difference.empty(), "a graph of one node: " + difference);
      LITERT_RETURN_IF_ERROR(one.Close());
    }
    if (IsChainable(source)) {
      LITERT_ASSIGN_OR_RETURN(const OutputSet twice,
                              RunFresh(bench, source, InputSet(fresh.outputs[0])));
      GraphBench two(*device, bytecode);
      two.AddNode(5, source, {11}, {12});
      two.AddNode(4, source, {10}, {11});
      two.Connect({10}, {12});
      LITERT_ASSIGN_OR_RETURN(const OutputSet got, RunGraph(two, source, fresh.inputs[0]));
      const std::string difference = OutputDifference(twice, got);
      NPUKIT_CHECK_THAT(difference.empty(), "a graph of two nodes: " + difference);
      LITERT_RETURN_IF_ERROR(two.Close());
    }
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer graph_bounds(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    if (!HasGraphs(*device)) return CheckReport::Skip(kNoGraphs);
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    GraphBench g(*device, bytecode);
    const LiteRtDispatchGraphInterface& t = g.table();
    const LiteRtDispatchGraph graph = g.graph();
    const auto npu = kLiteRtDispatchNodeTypeNpu;
    const char* function = source.entry_point.c_str();
    LiteRtDispatchInvocationContext context = nullptr;
    const auto refuse_whole = [&](const char* what) {
      g.Refuse(what, t.invocation_context_create_from_graph, device->context(), graph, &context);
    };
    refuse_whole("invocation_context_create_from_graph(no node)");
    g.Call("add_node", t.add_node, graph, LiteRtDispatchNodeId{1}, npu);
    g.Refuse("add_node(taken id)", t.add_node, graph, LiteRtDispatchNodeId{1}, npu);
    g.Refuse("add_node(null graph)", t.add_node, LiteRtDispatchGraph{}, LiteRtDispatchNodeId{2},
             npu);
    g.Call("add_edge", t.add_edge, graph, LiteRtDispatchEdgeId{1});
    g.Refuse("add_edge(taken id)", t.add_edge, graph, LiteRtDispatchEdgeId{1});
    g.Refuse("connect_node_input(unknown node)", t.connect_node_input, graph,
             LiteRtDispatchNodeId{9}, 0, LiteRtDispatchEdgeId{1});
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
    g.Refuse("graph_create(null)", t.graph_create, device->context(), nullptr);
    LITERT_RETURN_IF_ERROR(g.Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/dispatch/graph_bench.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {

bool HasGraphs(const VendorDevice& device) {
  return (device.library().capabilities() & kLiteRtDispatchCapabilitiesGraph) != 0 &&
         device.library().tables().graph != nullptr;
}

GraphBench::GraphBench(VendorDevice& device, const Bytecode& bytecode)
    : device_(device), table_(*device.library().tables().graph) {
  Call("graph_create", table_.graph_create, device.context(), &graph_);
  Call("load_executable", table_.load_executable, device.context(),
       kLiteRtDispatchExecutableTypeMlModel, &bytecode.buffer(), &executable_);
}

void GraphBench::AddNode(LiteRtDispatchNodeId node, const PartitionSource& source,
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

void GraphBench::Connect(const std::vector<LiteRtDispatchEdgeId>& inputs,
                         const std::vector<LiteRtDispatchEdgeId>& outputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    Call("connect_graph_input", table_.connect_graph_input, graph_, static_cast<int>(i), inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    Call("connect_graph_output", table_.connect_graph_output, graph_, static_cast<int>(i),
         outputs[i]);
}

litert::Expected<std::unique_ptr<VendorInvocation>> GraphBench::MakeInvocation() {
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

litert::Expected<void> GraphBench::Close() {
  if (graph_ != nullptr)
    Call("graph_destroy", table_.graph_destroy, std::exchange(graph_, nullptr));
  if (executable_ != 0)
    Call("unload_executable", table_.unload_executable, device_.context(),
         std::exchange(executable_, 0));
  return Result();
}

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

bool IsChainable(const PartitionSource& source) {
  if (source.num_inputs() != 1 || source.num_outputs() != 1) return false;
  const Tensor& in = *source.body->inputs[0];
  const Tensor& out = *source.body->outputs[0];
  return in.element_type == out.element_type && in.shape == out.shape;
}

void MakeChain(GraphBench& graph, const PartitionSource& source) {
  // The node that runs last is added first: only the edge between them says in which order they
  // run.
  graph.AddNode(5, source, {kInnerEdge}, {12});
  graph.AddNode(4, source, {10}, {kInnerEdge});
  graph.Connect({10}, {12});
}

void MakeSingle(GraphBench& graph, const PartitionSource& source) {
  const auto inputs = Edges(0, source.num_inputs());
  const auto outputs = Edges(inputs.size(), source.num_outputs());
  graph.AddNode(1, source, inputs, outputs);
  graph.Connect(inputs, outputs);
}

}  // namespace npukit::conformance::checks::dispatch

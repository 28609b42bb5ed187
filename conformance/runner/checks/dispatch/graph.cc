// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on graphs of executables. Libraries that report none are passed over.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/byte_text.h"
#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
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

// Two nodes of the partition, one after the other; edge 11 lies between them.
constexpr LiteRtDispatchEdgeId kInnerEdge = 11;
void MakeChain(GraphBench& graph, const PartitionSource& source) {
  graph.AddNode(5, source, {kInnerEdge}, {12});
  graph.AddNode(4, source, {10}, {kInnerEdge});
  graph.Connect({10}, {12});
}

constexpr uint8_t kEdgeFill = 0xa5;

// What came of runs with a buffer on the inner edge, and without it.
struct SeenEdge {
  std::vector<std::string> taken;  // wrong calls that were not refused
  OutputSet attached;
  OutputSet asynchronous;  // with it; empty where the library has no such runs
  OutputSet detached;
  OutputSet edge;  // the buffer's bytes after each of the two runs
  void WriteTo(ByteWriter& writer) const {
    writer.Put(taken);
    writer.Put(attached);
    writer.Put(asynchronous);
    writer.Put(detached);
    writer.Put(edge);
  }
  bool ReadFrom(ByteReader& reader) {
    return reader.Get(taken) && reader.Get(attached) && reader.Get(asynchronous) &&
           reader.Get(detached) && reader.Get(edge);
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

litert::Expected<SeenEdge> TryEdge(VendorDevice& device, const PartitionSource& source,
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
  SeenEdge seen;
  seen.taken = TryWrongEdges(extras, invocation->context(), buffer->handle());
  constexpr char kTooSmall[] = "attach_edge_buffer(too small a buffer)";
  if (between.dense_bytes > 1 &&
      VendorCall(kTooSmall, extras.attach_edge_buffer, invocation->context(), kInnerEdge,
                 too_small->handle()) == kLiteRtStatusOk) {
    seen.taken.emplace_back(kTooSmall);
  }
  const auto run = [&](const char* name, DispatchExtras::BindEdge bind,
                       OutputSet& outputs) -> litert::Expected<void> {
    const LiteRtStatus status =
        VendorCall(name, bind, invocation->context(), kInnerEdge, buffer->handle());
    if (status != kLiteRtStatusOk) return CallFailed(name, status);
    std::fill(bytes.begin(), bytes.end(), kEdgeFill);
    LITERT_ASSIGN_OR_RETURN(outputs, ports->Run(inputs));
    seen.edge.emplace_back(bytes.begin(), bytes.end());
    return {};
  };
  LITERT_RETURN_IF_ERROR(run("attach_edge_buffer", extras.attach_edge_buffer, seen.attached));
  if (RunsAsynchronously(device, source)) {
    ports->WriteAll(inputs);
    LITERT_ASSIGN_OR_RETURN(const RunEvents events, StartRun(*invocation, source.num_outputs()));
    LITERT_RETURN_IF_ERROR(WaitForAll(events));
    seen.asynchronous = ports->ReadAll();
  }
  LITERT_RETURN_IF_ERROR(run("detach_edge_buffer", extras.detach_edge_buffer, seen.detached));
  LITERT_RETURN_IF_ERROR(ports->Close());
  LITERT_RETURN_IF_ERROR(invocation->Close());
  LITERT_RETURN_IF_ERROR(buffer->Close());
  LITERT_RETURN_IF_ERROR(too_small->Close());
  LITERT_RETURN_IF_ERROR(graph.Close());
  return seen;
}

}  // namespace

CheckAnswer edge_buffers(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(
        const uint64_t binds_edges,
        Witness::Get().See<uint64_t>("edge buffers", [&]() -> litert::Expected<uint64_t> {
          // A bit of its own, without a name in the headers before those of September 2026.
          constexpr int kEdgeBufferBinding = 8;
          const DispatchExtras& extras = device->library().tables().extras;
          return uint64_t{
              HasGraphs(*device) && (device->library().capabilities() & kEdgeBufferBinding) != 0 &&
              extras.attach_edge_buffer != nullptr && extras.detach_edge_buffer != nullptr};
        }));
    if (binds_edges == 0) return CheckReport::Skip("the library reports no buffers for edges");
    if (!IsChainable(source))
      return CheckReport::Skip("its output does not fit its input: no edge lies between two of it");
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(const OutputSet twice,
                            RunFresh(bench, source, InputSet(fresh.outputs[0])));
    LITERT_ASSIGN_OR_RETURN(const SeenEdge seen,
                            Witness::Get().See<SeenEdge>("a graph with a buffer on an edge", [&] {
                              return TryEdge(*device, source, fresh.inputs[0]);
                            }));
    NPUKIT_CHECK_THAT(seen.taken.empty(), fmt::format("{} was taken", fmt::join(seen.taken, ", ")));
    std::string difference = OutputDifference(twice, seen.attached);
    NPUKIT_CHECK_THAT(difference.empty(), "a graph with a buffer on an edge: " + difference);
    if (!seen.asynchronous.empty()) difference = OutputDifference(twice, seen.asynchronous);
    NPUKIT_CHECK_THAT(difference.empty(),
                      "an asynchronous graph with a buffer on an edge: " + difference);
    difference = OutputDifference(twice, seen.detached);
    NPUKIT_CHECK_THAT(difference.empty(), "a graph with the buffer detached: " + difference);
    NPUKIT_CHECK_THAT(seen.edge.size() == 2, "other than two runs are told");
    NPUKIT_CHECK_THAT(seen.edge[0] == fresh.outputs[0][0],
                      "the buffer on an edge does not hold what went over it");
    const bool is_left = std::all_of(seen.edge[1].begin(), seen.edge[1].end(),
                                     [](uint8_t b) { return b == kEdgeFill; });
    NPUKIT_CHECK_THAT(is_left, "the buffer of an edge was written once it was detached");
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

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
      MakeChain(two, source);
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

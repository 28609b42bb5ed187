// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_graph.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/cc/litert_macros.h"

using EdgeOfPort = std::map<int, LiteRtDispatchEdgeId>;

class LiteRtDispatchGraphT {
 public:
  struct Node {
    LiteRtDispatchNodeId id = 0;
    EdgeOfPort inputs;
    EdgeOfPort outputs;
    std::optional<LiteRtDispatchExecutableHandle> executable;
    std::string function;
  };
  std::vector<Node> nodes;  // in the order in which they were added
  std::set<LiteRtDispatchEdgeId> edges;
  EdgeOfPort inputs;
  EdgeOfPort outputs;

  Node* Find(LiteRtDispatchNodeId id) {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.id == id; });
    return found == nodes.end() ? nullptr : &*found;
  }
};

namespace npukit::conformance::mimic {
namespace {

using Node = LiteRtDispatchGraphT::Node;
constexpr LiteRtStatus kInvalid = kLiteRtStatusErrorInvalidArgument;

std::mutex graphs_mutex;
std::set<LiteRtDispatchGraph> graphs;
std::map<LiteRtDispatchExecutableHandle, std::vector<uint8_t>> executables;
LiteRtDispatchExecutableHandle next_executable = 1;

bool IsGraph(LiteRtDispatchGraph graph) {
  if (graph == nullptr && Has(Fault::graph_null_crash)) return true;
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  return graphs.contains(graph);
}

litert::Unexpected Incomplete(const char* why) { return litert::Unexpected(kInvalid, why); }

// -- Running

// Ports 0 to count - 1, each once.
bool IsDense(const EdgeOfPort& ports) {
  return ports.empty() ||
         (ports.begin()->first == 0 && ports.rbegin()->first == static_cast<int>(ports.size()) - 1);
}

class GraphComputation : public Computation {
 public:
  struct Step {
    std::unique_ptr<Program> program;
    EdgeOfPort inputs;
    EdgeOfPort outputs;
    LiteRtTensorBufferHandle scratchpad = 0;  // 0: none
  };
  GraphComputation(std::vector<Step> steps, EdgeOfPort inputs, EdgeOfPort outputs)
      : steps_(std::move(steps)), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  size_t num_inputs() const override { return inputs_.size(); }
  size_t num_outputs() const override { return outputs_.size(); }
  size_t InputBytes(size_t index) const override {
    const auto port = inputs_.find(static_cast<int>(index));
    return port == inputs_.end() ? 0 : EdgeBytes(port->second, /*is_written=*/false);
  }
  size_t OutputBytes(size_t index) const override {
    const auto port = outputs_.find(static_cast<int>(index));
    return port == outputs_.end() ? 0 : EdgeBytes(port->second, /*is_written=*/true);
  }
  uint64_t runs() const override { return runs_; }
  std::vector<uint64_t> Scratchpads() const override {
    std::vector<uint64_t> handles;
    for (const Step& step : steps_) {
      if (step.scratchpad != 0) handles.push_back(step.scratchpad);
    }
    return handles;
  }
  void UseScratchpads(const std::vector<uint8_t*>& memory) override { scratchpads_ = memory; }
  LiteRtStatus BindEdge(uint64_t edge, std::span<uint8_t> memory) override {
    if (!IsInner(edge) && !Has(Fault::queried_edge_unknown)) return kInvalid;
    if (!memory.empty()) {
      const size_t needed = EdgeBytes(edge, /*is_written=*/true);
      if (memory.size() < needed && !Has(Fault::queried_edge_too_small)) return kInvalid;
      bound_[edge] = memory.data();
    } else if (!Has(Fault::queried_edge_stays_bound)) {
      bound_.erase(edge);
    }
    return kLiteRtStatusOk;
  }

  LiteRtStatus Run(const std::vector<uint8_t*>& inputs,
                   const std::vector<uint8_t*>& outputs) override {
    ++runs_;
    std::map<LiteRtDispatchEdgeId, uint8_t*> memory;
    for (const auto& [port, edge] : inputs_) memory[edge] = inputs[static_cast<size_t>(port)];
    for (const auto& [port, edge] : outputs_) {
      auto index = static_cast<size_t>(port);
      if (Has(Fault::graph_outputs_reversed)) index = outputs.size() - 1 - index;
      memory[edge] = outputs[index];
    }
    std::map<LiteRtDispatchEdgeId, std::vector<uint8_t>> between;
    for (const Step& step : steps_) {
      for (const auto& [port, edge] : step.outputs) {
        if (memory.contains(edge)) continue;
        between[edge].resize(step.program->OutputBytes(static_cast<size_t>(port)));
        const bool is_bound = bound_.contains(edge) && !Has(Fault::queried_edge_unused);
        memory[edge] = is_bound ? bound_.at(edge) : between[edge].data();
      }
    }
    const auto pointers = [&](const EdgeOfPort& ports) {
      std::vector<uint8_t*> all;
      for (const auto& [port, edge] : ports) all.push_back(memory[edge]);
      return all;
    };
    size_t next_scratchpad = 0;
    for (const Step& step : steps_) {
      uint8_t* const scratchpad = step.scratchpad != 0 ? scratchpads_[next_scratchpad++] : nullptr;
      const LiteRtStatus status =
          RunStep(*step.program, scratchpad, pointers(step.inputs), pointers(step.outputs));
      if (status != kLiteRtStatusOk) return status;
    }
    return kLiteRtStatusOk;
  }

 private:
  // Computes in the scratchpad, if there is one, what then goes to the outputs.
  static LiteRtStatus RunStep(Program& program, uint8_t* scratchpad,
                              const std::vector<uint8_t*>& inputs,
                              const std::vector<uint8_t*>& outputs) {
    if (scratchpad == nullptr || Has(Fault::queried_scratchpad_unused))
      return program.Run(inputs, outputs);
    std::vector<uint8_t*> within;
    size_t size_bytes = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      within.push_back(scratchpad + size_bytes);
      size_bytes += program.OutputBytes(i);
    }
    const std::vector<uint8_t> before(scratchpad, scratchpad + size_bytes);
    const LiteRtStatus status = program.Run(inputs, within);
    for (size_t i = 0; i < size_bytes && Has(Fault::queried_scratchpad_wants_zeros); ++i)
      scratchpad[i] ^= before[i];
    if (Has(Fault::queried_scratchpad_overrun)) scratchpad[size_bytes] = 0;
    for (size_t i = 0; i < outputs.size(); ++i)
      std::copy_n(within[i], program.OutputBytes(i), outputs[i]);
    return status;
  }

  bool IsInner(LiteRtDispatchEdgeId wanted) const {
    const auto leads_out = [&](const EdgeOfPort& ports) {
      return std::any_of(ports.begin(), ports.end(),
                         [&](const auto& port) { return port.second == wanted; });
    };
    if (leads_out(inputs_) || leads_out(outputs_)) return false;
    return std::any_of(steps_.begin(), steps_.end(),
                       [&](const Step& step) { return leads_out(step.outputs); });
  }
  size_t EdgeBytes(LiteRtDispatchEdgeId wanted, bool is_written) const {
    for (const Step& step : steps_) {
      for (const auto& [port, edge] : is_written ? step.outputs : step.inputs) {
        if (edge != wanted) continue;
        const auto index = static_cast<size_t>(port);
        return is_written ? step.program->OutputBytes(index) : step.program->InputBytes(index);
      }
    }
    return 0;
  }

  std::vector<Step> steps_;  // in the order in which they run
  const EdgeOfPort inputs_;
  const EdgeOfPort outputs_;
  std::map<LiteRtDispatchEdgeId, uint8_t*> bound_;
  std::vector<uint8_t*> scratchpads_;  // of those steps that have one
  uint64_t runs_ = 0;
};

// Each after those whose results it reads. Null entries are not there; fewer than given: a tensor
// has no producer, or there is a cycle.
std::vector<const Node*> InOrder(const LiteRtDispatchGraphT& graph) {
  std::set<LiteRtDispatchEdgeId> known;
  for (const auto& [port, edge] : graph.inputs) known.insert(edge);
  std::vector<const Node*> order;
  std::set<const Node*> done;
  for (bool again = true; again;) {
    again = false;
    for (const Node& node : graph.nodes) {
      const bool is_ready =
          std::all_of(node.inputs.begin(), node.inputs.end(),
                      [&](const auto& port) { return known.contains(port.second); });
      if (!is_ready || !done.insert(&node).second) continue;
      order.push_back(&node);
      for (const auto& [port, edge] : node.outputs) known.insert(edge);
      again = true;
    }
  }
  if (!Has(Fault::graph_in_order_of_adding)) return order;
  order.clear();
  for (const Node& node : graph.nodes) order.push_back(&node);
  return order;
}

bool HasOutputs(const LiteRtDispatchGraphT& graph) {
  std::set<LiteRtDispatchEdgeId> written;
  for (const Node& node : graph.nodes) {
    for (const auto& [port, edge] : node.outputs) written.insert(edge);
  }
  return !graph.outputs.empty() &&
         std::all_of(graph.outputs.begin(), graph.outputs.end(),
                     [&](const auto& port) { return written.contains(port.second); });
}

// -- Making

LiteRtStatus GraphCreate(LiteRtDispatchDeviceContext device, LiteRtDispatchGraph* graph) {
  if (device == nullptr || graph == nullptr) return kInvalid;
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  *graph = new LiteRtDispatchGraphT;
  graphs.insert(*graph);
  return kLiteRtStatusOk;
}

LiteRtStatus GraphDestroy(LiteRtDispatchGraph graph) {
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  if (graphs.erase(graph) == 0) return kInvalid;
  delete graph;
  return kLiteRtStatusOk;
}

LiteRtStatus AddNode(LiteRtDispatchGraph graph, LiteRtDispatchNodeId id, LiteRtDispatchNodeType) {
  if (!IsGraph(graph)) return kInvalid;
  if (graph->Find(id) != nullptr)
    return Has(Fault::graph_ids_unchecked) ? kLiteRtStatusOk : kInvalid;
  graph->nodes.push_back({.id = id, .inputs = {}, .outputs = {}, .executable = {}, .function = {}});
  return kLiteRtStatusOk;
}

LiteRtStatus AddEdge(LiteRtDispatchGraph graph, LiteRtDispatchEdgeId edge) {
  if (!IsGraph(graph)) return kInvalid;
  const bool is_new = graph->edges.insert(edge).second;
  return is_new || Has(Fault::graph_ids_unchecked) ? kLiteRtStatusOk : kInvalid;
}

LiteRtStatus Connect(const LiteRtDispatchGraphT& graph, EdgeOfPort& ports, int index,
                     LiteRtDispatchEdgeId edge) {
  const bool is_known = graph.edges.contains(edge) || Has(Fault::graph_unknown_edges);
  if (index < 0 || !is_known) return kInvalid;
  return ports.emplace(index, edge).second ? kLiteRtStatusOk : kInvalid;
}

template <EdgeOfPort Node::*kPorts>
LiteRtStatus ConnectNode(LiteRtDispatchGraph graph, LiteRtDispatchNodeId id, int index,
                         LiteRtDispatchEdgeId edge) {
  if (!IsGraph(graph)) return kInvalid;
  Node* node = graph->Find(id);
  return node == nullptr ? kInvalid : Connect(*graph, node->*kPorts, index, edge);
}

template <EdgeOfPort LiteRtDispatchGraphT::*kPorts>
LiteRtStatus ConnectGraph(LiteRtDispatchGraph graph, int index, LiteRtDispatchEdgeId edge) {
  return IsGraph(graph) ? Connect(*graph, graph->*kPorts, index, edge) : kInvalid;
}

LiteRtStatus LoadExecutable(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType,
                            const LiteRtMemBuffer* bytecode,
                            LiteRtDispatchExecutableHandle* handle) {
  if (device == nullptr || bytecode == nullptr || bytecode->base_addr == nullptr ||
      handle == nullptr) {
    return kInvalid;
  }
  const auto* begin = static_cast<const uint8_t*>(bytecode->base_addr) + bytecode->offset;
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  *handle = next_executable++;
  executables[*handle].assign(begin, begin + bytecode->size);
  return kLiteRtStatusOk;
}

LiteRtStatus UnloadExecutable(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableHandle handle) {
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  return executables.erase(handle) == 1 ? kLiteRtStatusOk : kInvalid;
}

LiteRtStatus AssignFunction(LiteRtDispatchGraph graph, LiteRtDispatchNodeId id,
                            LiteRtDispatchExecutableHandle executable, const char* function) {
  if (!IsGraph(graph) || function == nullptr) return kInvalid;
  Node* node = graph->Find(id);
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  if (node == nullptr || !executables.contains(executable)) return kInvalid;
  node->executable = executable;
  node->function = function;
  return kLiteRtStatusOk;
}

LiteRtStatus AnnotateGraph(LiteRtDispatchGraph graph, const char*, const char*) {
  return IsGraph(graph) ? kLiteRtStatusOk : kInvalid;
}

LiteRtStatus AnnotateNode(LiteRtDispatchGraph graph, LiteRtDispatchNodeId id, const char*,
                          const char*) {
  return IsGraph(graph) && graph->Find(id) != nullptr ? kLiteRtStatusOk : kInvalid;
}

LiteRtStatus AnnotateEdge(LiteRtDispatchGraph graph, LiteRtDispatchEdgeId edge, const char*,
                          const char*) {
  return IsGraph(graph) && graph->edges.contains(edge) ? kLiteRtStatusOk : kInvalid;
}

}  // namespace

LiteRtDispatchGraphInterface GraphFunctions() {
  LiteRtDispatchGraphInterface table = {};
  table.graph_create = GraphCreate;
  table.graph_destroy = GraphDestroy;
  table.add_node = AddNode;
  table.add_edge = AddEdge;
  table.connect_node_input = ConnectNode<&Node::inputs>;
  table.connect_node_output = ConnectNode<&Node::outputs>;
  table.connect_graph_input = ConnectGraph<&LiteRtDispatchGraphT::inputs>;
  table.connect_graph_output = ConnectGraph<&LiteRtDispatchGraphT::outputs>;
  table.load_executable = LoadExecutable;
  table.unload_executable = UnloadExecutable;
  table.assign_node_function = AssignFunction;
  table.annotate_graph = AnnotateGraph;
  table.annotate_node = AnnotateNode;
  table.annotate_edge = AnnotateEdge;
  return table;
}

std::optional<std::vector<uint8_t>> BytecodeOf(LiteRtDispatchExecutableHandle executable) {
  const std::lock_guard<std::mutex> lock(graphs_mutex);
  const auto found = executables.find(executable);
  if (found == executables.end()) return std::nullopt;
  return found->second;
}

litert::Expected<std::unique_ptr<Computation>> LoadGraph(LiteRtDispatchGraph graph) {
  if (!IsGraph(graph)) return Incomplete("no graph");
  if (graph->nodes.empty()) return Incomplete("no node");
  for (const Node& node : graph->nodes) {
    if (node.executable) continue;
    if (!Has(Fault::graph_without_functions)) return Incomplete("a node without a function");
    return std::make_unique<GraphComputation>(std::vector<GraphComputation::Step>(), graph->inputs,
                                              graph->outputs);
  }
  const std::vector<const Node*> order = InOrder(*graph);
  if (order.size() != graph->nodes.size() || !HasOutputs(*graph) || !IsDense(graph->inputs) ||
      !IsDense(graph->outputs)) {
    return Incomplete("not connected");
  }
  std::vector<GraphComputation::Step> steps;
  for (const Node* node : order) {
    if (!IsDense(node->inputs) || !IsDense(node->outputs)) return Incomplete("not connected");
    const auto bytecode = BytecodeOf(*node->executable);
    if (!bytecode) return Incomplete("its executable was unloaded");
    LITERT_ASSIGN_OR_RETURN(auto program, Program::Load(*bytecode, node->function.c_str(),
                                                        node->inputs.size(), node->outputs.size()));
    steps.push_back({std::move(program), node->inputs, node->outputs,
                     ScratchpadOf(*node->executable, node->function)});
  }
  return std::make_unique<GraphComputation>(std::move(steps), graph->inputs, graph->outputs);
}

}  // namespace npukit::conformance::mimic

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_DISPATCH_GRAPH_H_
#define NPUKIT_INTERNAL_DISPATCH_DISPATCH_GRAPH_H_

// A graph of executables as a host builds it, and the plan that it makes when
// it is whole.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Not thread-safe.
class DispatchGraph {
 public:
  using Id = uint64_t;
  using Annotations = std::map<std::string, std::string>;
  using Ports = std::map<int, Id>;  // edge by index

  struct Node {
    LiteRtDispatchNodeType type = kLiteRtDispatchNodeTypeUnknown;
    Ports inputs;
    Ports outputs;
    bool is_assigned = false;
    uint64_t executable = 0;
    std::string function;
    Annotations annotations;
  };
  struct Edge {
    int producers = 0;
    int consumers = 0;
    Annotations annotations;
  };

  ::litert::Expected<void> AddNode(Id id, LiteRtDispatchNodeType type) {
    if (type != kLiteRtDispatchNodeTypeDsp && type != kLiteRtDispatchNodeTypeNpu) {
      return Error(::litert::Status::kErrorInvalidArgument,
                   {"node ", id, ": unknown type ", static_cast<int>(type)});
    }
    if (!nodes_.emplace(id, Node{}).second) return Taken({"node ", id});
    nodes_[id].type = type;
    return {};
  }
  ::litert::Expected<void> AddEdge(Id id) {
    if (!edges_.emplace(id, Edge{}).second) return Taken({"edge ", id});
    return {};
  }

  ::litert::Expected<void> ConnectNodeInput(Id node, int index, Id edge) {
    LITERT_ASSIGN_OR_RETURN(Node * found, FindNode(node));
    return Connect(found->inputs, index, edge, &Edge::consumers);
  }
  ::litert::Expected<void> ConnectNodeOutput(Id node, int index, Id edge) {
    LITERT_ASSIGN_OR_RETURN(Node * found, FindNode(node));
    return Connect(found->outputs, index, edge, &Edge::producers);
  }
  ::litert::Expected<void> ConnectInput(int index, Id edge) {
    return Connect(inputs_, index, edge, &Edge::producers);
  }
  ::litert::Expected<void> ConnectOutput(int index, Id edge) {
    return Connect(outputs_, index, edge, &Edge::consumers);
  }

  ::litert::Expected<void> Assign(Id node, uint64_t executable, const char* function) {
    LITERT_ASSIGN_OR_RETURN(Node * found, FindNode(node));
    found->is_assigned = true;
    found->executable = executable;
    found->function = function != nullptr ? function : "";
    return {};
  }

  ::litert::Expected<void> Annotate(const char* key, const char* value) {
    annotations_[key] = value;
    return {};
  }
  ::litert::Expected<void> AnnotateNode(Id node, const char* key, const char* value) {
    LITERT_ASSIGN_OR_RETURN(Node * found, FindNode(node));
    found->annotations[key] = value;
    return {};
  }
  ::litert::Expected<void> AnnotateEdge(Id edge, const char* key, const char* value) {
    LITERT_ASSIGN_OR_RETURN(Edge * found, FindEdge(edge));
    found->annotations[key] = value;
    return {};
  }

  const std::map<Id, Node>& nodes() const { return nodes_; }
  const Ports& inputs() const { return inputs_; }
  const Ports& outputs() const { return outputs_; }

  // The nodes in an order in which each comes after those it reads from. Errors: no node; a node
  // without a function; a gap between the indices of inputs or outputs; an edge that nobody writes
  // or nobody reads, or that goes straight from an input of the graph to an output; a cycle.
  ::litert::Expected<std::vector<Id>> Order() const {
    LITERT_RETURN_IF_ERROR(Check());
    std::vector<Id> order;
    std::map<Id, bool> is_ready;  // edges
    for (const auto& [index, edge] : inputs_) is_ready[edge] = true;
    std::map<Id, bool> is_placed;
    while (order.size() < nodes_.size()) {
      const size_t before = order.size();
      for (const auto& [id, node] : nodes_) {
        bool can_run = !is_placed[id];
        for (const auto& [index, edge] : node.inputs) can_run = can_run && is_ready[edge];
        if (!can_run) continue;
        for (const auto& [index, edge] : node.outputs) is_ready[edge] = true;
        is_placed[id] = true;
        order.push_back(id);
      }
      if (order.size() == before) return Bad({"the graph has a cycle"});
    }
    return order;
  }

 private:
  using Text = std::initializer_list<::litert::internal::TextPiece>;
  static ::litert::Unexpected Error(::litert::Status status, Text what) {
    return ::litert::Unexpected(status, ::litert::internal::Text(what));
  }
  static ::litert::Unexpected Bad(Text what) {
    return Error(::litert::Status::kErrorInvalidArgument, what);
  }
  static ::litert::Unexpected Taken(Text what) {
    return Error(::litert::Status::kErrorAlreadyExists,
                 {::litert::internal::Text(what), " is there already"});
  }

  ::litert::Expected<Node*> FindNode(Id id) {
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) return Error(::litert::Status::kErrorNotFound, {"no node ", id});
    return &found->second;
  }
  ::litert::Expected<Edge*> FindEdge(Id id) {
    const auto found = edges_.find(id);
    if (found == edges_.end()) return Error(::litert::Status::kErrorNotFound, {"no edge ", id});
    return &found->second;
  }

  ::litert::Expected<void> Connect(Ports& ports, int index, Id id, int Edge::*end) {
    LITERT_ASSIGN_OR_RETURN(Edge * edge, FindEdge(id));
    if (index < 0) return Error(::litert::Status::kErrorIndexOOB, {"no port ", index});
    if (end == &Edge::producers && edge->producers > 0) {
      return Bad({"edge ", id, " has a source already"});
    }
    if (!ports.emplace(index, id).second) return Taken({"port ", index});
    ++(edge->*end);
    return {};
  }

  static ::litert::Expected<void> CheckDense(const Ports& ports, const std::string& whose) {
    int next = 0;
    for (const auto& [index, edge] : ports) {
      if (index != next++) return Bad({whose, " ", next - 1, " is not connected"});
    }
    return {};
  }

  ::litert::Expected<void> Check() const {
    if (nodes_.empty()) return Bad({"the graph has no node"});
    LITERT_RETURN_IF_ERROR(CheckDense(inputs_, "input of the graph"));
    LITERT_RETURN_IF_ERROR(CheckDense(outputs_, "output of the graph"));
    for (const auto& [id, node] : nodes_) {
      const std::string name = ::litert::internal::Text({"node ", id});
      if (!node.is_assigned) return Bad({name, " has no function"});
      LITERT_RETURN_IF_ERROR(CheckDense(node.inputs, name + ": input"));
      LITERT_RETURN_IF_ERROR(CheckDense(node.outputs, name + ": output"));
    }
    for (const auto& [id, edge] : edges_) {
      if (edge.producers == 0) return Bad({"edge ", id, " has no source"});
      if (edge.consumers == 0) return Bad({"edge ", id, " leads nowhere"});
    }
    // GraphInvocation keeps one place for each edge, where it cannot be two ports of the graph.
    std::map<Id, int> seen;
    for (const auto& [index, edge] : inputs_) seen[edge] = 1;
    for (const auto& [index, edge] : outputs_) {
      if (seen[edge]++ > 0) {
        return Bad({"output ", index, " of the graph is an input or another output, edge ", edge});
      }
    }
    return {};
  }

  std::map<Id, Node> nodes_;
  std::map<Id, Edge> edges_;
  Ports inputs_;
  Ports outputs_;
  Annotations annotations_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_DISPATCH_GRAPH_H_

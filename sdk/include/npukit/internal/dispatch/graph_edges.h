// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_GRAPH_EDGES_H_
#define NPUKIT_INTERNAL_DISPATCH_GRAPH_EDGES_H_

// Where the edges of a graph of executables lie: an input or output of the
// graph, or memory between two nodes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The memory of edges.
using EdgeMemory = std::map<uint64_t, ::litert::internal::Span<uint8_t>>;

// Not thread-safe.
class GraphEdges {
 public:
  enum class Place { kInput, kOutput, kInner };

  void AddInput(uint64_t edge, size_t index) { edges_[edge] = {Place::kInput, index, {}}; }
  void AddOutput(uint64_t edge, size_t index) { edges_[edge] = {Place::kOutput, index, {}}; }
  void AddInner(uint64_t edge, size_t size_bytes) {
    edges_[edge] = {Place::kInner, 0, std::vector<uint8_t>(size_bytes)};
  }
  bool Has(uint64_t edge) const { return edges_.count(edge) > 0; }
  // `index` is that of the graph's inputs or outputs. The edge is there.
  bool IsAt(uint64_t edge, Place place, size_t index) const {
    const Edge& found = edges_.at(edge);
    return found.place == place && found.index == index;
  }
  std::map<uint64_t, size_t> BytesOfInner() const {
    std::map<uint64_t, size_t> bytes;
    for (const auto& [id, edge] : edges_) {
      if (edge.place == Place::kInner) bytes[id] = edge.memory.size();
    }
    return bytes;
  }

  // Memory of inner edges in place of their own, from the next run on.
  void Bind(EdgeMemory memory) { bound_ = std::move(memory); }

  InputView ToRead(uint64_t edge, InputViews inputs, OutputViews outputs) const {
    const Edge& found = edges_.at(edge);
    if (found.place == Place::kInput) return inputs[found.index];
    if (found.place == Place::kInner) return Inner<InputView>(edge, found);
    // An output of the graph that a later node reads as well.
    const OutputView& view = outputs[found.index];
    return InputView{view.data, view.size_bytes, view.type, view.registration};
  }
  OutputView ToWrite(uint64_t edge, OutputViews outputs) {
    Edge& found = edges_.at(edge);
    if (found.place == Place::kOutput) return outputs[found.index];
    return Inner<OutputView>(edge, found);
  }

 private:
  struct Edge {
    Place place = Place::kInner;
    size_t index = 0;             // of the graph's inputs or outputs
    std::vector<uint8_t> memory;  // of an inner edge
  };

  // The type of what lies between two nodes is known to them alone.
  template <class View, class Bytes>
  static View Untyped(Bytes& bytes) {
    return View{bytes.data(), bytes.size(), ::litert::RankedTensorType(LiteRtRankedTensorType{}),
                0};
  }
  template <class View, class Own>
  View Inner(uint64_t edge, Own& own) const {
    const auto bound = bound_.find(edge);
    return bound != bound_.end() ? Untyped<View>(bound->second) : Untyped<View>(own.memory);
  }

  std::map<uint64_t, Edge> edges_;
  EdgeMemory bound_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_GRAPH_EDGES_H_

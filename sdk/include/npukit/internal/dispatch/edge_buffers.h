// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_EDGE_BUFFERS_H_
#define NPUKIT_INTERNAL_DISPATCH_EDGE_BUFFERS_H_

// The tensor buffers that a host binds to inner edges of a graph, in place of
// the memory that the library has between nodes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/internal/dispatch/attached_buffers.h"
#include "npukit/internal/dispatch/graph_edges.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Not thread-safe.
class EdgeBuffers {
 public:
  EdgeBuffers() = default;
  explicit EdgeBuffers(std::map<uint64_t, size_t> bytes_of_edge)
      : bytes_of_edge_(std::move(bytes_of_edge)) {}

  // In place of the one that it may have.
  ::litert::Expected<void> Attach(uint64_t edge, uint64_t handle, size_t size_bytes) {
    LITERT_RETURN_IF_ERROR(CheckEdge(edge));
    const size_t needed = bytes_of_edge_.at(edge);
    if (size_bytes < needed) {
      return ::litert::Unexpected(
          ::litert::Status::kErrorInvalidArgument,
          ::litert::internal::Text(
              {"edge ", edge, " takes ", needed, " bytes, the tensor buffer has ", size_bytes}));
    }
    handles_[edge] = handle;
    return {};
  }
  // What is attached elsewhere, or was replaced, stays as it is, as with inputs and outputs.
  ::litert::Expected<void> Detach(uint64_t edge, uint64_t handle) {
    LITERT_RETURN_IF_ERROR(CheckEdge(edge));
    if (IsAttached(edge, handle)) handles_.erase(edge);
    return {};
  }
  bool IsAttached(uint64_t edge, uint64_t handle) const {
    const auto found = handles_.find(edge);
    return found != handles_.end() && found->second == handle;
  }

  // The buffers that there are, in the order of their edges.
  Bindings bindings() const {
    Bindings bindings("buffer of an inner edge", handles_.size());
    int index = 0;
    for (const auto& [edge, handle] : handles_) (void)bindings.Attach(index++, handle);
    return bindings;
  }
  // Their memory, in that order, by edge.
  EdgeMemory ByEdge(const std::vector<BufferMemory>& memory) const {
    EdgeMemory by_edge;
    size_t index = 0;
    for (const auto& [edge, handle] : handles_) {
      by_edge[edge] = {static_cast<uint8_t*>(memory[index].data), bytes_of_edge_.at(edge)};
      ++index;
    }
    return by_edge;
  }

 private:
  ::litert::Expected<void> CheckEdge(uint64_t edge) const {
    if (bytes_of_edge_.count(edge) > 0) return {};
    return ::litert::Unexpected(
        ::litert::Status::kErrorNotFound,
        ::litert::internal::Text({"no inner edge ", edge, " in what the invocation runs"}));
  }

  std::map<uint64_t, size_t> bytes_of_edge_;
  std::map<uint64_t, uint64_t> handles_;  // by edge
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_EDGE_BUFFERS_H_

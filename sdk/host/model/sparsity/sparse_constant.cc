// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/sparsity/sparse_constant.h"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor_text.h"

namespace npukit {
namespace {

// Deeper trees than any tensor needs: the walk is recursive.
constexpr size_t kMaxLevels = 32;

// A level of the tree.
struct Level {
  int64_t count = 0;         // how many indices there are
  int64_t stride_elems = 0;  // between neighbours, in the dense tensor
  bool is_sparse = false;
  std::vector<int32_t> segments;
  std::vector<int32_t> indices;
};

litert::Unexpected Bad(const Tensor& tensor, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("{}: its sparsity: {}", TensorText(tensor), what));
}

std::vector<int32_t> Widened(const Sparsity::IndexVector& stored) {
  return std::visit(
      [](const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          return std::vector<int32_t>();
        } else {
          return std::vector<int32_t>(values.begin(), values.end());
        }
      },
      stored);
}

// Dimensions of the tensor come first, then those of a block; the places of both in traversal order.
litert::Expected<std::vector<size_t>> LevelOfDimension(const Tensor& tensor) {
  const Sparsity& sparsity = *tensor.sparsity;
  const size_t rank = tensor.shape.size();
  const size_t levels = rank + sparsity.block_map.size();
  if (levels > kMaxLevels || sparsity.dimensions.size() != levels ||
      sparsity.traversal_order.size() != levels) {
    return Bad(tensor, fmt::format("expected a traversal order and {} levels for rank {} with "
                                   "blocks of {}, found {} and {}",
                                   levels, rank, sparsity.block_map.size(),
                                   sparsity.traversal_order.size(), sparsity.dimensions.size()));
  }
  std::vector<size_t> level_of(levels, levels);
  for (size_t level = 0; level < levels; ++level) {
    const int32_t dim = sparsity.traversal_order[level];
    const bool is_block = level >= rank;
    if (dim < 0 || static_cast<size_t>(dim) >= levels ||
        level_of[static_cast<size_t>(dim)] != levels ||
        (static_cast<size_t>(dim) >= rank) != is_block) {
      return Bad(tensor, fmt::format("its traversal order has {} at {}", dim, level));
    }
    level_of[static_cast<size_t>(dim)] = level;
  }
  return level_of;
}

// How many indices each dimension of tensor and block has: a tensor's are those of whole blocks.
litert::Expected<std::vector<int64_t>> CountsOf(const Tensor& tensor,
                                                const std::vector<size_t>& level_of) {
  const Sparsity& sparsity = *tensor.sparsity;
  const size_t rank = tensor.shape.size();
  std::vector<int64_t> counts(tensor.shape.begin(), tensor.shape.end());
  for (size_t block = 0; block < sparsity.block_map.size(); ++block) {
    const int32_t mapped = sparsity.block_map[block];
    const int32_t size = sparsity.dimensions[level_of[rank + block]].dense_size;
    if (mapped < 0 || static_cast<size_t>(mapped) >= rank || size <= 0 ||
        counts[static_cast<size_t>(mapped)] % size != 0) {
      return Bad(tensor, fmt::format("blocks of {} along dimension {}", size, mapped));
    }
    counts[static_cast<size_t>(mapped)] /= size;
    counts.push_back(size);
  }
  return counts;
}

litert::Expected<void> CheckSparse(const Tensor& tensor, const Level& level, size_t place) {
  const auto& segments = level.segments;
  if (segments.empty() || segments.front() < 0)
    return Bad(tensor, fmt::format("level {} has no segments", place));
  for (size_t i = 1; i < segments.size(); ++i) {
    if (segments[i] < segments[i - 1])
      return Bad(tensor, fmt::format("segments of level {} go down at {}", place, i));
  }
  if (static_cast<size_t>(segments.back()) > level.indices.size()) {
    return Bad(tensor, fmt::format("segments of level {} end at {}, it has {} indices", place,
                                   segments.back(), level.indices.size()));
  }
  for (int32_t index : level.indices) {
    if (index < 0 || index >= level.count)
      return Bad(tensor,
                 fmt::format("level {} has index {}, outside [0,{})", place, index, level.count));
  }
  return {};
}

litert::Expected<std::vector<Level>> LevelsOf(const Tensor& tensor) {
  const Sparsity& sparsity = *tensor.sparsity;
  const size_t rank = tensor.shape.size();
  LITERT_ASSIGN_OR_RETURN(const std::vector<size_t> level_of, LevelOfDimension(tensor));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, CountsOf(tensor, level_of));
  std::vector<Level> levels(counts.size());
  int64_t stride_elems = 1;
  for (size_t dim = rank; dim-- > 0;) {
    // Within a dimension the last block's index moves by one element.
    int64_t within = stride_elems;
    for (size_t block = sparsity.block_map.size(); block-- > 0;) {
      if (static_cast<size_t>(sparsity.block_map[block]) != dim) continue;
      levels[level_of[rank + block]].stride_elems = within;
      within *= counts[rank + block];
    }
    levels[level_of[dim]].stride_elems = within;
    stride_elems *= tensor.shape[dim];
  }
  for (size_t place = 0; place < levels.size(); ++place) {
    Level& level = levels[place];
    const Sparsity::Dimension& stored = sparsity.dimensions[place];
    level.count = counts[static_cast<size_t>(sparsity.traversal_order[place])];
    level.is_sparse = stored.format == Sparsity::DimensionFormat::kSparseCsr;
    if (!level.is_sparse) {
      if (stored.dense_size != level.count) {
        return Bad(tensor, fmt::format("level {} is dense with {} indices, expected {}", place,
                                       stored.dense_size, level.count));
      }
      continue;
    }
    level.segments = Widened(stored.array_segments);
    level.indices = Widened(stored.array_indices);
    LITERT_RETURN_IF_ERROR(CheckSparse(tensor, level, place));
  }
  return levels;
}

class Walk {
 public:
  Walk(const std::vector<Level>& levels, std::span<const uint8_t> stored, size_t elem_bytes,
       std::vector<uint8_t>& dense)
      : levels_(levels), stored_(stored), elem_bytes_(elem_bytes), dense_(dense) {}

  // False if the tree has more or fewer leaves than elements are stored, or a level fewer nodes than
  // it needs.
  bool Run() { return Visit(0, 0, 0) && at_ == stored_.size(); }

 private:
  bool Visit(size_t place, int64_t node, int64_t elem) {
    if (place == levels_.size()) {
      if (stored_.size() - at_ < elem_bytes_) return false;
      std::memcpy(dense_.data() + static_cast<size_t>(elem) * elem_bytes_, stored_.data() + at_,
                  elem_bytes_);
      at_ += elem_bytes_;
      return true;
    }
    const Level& level = levels_[place];
    if (!level.is_sparse) {
      for (int64_t i = 0; i < level.count; ++i) {
        if (!Visit(place + 1, node * level.count + i, elem + i * level.stride_elems)) return false;
      }
      return true;
    }
    if (static_cast<size_t>(node) + 1 >= level.segments.size()) return false;
    const auto begin = static_cast<size_t>(level.segments[static_cast<size_t>(node)]);
    const auto end = static_cast<size_t>(level.segments[static_cast<size_t>(node) + 1]);
    for (size_t i = begin; i < end; ++i) {
      if (!Visit(place + 1, static_cast<int64_t>(i), elem + level.indices[i] * level.stride_elems))
        return false;
    }
    return true;
  }

  const std::vector<Level>& levels_;
  std::span<const uint8_t> stored_;
  size_t elem_bytes_;
  std::vector<uint8_t>& dense_;
  size_t at_ = 0;
};

}  // namespace

litert::Expected<std::vector<uint8_t>> DenseElements(const Tensor& tensor) {
  const int bits = ElementBits(tensor.element_type);
  const auto size_bytes = DenseBytes(tensor.element_type, tensor.shape);
  if (bits == 0 || bits % 8 != 0 || !size_bytes)
    return Bad(tensor, "elements that are whole bytes, and a known shape, are needed");
  LITERT_ASSIGN_OR_RETURN(const std::vector<Level> levels, LevelsOf(tensor));
  std::vector<uint8_t> dense;
  try {
    dense.resize(*size_bytes);
  } catch (const std::exception&) {  // a shape that a small file need not back
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              fmt::format("{}: does not fit into memory", TensorText(tensor)));
  }
  if (dense.empty()) return dense;
  const std::span<const uint8_t> stored = tensor.weights.bytes();
  if (!Walk(levels, stored, static_cast<size_t>(bits) / 8, dense).Run())
    return Bad(tensor,
               fmt::format("does not describe the {} bytes that are stored", stored.size()));
  return dense;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Quantisation and sparsity of a tensor, as the .tflite schema has them.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_QUANTIZATION_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_QUANTIZATION_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace npukit {

// Blockwise: scales (and zero points) lie in tensors of the same subgraph, named by index.
struct BlockwiseQuantization {
  int32_t scales_tensor = -1;
  int32_t zero_points_tensor = -1;
  int32_t block_size_elems = 0;
  bool operator==(const BlockwiseQuantization&) const = default;
};

// The same for several dimensions (schema of LiteRT v2.2.0). A block size of 0: per channel.
struct MultiAxisQuantization {
  int32_t scales_tensor = -1;
  int32_t zero_points_tensor = -1;
  int32_t block_size_elems = 0;
  std::vector<int32_t> quantized_dimensions;
  bool operator==(const MultiAxisQuantization&) const = default;
};

// No entry where the file has none. real = scale * (quantized - zero_point).
struct Quantization {
  using Blockwise = BlockwiseQuantization;
  using MultiAxis = MultiAxisQuantization;

  std::vector<float> min;    // calibration only
  std::vector<float> max;    // calibration only
  std::vector<float> scale;  // size 1: per tensor; size dims[quantized_dimension]: per channel
  std::vector<int64_t> zero_point;  // as many as scale, or empty for all zero
  int32_t quantized_dimension = 0;
  // At most one of the three.
  std::optional<Blockwise> blockwise;
  std::optional<MultiAxis> multi_axis;
  std::optional<std::vector<uint8_t>> custom;  // the schema's CustomQuantization, kept as bytes

  // Nothing is set.
  bool is_default() const {
    return min.empty() && max.empty() && scale.empty() && zero_point.empty() &&
           quantized_dimension == 0 && !blockwise && !multi_axis && !custom;
  }
  bool is_per_tensor() const { return scale.size() == 1; }
  bool is_per_channel() const { return scale.size() > 1; }
  // 0 where the file gives none.
  int64_t ZeroPointOf(size_t channel) const {
    if (zero_point.empty()) return 0;
    return zero_point[channel < zero_point.size() ? channel : 0];
  }
  bool operator==(const Quantization&) const = default;
};

// The schema's SparsityParameters, kept whole.
struct Sparsity {
  enum class DimensionFormat : int8_t { kDense = 0, kSparseCsr = 1 };
  using IndexVector = std::variant<std::monostate, std::vector<int32_t>, std::vector<uint16_t>,
                                   std::vector<uint8_t>>;
  struct Dimension {
    DimensionFormat format = DimensionFormat::kDense;
    int32_t dense_size = 0;
    IndexVector array_segments;
    IndexVector array_indices;
    bool operator==(const Dimension&) const = default;
  };
  std::vector<int32_t> traversal_order;
  std::vector<int32_t> block_map;
  std::vector<Dimension> dimensions;
  bool operator==(const Sparsity&) const = default;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_QUANTIZATION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Quantisation and sparsity of a tensor, as the .tflite schema has them.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_QUANTIZATION_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_QUANTIZATION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace npukit {

// What few tensors have: as std::optional, but without room for it in those that have none.
template <typename T>
class Rare {
 public:
  Rare() = default;
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: as optional's
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  Rare& operator=(T value) {
    value_ = std::make_unique<T>(std::move(value));
    return *this;
  }
  ~Rare() = default;

  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }
  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  bool operator==(const Rare& other) const {
    return has_value() == other.has_value() && (!has_value() || *value_ == *other.value_);
  }

 private:
  std::unique_ptr<T> value_;
};

// One zero point, or one for each channel; of channels that all have the same, which is the rule,
// one number is held.
class ZeroPoints {
 public:
  ZeroPoints() = default;
  ZeroPoints(std::initializer_list<int64_t> values) { Assign(values.begin(), values.size()); }
  ZeroPoints(const std::vector<int64_t>& values) {  // NOLINT: they are one
    Assign(values.data(), values.size());
  }

  ZeroPoints(size_t count, int64_t value) : size_(count), value_(value) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  int64_t operator[](size_t channel) const { return several_ ? (*several_)[channel] : value_; }
  // All of them where they differ, else null.
  std::vector<int64_t>* several() { return several_ ? &*several_ : nullptr; }
  std::vector<int64_t> ToVector() const {
    return several_ ? *several_ : std::vector<int64_t>(size_, value_);
  }
  bool operator==(const ZeroPoints&) const = default;

 private:
  void Assign(const int64_t* values, size_t count) {
    size_ = count;
    if (count == 0) return;
    value_ = values[0];
    const auto differs = [this](int64_t value) { return value != value_; };
    if (std::any_of(values, values + count, differs))
      several_.emplace().assign(values, values + count);
  }

  size_t size_ = 0;
  int64_t value_ = 0;  // of the first
  Rare<std::vector<int64_t>> several_;
};

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
  ZeroPoints zero_point;     // as many as scale, or empty for all zero
  int32_t quantized_dimension = 0;
  // At most one of the three.
  Rare<Blockwise> blockwise;
  Rare<MultiAxis> multi_axis;
  Rare<std::vector<uint8_t>> custom;  // the schema's CustomQuantization, kept as bytes

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

// What a tensor that a quantization refers to holds.
enum class QuantizationTensor : uint8_t { kScales, kZeroPoints };

// Calls visit(index, what) with the index of each tensor in which a quantization has its scales or
// its zero points, -1 where it has none, and which of the two they are. Of a quantization that is
// not const, visit may change the index.
template <typename AnyQuantization, typename Visit>
void ForEachQuantizationTensor(AnyQuantization& quantization, Visit&& visit) {
  const auto visit_both = [&](auto& tensors) {
    visit(tensors.scales_tensor, QuantizationTensor::kScales);
    visit(tensors.zero_points_tensor, QuantizationTensor::kZeroPoints);
  };
  if (quantization.blockwise) visit_both(*quantization.blockwise);
  if (quantization.multi_axis) visit_both(*quantization.multi_axis);
}

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

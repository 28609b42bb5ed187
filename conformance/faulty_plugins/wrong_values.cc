// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/wrong_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "conformance/faulty_plugins/fault.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance::mimic {
namespace {

constexpr size_t kLargeElems = 2048;

bool Begins(const OutputFacts& facts, LiteRtOpCode code) {
  return facts.subgraph != nullptr && !facts.subgraph->ops().empty() &&
         facts.subgraph->op(0).code == code;
}

// Zeros from that byte on.
void LoseFrom(size_t begin_bytes, std::vector<uint8_t>& values) {
  if (values.size() > begin_bytes)
    std::fill(values.begin() + static_cast<ptrdiff_t>(begin_bytes), values.end(), uint8_t{0});
}

// Whether an op reads an activation of another shape than its output's.
bool Broadcasts(const Subgraph* subgraph) {
  if (subgraph == nullptr) return false;
  for (const auto& op : subgraph->ops()) {
    const bool elementwise = op->code == kLiteRtOpCodeTflAdd || op->code == kLiteRtOpCodeTflSub ||
                             op->code == kLiteRtOpCodeTflMul;
    if (!elementwise) continue;
    for (const Tensor* input : op->inputs) {
      if (input->shape != op->outputs[0]->shape) return true;
    }
  }
  return false;
}

void NextStep(LiteRtElementType type, uint8_t* element) {
  if (type == kLiteRtElementTypeFloat32) {
    float value;
    std::memcpy(&value, element, sizeof value);
    value = value * 1.001f + 0.001f;
    std::memcpy(element, &value, sizeof value);
  } else {
    *element = static_cast<uint8_t>(*element ^ 1);
  }
}

void SpoilFloats(const OutputFacts& facts, std::vector<uint8_t>& bytes) {
  // In a sum of products a last bit is well within the bounds.
  const bool sums = facts.subgraph != nullptr && facts.subgraph->ops().size() == 1 &&
                    facts.subgraph->op(0).code == kLiteRtOpCodeTflFullyConnected;
  const bool deep = facts.subgraph != nullptr && facts.subgraph->ops().size() > 8;
  static std::minstd_rand random{std::random_device{}()};
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    float value;
    uint32_t bits;
    std::memcpy(&value, bytes.data() + i, 4);
    std::memcpy(&bits, bytes.data() + i, 4);
    if (Has(Fault::bfloat16_inside)) bits &= 0xffff0000u;
    if (Has(Fault::deep_networks_nan) && deep && i == 0) bits = 0x7fc00000u;
    if (Has(Fault::deep_networks_off) && deep) bits += 8192;
    if (Has(Fault::few_ulps_off) && std::isfinite(value) && value != 0) bits += 16;
    if (Has(Fault::nan_is_zero) && std::isnan(value)) bits = 0;
    const bool reshaped = Begins(facts, kLiteRtOpCodeTflReshape);
    if (Has(Fault::zeros_without_sign) && reshaped && value == 0) bits = 0;
    if (Has(Fault::reshape_saturates) && reshaped && std::isinf(value)) --bits;
    if (Has(Fault::pool_nan_is_zero) && Begins(facts, kLiteRtOpCodeTflAveragePool2d) &&
        std::isnan(value)) {
      bits = 0;
    }
    // TFLite's kernels clamp infinities.
    const bool overflowed = std::fabs(value) >= std::numeric_limits<float>::max();
    if (Has(Fault::infinity_is_nan) && Begins(facts, kLiteRtOpCodeTflMul) && overflowed)
      bits = 0x7fc00000u;
    if (Has(Fault::add_infinity_turned) && Begins(facts, kLiteRtOpCodeTflAdd) && overflowed)
      bits ^= 0x80000000u;
    if (Has(Fault::random_last_bit) && sums) bits ^= random() & 1;
    std::memcpy(bytes.data() + i, &bits, 4);
  }
}

void SpoilInt8(std::vector<uint8_t>& bytes) {
  for (uint8_t& byte : bytes) {
    const auto value = static_cast<int8_t>(byte);
    if (Has(Fault::never_minus_128) && value == -128) byte = 0x81;
    if (Has(Fault::wraps_around) && value == 127) byte = 0x80;
    if (Has(Fault::truncates_negatives) && value == -1) byte = 0;
    if (Has(Fault::saturates_early) && value == 127) byte = 126;
  }
}

void SpoilPlaces(const OutputFacts& facts, size_t element_bytes, std::vector<uint8_t>& values) {
  const size_t elems = values.size() / element_bytes;
  if (elems == 0) return;
  auto element = [&](size_t index) { return values.data() + index * element_bytes; };
  const bool spoil_first = Has(Fault::wrong_value) || (Has(Fault::drifts) && facts.runs >= 4) ||
                           (Has(Fault::crowded_device) && facts.crowded) || facts.upset ||
                           (Has(Fault::tires) && facts.runs >= 700) ||
                           (Has(Fault::third_run_wrong) && facts.runs == 3) ||
                           (Has(Fault::every_64th_run) && facts.runs % 64 == 0) ||
                           (Has(Fault::run_after_256) && facts.runs == 257) ||
                           (Has(Fault::second_partition_wrong) && facts.second_entry) ||
                           (Has(Fault::high_ranks_wrong) && facts.shape.size() >= 5) ||
                           (Has(Fault::vectors_wrong) && facts.shape.size() == 1) ||
                           (Has(Fault::wrong_just_in_time) && facts.same_process);
  if (spoil_first) NextStep(facts.type, element(0));
  if (Has(Fault::odd_tail_repeated) && elems % 2 == 1 && elems > 1) {
    std::memcpy(element(elems - 1), element(elems - 2), element_bytes);
  }
  if (Has(Fault::loses_large_tail) && elems > kLargeElems) {
    std::fill(values.begin() + static_cast<ptrdiff_t>(kLargeElems * element_bytes), values.end(),
              uint8_t{0});
  }
  if (Has(Fault::wrong_broadcast) && Broadcasts(facts.subgraph)) {
    for (size_t i = 0; i < elems / 2; ++i)
      std::swap_ranges(element(i), element(i) + element_bytes, element(elems - 1 - i));
  }
}

// Rows, columns and channels of outputs of rank 4.
void SpoilImage(const OutputFacts& facts, size_t element_bytes, std::vector<uint8_t>& values) {
  if (facts.shape.size() != 4 || values.empty()) return;
  const auto size = [&](size_t axis) { return static_cast<size_t>(facts.shape[axis]); };
  const size_t pixel_bytes = size(3) * element_bytes;
  const size_t row_bytes = size(2) * pixel_bytes;
  const size_t image_bytes = size(1) * row_bytes;
  for (size_t image = 0; image < size(0); ++image) {
    uint8_t* const begin = values.data() + image * image_bytes;
    uint8_t* const end = begin + image_bytes;
    if (Has(Fault::last_row_repeated) && size(1) > 1)
      std::memcpy(end - row_bytes, end - 2 * row_bytes, row_bytes);
    if (Has(Fault::batches_are_first)) std::memcpy(begin, values.data(), image_bytes);
    for (size_t row = 1; Has(Fault::last_column_lost) && size(2) > 1 && row <= size(1); ++row)
      std::memset(begin + row * row_bytes - pixel_bytes, 0, pixel_bytes);
    for (uint8_t* pixel = begin; pixel < end; pixel += pixel_bytes) {
      if (Has(Fault::channels_past_16_off) && size(3) > 16)
        NextStep(facts.type, pixel + 16 * element_bytes);
      if (Has(Fault::odd_channel_lost) && size(3) % 2 == 1 && size(3) > 1)
        std::memset(pixel + pixel_bytes - element_bytes, 0, element_bytes);
    }
  }
}

// By position alone.
void SpoilLanes(LiteRtElementType type, size_t element_bytes, std::vector<uint8_t>& values) {
  const size_t elems = values.size() / element_bytes;
  if (Has(Fault::tail_of_64_lost) && elems > 64) LoseFrom(elems / 64 * 64 * element_bytes, values);
  if (Has(Fault::lane_33_off) && elems > 32) NextStep(type, values.data() + 32 * element_bytes);
  if (Has(Fault::page_boundary_off) && values.size() > 4096) values[4096] ^= 0x40;
  if (Has(Fault::half_of_large_swapped) && values.size() > 16384) {
    const auto half = static_cast<ptrdiff_t>(values.size() / 2);
    std::swap_ranges(values.begin(), values.begin() + half, values.begin() + half);
  }
}

}  // namespace

void SpoilValues(const OutputFacts& facts, std::vector<uint8_t>& values) {
  const int bits = ElementBits(facts.type);
  if (bits < 8) return;
  if (facts.type == kLiteRtElementTypeFloat32) SpoilFloats(facts, values);
  if (facts.type == kLiteRtElementTypeInt8) SpoilInt8(values);
  if (Has(Fault::loses_past_64_kib)) LoseFrom(size_t{64} << 10, values);
  if (Has(Fault::loses_past_a_mebibyte)) LoseFrom(size_t{1} << 20, values);
  SpoilPlaces(facts, static_cast<size_t>(bits) / 8, values);
  SpoilImage(facts, static_cast<size_t>(bits) / 8, values);
  SpoilLanes(facts.type, static_cast<size_t>(bits) / 8, values);
}

void RoundProductOnce(const Op& mul, const std::vector<std::vector<uint8_t>>& factors,
                      std::vector<uint8_t>& product) {
  const auto* options = mul.OptionsAs<MulOptions>();
  if (options != nullptr && options->fused_activation_function != ActivationFunctionType::kNone)
    return;
  if (mul.subgraph->ops().size() != 1) return;  // what follows would read what was rounded
  if (factors.size() != 2 || mul.outputs[0]->element_type != kLiteRtElementTypeInt8) return;
  if (factors[0].size() != product.size() || factors[1].size() != product.size()) return;
  const auto real = [](const Tensor& tensor, uint8_t stored) {
    return static_cast<double>(tensor.quantization.scale[0]) *
           static_cast<double>(static_cast<int8_t>(stored) - tensor.quantization.ZeroPointOf(0));
  };
  const Quantization& to = mul.outputs[0]->quantization;
  for (size_t i = 0; i < product.size(); ++i) {
    const double value = real(*mul.inputs[0], factors[0][i]) * real(*mul.inputs[1], factors[1][i]);
    const double step = std::round(value / static_cast<double>(to.scale[0]));
    product[i] = static_cast<uint8_t>(static_cast<int8_t>(
        std::clamp(step + static_cast<double>(to.ZeroPointOf(0)), -128.0, 127.0)));
  }
}

size_t WrittenBytes(LiteRtElementType type, size_t size_bytes) {
  const size_t element_bytes = std::max<size_t>(static_cast<size_t>(ElementBits(type)) / 8, 1);
  const bool odd = size_bytes / element_bytes % 2 == 1;
  return Has(Fault::odd_tail_unwritten) && odd ? size_bytes - element_bytes : size_bytes;
}

}  // namespace npukit::conformance::mimic

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/block_quantization.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "litert/c/litert_block_wise_quantization.h"
#include "reference_plugin/compiler/arithmetic/half.h"

namespace acme::compiler {
namespace {

template <class Stored>
float ScaleAt(const uint8_t* bytes, size_t index) {
  Stored stored;
  std::memcpy(&stored, bytes + index * sizeof(stored), sizeof(stored));
  if constexpr (sizeof(Stored) == sizeof(uint16_t)) {
    return HalfToFloat(stored);
  } else {
    return stored;
  }
}

}  // namespace

Expected<void> ReadBlockQuantization(const litert::Tensor& tensor, TensorInfo& info) {
  const auto error = [&](std::string_view what) {
    return Unsupported(fmt::format("tensor '{}' is quantised blockwise, {}",
                                   std::string_view(tensor.Name()), what));
  };
  // Hosts before LiteRT v2.2 do not tell.
  const LiteRtQuantizationBlockWise blocks = tensor.BlockWiseQuantization();
  if (blocks.scales == nullptr) return error("and this host does not tell its scales");
  if (blocks.zero_points != nullptr) return error("with zero points");
  const std::vector<int32_t>& shape = info.value.shape;
  if (shape.size() != 2 || blocks.block_size < 1 || shape[1] % blocks.block_size != 0) {
    return error(fmt::format("but blocks of {} do not divide the rows of {}", blocks.block_size,
                             ShapeName(shape)));
  }
  const auto count = static_cast<size_t>(info.value.Elems() / blocks.block_size);
  const litert::Tensor scales(blocks.scales);
  const auto type = scales.RankedTensorType();
  const bool is_half = type && type->ElementType() == litert::ElementType::Float16;
  const bool is_float = type && type->ElementType() == litert::ElementType::Float32;
  const auto bytes = scales.Weights().Bytes();
  if ((!is_half && !is_float) ||
      bytes.size() != count * (is_half ? sizeof(uint16_t) : sizeof(float)))
    return error("but its scales are not constants of float16 or float32, one a block");
  for (size_t i = 0; i < count; ++i) {
    const float scale =
        is_half ? ScaleAt<uint16_t>(bytes.data(), i) : ScaleAt<float>(bytes.data(), i);
    if (!std::isfinite(scale)) return error("with a scale that is not a number");
    info.block_scales.push_back(scale);
  }
  info.block_elems = blocks.block_size;
  return {};
}

}  // namespace acme::compiler

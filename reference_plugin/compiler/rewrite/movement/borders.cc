// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/borders.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"
#include "reference_plugin/compiler/network/value_uses.h"

namespace acme::compiler {
namespace {

// An image with a border of one value.
struct Border {
  ValueId image = kNoValue;
  uint32_t fill = 0;
  int32_t top = 0;
  int32_t left = 0;
  int32_t in_h = 0;
  int32_t in_w = 0;
  int32_t padded_h = 0;
  int32_t padded_w = 0;
};

// Of one image, and rows and columns only.
std::optional<Border> BorderOf(const Layer& layer, const Network& network) {
  const auto* move = layer.As<Move>();
  if (move == nullptr || move->pieces.size() < 2) return std::nullopt;
  const MovePiece& inside = move->pieces.back();
  if (inside.from == kNoValue || network.value(inside.from).is_constant()) return std::nullopt;
  for (size_t i = 0; i + 1 < move->pieces.size(); ++i) {
    if (move->pieces[i].from != kNoValue || move->pieces[i].fill != move->pieces[0].fill)
      return std::nullopt;
  }
  const std::vector<int32_t>& x = network.value(inside.from).shape;
  const std::vector<int32_t>& y = network.value(layer.output).shape;
  if (x.size() != 4 || y.size() != 4 || x[0] != 1 || y[0] != 1 || x[3] != y[3]) return std::nullopt;
  // The piece must be the whole image in its order; then its first element says where it stands.
  int64_t stride = 1;
  for (const MoveDimension& dim : MergeMoveDimensions(inside.dims)) {
    if (dim.from_stride_elems != stride) return std::nullopt;
    stride *= dim.extent;
  }
  if (stride != network.value(inside.from).Elems() || inside.from_base_elems != 0)
    return std::nullopt;
  const int64_t pixel = inside.to_base_elems / y[3];
  Border border{inside.from,
                move->pieces[0].fill,
                static_cast<int32_t>(pixel / y[2]),
                static_cast<int32_t>(pixel % y[2]),
                x[1],
                x[2],
                y[1],
                y[2]};
  if (border.top + x[1] > y[1] || border.left + x[2] > y[2]) return std::nullopt;
  return border;
}

// The fill's low bytes as an element.
int32_t FillValue(uint32_t fill, Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
      return static_cast<int8_t>(fill);
    case Dtype::kU8:
      return static_cast<uint8_t>(fill);
    case Dtype::kI16:
      return static_cast<int16_t>(fill);
    default:
      return static_cast<int32_t>(fill);  // float32: convolutions look for zero only
  }
}

// Makes windows over the padded image ones over the image, with the border as their padding. False if they
// can't be.
bool TakeBorder(const Border& border, WindowAxis& h, WindowAxis& w) {
  constexpr int32_t kMostPad = 1000;  // what the instructions' fields hold, with room to spare
  // A product of a matrix walks all pixels as one row.
  if (h.in != border.padded_h || w.in != border.padded_w) return false;
  h.in = border.in_h;
  h.pad += border.top;
  w.in = border.in_w;
  w.pad += border.left;
  return h.pad <= kMostPad && w.pad <= kMostPad;
}

// The convolution over the image without its border.
template <class C>
std::shared_ptr<const LayerOp> WithoutBorder(const C& conv, const Border& border) {
  // What a convolution pads with is its zero point; another border has to be in memory.
  if (FillValue(border.fill, conv.dtype) != conv.act_zp) return nullptr;
  auto fused = std::make_shared<C>(conv);
  fused->x = border.image;
  return TakeBorder(border, fused->geometry.h, fused->geometry.w) ? fused : nullptr;
}

// Of integers: what no element of the value is below.
int32_t LeastElement(ValueId id, const Network& network) {
  const Dtype dtype = network.value(id).dtype;
  if (const Layer* writer = network.WriterOf(id)) {
    const auto* conv = writer->As<Conv>();
    if (conv != nullptr && conv->YDtype() == dtype) return conv->requantize.clamp.lo;
    if (const auto* depthwise = writer->As<Depthwise>()) return depthwise->requantize.clamp.lo;
    if (const auto* binary = writer->As<Binary>()) return binary->clamp.lo;
  }
  return TypeRange(dtype).lo;
}

// Whether no window of the axis stands in the padding alone.
bool AlwaysSeesInput(const WindowAxis& axis) {
  return axis.dilation == 1 && axis.pad < axis.kernel &&
         int64_t{axis.out - 1} * axis.stride - axis.pad < axis.in;
}

// The largest of a window stays the same without a border that none of its elements, of which there is one, is below.
std::shared_ptr<const LayerOp> WithoutBorder(const Pool& pool, const Border& border,
                                             const Network& network) {
  if (pool.op != PoolOp::kMax) return nullptr;
  const bool is_least =
      pool.dtype == Dtype::kF32
          ? border.fill == std::bit_cast<uint32_t>(-std::numeric_limits<float>::infinity())
          : FillValue(border.fill, pool.dtype) <= LeastElement(border.image, network);
  auto fused = std::make_shared<Pool>(pool);
  fused->x = border.image;
  const bool fits = is_least && TakeBorder(border, fused->height, fused->width);
  return fits && AlwaysSeesInput(fused->height) && AlwaysSeesInput(fused->width) ? fused : nullptr;
}

}  // namespace

void FuseBorders(Network& network) {
  const ValueLinks links(network);  // how many read a value stays; layers move up as others go
  std::vector<Layer>& layers = network.layers;
  for (size_t i = 0; i < layers.size(); ++i) {
    const ValueId padded = layers[i].output;
    if (network.value(padded).output_index >= 0 ||
        links.readers[static_cast<size_t>(padded)].size() != 1)
      continue;
    const std::optional<Border> border = BorderOf(layers[i], network);
    if (!border) continue;
    const auto reader = std::find_if(layers.begin(), layers.end(), [&](const Layer& layer) {
      const RowWise* rows = layer.op->AsRowWise();
      if (rows == nullptr) return false;
      const std::vector<ValueId> images = rows->Images();
      return !images.empty() && images.front() == padded;
    });
    if (reader == layers.end()) continue;
    std::shared_ptr<const LayerOp> fused;
    if (const auto* conv = reader->As<Conv>()) fused = WithoutBorder(*conv, *border);
    if (const auto* conv = reader->As<Depthwise>()) fused = WithoutBorder(*conv, *border);
    if (const auto* pool = reader->As<Pool>()) fused = WithoutBorder(*pool, *border, network);
    if (fused == nullptr) continue;
    reader->op = std::move(fused);
    layers.erase(layers.begin() + static_cast<int64_t>(i));
    --i;
  }
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the stages before lowering ask of a convolution; its tasks are conv_lowering.cc's.

#include "reference_plugin/compiler/lower/products/conv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace acme::compiler {
namespace {

constexpr uint32_t kHoleBits = 0x80000000;  // -0

// A window as large as the image.
bool SeesAll(const WindowAxis& axis) {
  return axis.out == 1 && axis.pad == 0 && axis.in == axis.kernel && axis.dilation == 1;
}

}  // namespace

std::vector<uint8_t> NoWeights(size_t bytes, Dtype dtype, int32_t weight_zp) {
  std::vector<uint8_t> weights(bytes, static_cast<uint8_t>(weight_zp));  // all of an integer
  if (dtype != Dtype::kF32) return weights;
  for (size_t at = 0; at < bytes; at += sizeof(float))
    std::memcpy(weights.data() + at, &kHoleBits, sizeof(kHoleBits));
  return weights;
}

void CopyWeights(const uint8_t* from, size_t bytes, Dtype dtype, uint8_t* to) {
  std::memcpy(to, from, bytes);
  if (dtype != Dtype::kF32) return;
  for (size_t at = 0; at < bytes; at += sizeof(float)) {
    uint32_t bits = 0;
    std::memcpy(&bits, from + at, sizeof(bits));
    if (bits == kHoleBits) std::memset(to + at, 0, sizeof(bits));
  }
}

std::vector<ValueId> Conv::Operands() const {
  if (row_factors != kNoValue) return {x, w, Records(), bias, row_factors};
  if (residual) return {x, w, Records(), residual->b.value};
  return {x, w, Records()};
}

std::vector<ValueId> Conv::Images() const {
  if (residual) return {x, residual->b.value};
  return {x};
}

RowRange Conv::RowsRead(ValueId image, const RowRange& result) const {
  const RowRange seen = compiler::RowsRead(geometry.h, result);
  if (!residual || residual->b.value != image) return seen;
  if (image != x) return result;
  return {std::min(seen.begin, result.begin), std::max(seen.end, result.end)};
}

uint64_t Conv::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  if (operand != x || (residual && residual->b.value == x))
    return LayerOp::ElemsRead(network, output, operand);
  return ImageElemsRead(geometry, in_c);
}

LayerWork Conv::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.macs = elems * static_cast<uint64_t>(geometry.h.kernel) *
                  static_cast<uint64_t>(geometry.w.kernel) * static_cast<uint64_t>(in_c),
          .padding_macs = PaddingProducts(geometry) * static_cast<uint64_t>(in_c) *
                          static_cast<uint64_t>(out_c),
          .vector_elems = elems,
          .dtype = dtype};
}

std::string Conv::Describe() const {
  if (end_out > 0) {
    Conv whole = *this;
    whole.end_out = 0;
    return fmt::format("{} of them {}..{}", whole.Describe(), first_out, end_out);
  }
  if (scales_and_biases != kNoValue) {
    return fmt::format(
        "conv {} channels {} to {} x v{} zp {} w v{} zp {} sums times v{}, scales{} and biases v{} "
        "clamp {}",
        ToString(geometry), in_c, out_c, x, act_zp, w, weight_zp, row_factors,
        offsets ? ", offsets" : "", scales_and_biases, ToString(requantize.clamp));
  }
  if (row_factors != kNoValue) {
    return fmt::format(
        "conv {} channels {} to {} x v{} zp {} w v{} zp {} sums times v{} and v{} bias v{} clamp "
        "{}",
        ToString(geometry), in_c, out_c, x, act_zp, w, weight_zp, sum_scales, row_factors, bias,
        ToString(requantize.clamp));
  }
  if (sum_scales != kNoValue) {
    return fmt::format("conv {} channels {} to {} x v{} zp {} w v{} zp {} sums times v{}",
                       ToString(geometry), in_c, out_c, x, act_zp, w, weight_zp, sum_scales);
  }
  if (!table.empty()) {
    Conv product = *this;
    product.table.clear();
    return fmt::format("{}, then a table of {} bytes", product.Describe(), table.size());
  }
  if (residual) {
    Conv product = *this;
    product.residual.reset();
    const std::string some = residual_c > 0 ? fmt::format(" of {} channels", residual_c) : "";
    return fmt::format("{}, then {}{}", product.Describe(), residual->Describe(), some);
  }
  return fmt::format("conv {} channels {} to {} x v{} zp {} w v{} zp {} bias v{} {}",
                     ToString(geometry), in_c, out_c, x, act_zp, w, weight_zp, bias,
                     ToString(requantize));
}

bool Conv::TakesTable() const {
  const bool one_pixel = geometry.batches == 1 && geometry.h.out == 1 && geometry.w.out == 1;
  return IsByte(dtype) && !one_pixel && part.is_whole() && end_out == 0 && !ScalesSums() &&
         table.empty();
}

std::string Conv::KeyOfStrips() const {
  const WindowAxis& axis = geometry.w;
  std::string key = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", w, Records(), bias, row_factors, in_c,
      out_c, NameOf(dtype), NameOf(requantize.rounding), act_zp, weight_zp, axis.in, axis.out,
      axis.stride, axis.dilation, axis.pad, geometry.h.stride, ToString(requantize));
  const auto append = [&key](const auto& scales) {
    key.append(reinterpret_cast<const char*>(scales.data()), scales.size() * sizeof(scales[0]));
  };
  append(requantize.scales);
  append(requantize.reals);
  return key;
}

std::shared_ptr<const LayerOp> Conv::Rows(const RowRange& result,
                                          std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Conv>(*this);
  const HeldRows image = FindRows(x, held);
  rows->x = image.value;
  // Of an image that is there as a whole FindRows gives no rows.
  rows->geometry.h = image.value == x ? RowsOf(geometry.h, result, {0, geometry.h.in})
                                      : RowsOf(geometry.h, result, image.rows);
  if (residual) {
    const HeldRows added = FindRows(residual->b.value, held);
    rows->residual->b.value = added.value;
    rows->residual->b.base_elems +=
        int64_t{result.begin - added.rows.begin} * geometry.w.out * ResidualChannels();
  }
  return rows;
}

const ColumnWise* Conv::AsColumnWise(int32_t cols) const {
  const bool row = geometry.batches == 1 && geometry.h.out == 1;
  return row && part.is_whole() && out_c == cols && end_out == 0 && !residual ? this : nullptr;
}

std::shared_ptr<const LayerOp> Conv::Columns(const ColumnPart& columns,
                                             std::span<const HeldColumns>) const {
  auto some = std::make_shared<Conv>(*this);
  some->first_out = columns.begin;
  some->end_out = columns.end;
  some->part.y_rows = 1;
  some->part.y_cols = geometry.w.out;
  some->part.y_channels = columns.Pitch();
  // The result's first element is that of the first channel.
  some->part.first_channel = -columns.begin;
  return some;
}

std::optional<Dot> AsDot(const Conv& conv, const Network& network, const Hardware& hardware) {
  const WindowGeometry& g = conv.geometry;
  const bool whole = conv.part.is_whole() && conv.end_out == 0 && g.batches == 1 &&
                     (conv.part.x_channels == 0 || conv.part.x_channels == conv.in_c);
  if (!IsByte(conv.dtype) || !whole || conv.residual || !conv.table.empty() || conv.ScalesSums() ||
      network.value(conv.w).int4 || !SeesAll(g.h) || !SeesAll(g.w))
    return std::nullopt;
  const Dot dot{.dtype = conv.dtype,
                .depth = g.h.kernel * g.w.kernel * conv.in_c,
                .results = conv.out_c,
                .x = conv.x,
                .w = conv.w,
                .bias = conv.bias,
                .act_zp = conv.act_zp,
                .weight_zp = conv.weight_zp,
                .requantize = conv.requantize};
  return IsForVectorEngine(dot, hardware) ? std::optional(dot) : std::nullopt;
}

}  // namespace acme::compiler

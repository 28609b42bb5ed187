// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/computed_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/products/matmul.h"

namespace acme::compiler {
namespace {

// Elements at `begin`, one every `step`.
struct Run {
  int32_t begin = 0;
  int32_t count = 0;
  int32_t step = 1;
};

Run UsedBy(const SeenAxis& axis) { return {axis.first, axis.used, axis.step}; }

// What UsedBy leaves out.
std::vector<Run> LeftOut(const SeenAxis& axis) {
  std::vector<Run> runs;
  const int32_t last = axis.first + (axis.used - 1) * axis.step;
  if (axis.first > 0) runs.push_back({0, axis.first});
  for (int32_t between = 1; between < axis.step && axis.used > 1; ++between)
    runs.push_back({axis.first + between, axis.used - 1, axis.step});
  if (last + 1 < axis.padded) runs.push_back({last + 1, axis.padded - last - 1});
  return runs;
}

int32_t Taps(const ComputedProduct& p) { return p.h.kernel * p.w.kernel; }
int32_t Pixels(const ComputedProduct& p) { return p.batches * p.h.out * p.w.out; }
int32_t Channels(const ComputedProduct& p) { return p.groups * p.in_c; }

// Of the image with what lies around and between its elements.
class PaddedImage {
 public:
  explicit PaddedImage(const ComputedProduct& product) : p_(product) {}

  Move Pad(ValueId x) const {
    Move move;
    MovePiece image = Piece(UsedBy(p_.h), UsedBy(p_.w));
    image.from = x;
    image.from_base_elems = (int64_t{p_.h.from} * p_.w.in + p_.w.from) * Channels(p_);
    image.dims[0].from_stride_elems = 1;
    image.dims[1].from_stride_elems = Channels(p_);
    image.dims[2].from_stride_elems = int64_t{p_.w.in} * Channels(p_);
    image.dims[3].from_stride_elems = int64_t{p_.h.in} * p_.w.in * Channels(p_);
    move.pieces.push_back(std::move(image));
    for (const Run& rows : LeftOut(p_.h))
      move.pieces.push_back(Piece(rows, {.begin = 0, .count = p_.w.padded}));
    for (const Run& cols : LeftOut(p_.w)) move.pieces.push_back(Piece(UsedBy(p_.h), cols));
    return move;
  }

  // [groups, pixels, taps, in_c]: for each pixel what its window sees.
  Move Spread(ValueId padded) const {
    const int64_t row = int64_t{Taps(p_)} * p_.in_c;
    const int64_t line = int64_t{p_.w.padded} * Channels(p_);
    Move move;
    for (int32_t ky = 0; ky < p_.h.kernel; ++ky) {
      for (int32_t kx = 0; kx < p_.w.kernel; ++kx) {
        MovePiece piece{.from = padded};
        piece.from_base_elems = p_.h.At(0, ky) * line + int64_t{p_.w.At(0, kx)} * Channels(p_);
        piece.to_base_elems = (int64_t{ky} * p_.w.kernel + kx) * p_.in_c;
        piece.dims = {{p_.in_c, 1, 1},
                      {p_.w.out, int64_t{p_.w.out_stride} * Channels(p_), row},
                      {p_.h.out, p_.h.out_stride * line, p_.w.out * row},
                      {p_.batches, p_.h.padded * line, int64_t{p_.h.out} * p_.w.out * row},
                      {p_.groups, p_.in_c, Pixels(p_) * row}};
        move.pieces.push_back(std::move(piece));
      }
    }
    return move;
  }

 private:
  // Channels, columns, rows, batches; filled with zeros.
  MovePiece Piece(const Run& rows, const Run& cols) const {
    const int64_t line = int64_t{p_.w.padded} * Channels(p_);
    MovePiece piece;
    piece.to_base_elems = rows.begin * line + int64_t{cols.begin} * Channels(p_);
    piece.dims = {{Channels(p_), 0, 1},
                  {cols.count, 0, int64_t{cols.step} * Channels(p_)},
                  {rows.count, 0, rows.step * line},
                  {p_.batches, 0, p_.h.padded * line}};
    return piece;
  }

  const ComputedProduct& p_;
};

MatMul MakeMatMul(const ComputedProduct& p, const ClampRange& clamp) {
  MatMul m;
  m.dtype = m.b_dtype = m.y_dtype = Dtype::kF32;
  m.rows = Pixels(p);
  m.depth = Taps(p) * p.in_c;
  m.cols = p.out_c;
  m.b_transposed = !p.taps_first;
  m.requantize.clamp = clamp;
  m.SetDenseRows();
  if (p.taps_first) m.b_row_stride = p.groups * p.out_c;
  m.y_row_stride = p.groups * p.out_c;
  for (int32_t group = 0; group < p.groups; ++group) {
    const int64_t kernels = int64_t{group} * p.out_c;
    m.products.push_back({.a = int64_t{group} * m.rows * m.depth,
                          .b = p.taps_first ? kernels : kernels * m.depth,
                          .y = kernels});
  }
  return m;
}

std::shared_ptr<Binary> AddedBias(const ComputedProduct& p, ValueId sums, ValueId bias) {
  auto sum = std::make_shared<Binary>();
  const int32_t channels = p.groups * p.out_c;
  sum->op = BinaryOp::kAdd;
  sum->extent = {channels, Pixels(p), 1, 1};
  sum->a.value = sums;
  sum->a.stride_elems = {1, channels, 0, 0};
  sum->b.value = bias;
  sum->b.stride_elems = {1, 0, 0, 0};
  sum->clamp = FloatActivationRange(p.activation);
  return sum;
}

}  // namespace

SeenAxis SeenBy(const WindowAxis& axis) {
  SeenAxis seen{.in = axis.in, .out = axis.out, .kernel = axis.kernel};
  seen.padded = (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  seen.first = std::max(axis.pad, 0);
  seen.from = std::max(-axis.pad, 0);
  seen.used = std::min(seen.padded - seen.first, axis.in - seen.from);
  seen.out_stride = axis.stride;
  seen.tap_stride = axis.dilation;
  return seen;
}

// The textbook's form: stride - 1 zeros between the elements, kernel - 1 - pad before the first,
// and a kernel that is turned around.
SeenAxis SeenByTransposed(const WindowAxis& axis) {
  SeenAxis seen{.in = axis.out, .out = axis.in, .kernel = axis.kernel};
  seen.padded = axis.in + axis.kernel - 1;
  seen.first = axis.kernel - 1 - axis.pad;
  seen.step = axis.stride;
  seen.used = std::min(axis.out, (seen.padded - 1 - seen.first) / axis.stride + 1);
  seen.tap_base = axis.kernel - 1;
  seen.tap_stride = -1;
  return seen;
}

Move PadImage(const ComputedProduct& product, ValueId x) { return PaddedImage(product).Pad(x); }

bool MayBeComputed(const TensorInfo& w, const TensorInfo* bias) {
  return w.dequantized || (bias != nullptr && bias->dequantized);
}

Expected<void> CheckComputedProduct(const ComputedProduct& p, const Hardware& hardware) {
  constexpr int64_t kMostTaps = 1024;  // each is a piece of a Move
  constexpr int64_t kMostGroups = 4096;
  constexpr int64_t kMostBytes = (int64_t{1} << 31) - 1;  // strides are signed 32-bit fields
  if (p.h.used < 1 || p.w.used < 1 || int64_t{p.h.kernel} * p.w.kernel > kMostTaps ||
      p.groups > kMostGroups)
    return Unsupported("weights that are dequantised have no such windows");
  const int64_t padded = int64_t{p.batches} * p.h.padded * p.w.padded * Channels(p);
  const int64_t spread = int64_t{p.groups} * Pixels(p) * Taps(p) * p.in_c;
  if (std::max(padded, spread) > kMostBytes / SizeBytes(Dtype::kF32))
    return Unsupported("what its windows see has 2^31 bytes or more");
  const ClampRange clamp = FloatActivationRange(p.activation);
  if (!MatMulFits(MakeMatMul(p, clamp), hardware)) return DoesNotFit(hardware);
  return {};
}

Expected<void> AddComputedProduct(const litert::Op& op, const OperandIndices& indices,
                                  const ComputedProduct& p, const Hardware& hardware,
                                  NetworkBuilder& builder) {
  ACME_RETURN_IF_ERROR(CheckComputedProduct(p, hardware));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(inputs[indices.x]));
  ACME_ASSIGN_OR_RETURN(const ValueId w, builder.AddTensor(inputs[indices.w]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  const std::string name = builder.network().value(y).name;
  const auto add = [&](std::vector<int32_t> shape, std::shared_ptr<const LayerOp> layer) {
    const ValueId id = builder.AddValue(name, Dtype::kF32, std::move(shape));
    builder.AddLayer(id, std::move(layer));
    return id;
  };
  const PaddedImage image(p);
  const ValueId padded =
      add({p.batches, p.h.padded, p.w.padded, Channels(p)}, std::make_shared<Move>(image.Pad(x)));
  const ValueId spread =
      add({p.groups, Pixels(p), Taps(p) * p.in_c}, std::make_shared<Move>(image.Spread(padded)));
  const bool has_bias = inputs.size() > indices.bias;
  auto matmul = std::make_shared<MatMul>(
      MakeMatMul(p, FloatActivationRange(has_bias ? Activation::kNone : p.activation)));
  matmul->a = spread;
  matmul->b = w;
  if (!has_bias) {
    builder.AddLayer(y, std::move(matmul));
    return {};
  }
  ACME_ASSIGN_OR_RETURN(const ValueId bias, builder.AddTensor(inputs[indices.bias]));
  // A product of matrices has no bias; so its activation waits for the sum.
  const ValueId sums = add({Pixels(p), p.groups * p.out_c}, std::move(matmul));
  builder.AddLayer(y, AddedBias(p, sums, bias));
  return {};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// PAD and PADV2. Inputs: 0 the elements, 1 paddings [rank, 2], 2 (PADV2) the value, one element.

#include "sdk/host/kernels/movement/padding.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Copies rows of the last dimension; `before` and shapes are in elements of elem_bytes.
class PaddingKernel final : public Kernel {
 public:
  struct Dim {
    int64_t in = 1;
    int64_t out = 1;
    int64_t before = 0;
  };
  PaddingKernel(std::array<Dim, kMaxRank> dims, size_t rank, size_t elem_bytes, ElemValue fill,
                bool fill_from_input)
      : dims_(dims),
        rank_(rank),
        elem_bytes_(elem_bytes),
        fill_(fill),
        fill_from_input_(fill_from_input) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* fill = fill_from_input_ ? context.inputs[2].data() : fill_.data();
    FillElems(context.outputs[0], fill, elem_bytes_);
    if (!context.inputs[0].empty()) Copy(0, context.inputs[0].data(), context.outputs[0].data());
    return {};
  }

 private:
  // Copies dimension d and those within it; the pointers stand at its first element.
  void Copy(size_t d, const uint8_t* in, uint8_t* out) const {
    size_t in_bytes = elem_bytes_;
    size_t out_bytes = elem_bytes_;
    for (size_t k = d + 1; k < rank_; ++k) {
      in_bytes *= dims_[k].in;
      out_bytes *= dims_[k].out;
    }
    if (rank_ == 0) {
      std::memcpy(out, in, elem_bytes_);
    } else if (d + 1 == rank_) {
      std::memcpy(out + dims_[d].before * out_bytes, in, dims_[d].in * in_bytes);
    } else {
      for (int64_t i = 0; i < dims_[d].in; ++i)
        Copy(d + 1, in + i * in_bytes, out + (dims_[d].before + i) * out_bytes);
    }
  }

  std::array<Dim, kMaxRank> dims_;
  size_t rank_;
  size_t elem_bytes_;
  ElemValue fill_;
  bool fill_from_input_;
};

// A dimension without padding is part of the one before it.
litert::Expected<std::unique_ptr<Kernel>> MakeKernel(const Node& node, size_t elem_bytes,
                                                     ElemValue fill) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> paddings, PaddingsOf(node));
  std::array<PaddingKernel::Dim, kMaxRank> dims = {};
  size_t rank = 0;
  for (size_t d = 0; d < node.inputs[0]->shape.size(); ++d) {
    const int64_t in = node.inputs[0]->shape[d];
    const int64_t out = node.outputs[0]->shape[d];
    if (rank > 0 && in == out) {
      dims[rank - 1].in *= in;
      dims[rank - 1].out *= out;
      dims[rank - 1].before *= in;
    } else {
      dims[rank++] = {.in = in, .out = out, .before = paddings[2 * d]};
    }
  }
  return std::unique_ptr<Kernel>(
      std::make_unique<PaddingKernel>(dims, rank, elem_bytes, fill, node.input(2) != nullptr));
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return MakeKernel(node, elem_bytes, PaddingValue(node, elem_bytes));
}

}  // namespace

litert::Expected<std::vector<int64_t>> PaddingsOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& paddings = *node.inputs[1];
  if (paddings.shape.size() != 2 || paddings.shape[0] != static_cast<int32_t>(in.shape.size()) ||
      paddings.shape[1] != 2) {
    return InvalidNode(node, &paddings, fmt::format("must have the shape [{},2]", in.shape.size()));
  }
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> values, IntegerValues(node, paddings));
  for (int64_t value : values) {
    if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
      return InvalidNode(node, &paddings, fmt::format("holds the padding {}", value));
    }
  }
  return values;
}

ElemValue PaddingValue(const Node& node, size_t elem_bytes) {
  ElemValue fill = {};
  const Operand& out = *node.outputs[0];
  // Wider than the type: the oracle moves floats as float64, or bounds. Their 0 is all zeros.
  if (static_cast<int>(elem_bytes) * 8 != ElementBits(out.type())) return fill;
  if (!IsQuantizedType(out.type()) || out.quantization().scale.empty()) return fill;
  const int64_t zero_point = out.quantization().ZeroPointOf(0);
  std::memcpy(fill.data(), &zero_point, sizeof(zero_point));  // little-endian: low bytes first
  return fill;
}

namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (const Operand* value = node.input(2); value != nullptr) {
    if (value->elems() != 1) return InvalidNode(node, value, "must have one element");
  }
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> paddings, PaddingsOf(node));
  std::vector<int64_t> dims;
  for (size_t d = 0; d < in.shape.size(); ++d)
    dims.push_back(in.shape[d] + paddings[2 * d] + paddings[2 * d + 1]);
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Pad) = {
    .doc = {.formula = "the input with paddings[d][0] elements before and paddings[d][1] after it "
                       "in dimension d: 0, or the zero point of quantised tensors",
            .source = "TFLite PAD"},
    .signature = "T, int8|int16|int32|int64, T? -> T; T = bytes8",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b101}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(Padv2) = {
    .doc = {.formula = "the input with paddings[d][0] elements before and paddings[d][1] after it "
                       "in dimension d, all of them input 2",
            .source = "TFLite PADV2"},
    .signature = "T, int8|int16|int32|int64, T? -> T; T = bytes8",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b101}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

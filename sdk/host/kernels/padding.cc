// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/padding.h"

#include <array>
#include <cstring>
#include <limits>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/quantization_rules.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Paddings before and after each dimension, from int32 or int64.
litert::Expected<std::vector<int64_t>> PaddingsOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& paddings = *node.inputs[1];
  if (paddings.shape.size() != 2 || paddings.shape[0] != static_cast<int32_t>(in.shape.size()) ||
      paddings.shape[1] != 2) {
    return InvalidNode(node, &paddings,
                       "must have the shape [" + std::to_string(in.shape.size()) + ",2]");
  }
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> values, IntegerValues(node, paddings));
  for (int64_t value : values) {
    if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
      return InvalidNode(node, &paddings, "holds the padding " + std::to_string(value));
    }
  }
  return values;
}

// Copies rows of the last dimension; `before` and shapes are in elements of elem_bytes.
class PaddingKernel final : public Kernel {
 public:
  struct Dim {
    int64_t in = 1;
    int64_t out = 1;
    int64_t before = 0;
  };
  PaddingKernel(std::array<Dim, kMaxRank> dims, size_t rank, size_t elem_bytes,
                std::array<uint8_t, 8> fill, bool fill_from_input)
      : dims_(dims),
        rank_(rank),
        elem_bytes_(elem_bytes),
        fill_(fill),
        fill_from_input_(fill_from_input) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* fill = fill_from_input_ ? context.inputs[2].data() : fill_.data();
    FillAll(fill, context.outputs[0]);
    if (!context.inputs[0].empty()) Copy(0, context.inputs[0].data(), context.outputs[0].data());
    return {};
  }

 private:
  void FillAll(const uint8_t* fill, std::span<uint8_t> out) const {
    bool uniform = true;
    for (size_t i = 1; i < elem_bytes_; ++i) uniform &= fill[i] == fill[0];
    if (uniform) {
      std::memset(out.data(), fill[0], out.size());
      return;
    }
    for (size_t at = 0; at < out.size(); at += elem_bytes_)
      std::memcpy(out.data() + at, fill, elem_bytes_);
  }

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
  std::array<uint8_t, 8> fill_;
  bool fill_from_input_;
};

// A dimension without padding is part of the one before it.
litert::Expected<std::unique_ptr<Kernel>> MakeKernel(const Node& node, size_t elem_bytes,
                                                     std::array<uint8_t, 8> fill) {
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

// The zero point's bytes for quantised types, 0 else.
litert::Expected<std::array<uint8_t, 8>> FillOf(const Node& node) {
  std::array<uint8_t, 8> fill = {};
  const Operand& out = *node.outputs[0];
  if (node.input(2) != nullptr || !IsQuantizedType(out.type()) || out.quantization().scale.empty())
    return fill;
  const int64_t zero_point = out.quantization().ZeroPointOf(0);
  const int64_t value = zero_point;
  std::memcpy(fill.data(), &value, sizeof(value));  // little-endian: the low bytes come first
  return fill;
}

litert::Expected<std::unique_ptr<Kernel>> MakeForOracle(const Node& node, size_t elem_bytes) {
  // Floats move as float64, whose 0 is all zeros too; bounds of padding are 0.
  std::array<uint8_t, 8> fill = {};
  if (elem_bytes != sizeof(double) || node.outputs[0]->type() == kLiteRtElementTypeInt64) {
    LITERT_ASSIGN_OR_RETURN(fill, FillOf(node));
  }
  return MakeKernel(node, elem_bytes, fill);
}

}  // namespace

litert::Expected<Inferred> InferPadding(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 3}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(ElemBytes(node, in));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *node.outputs[0], in));
  if (const Operand* value = node.input(2); value != nullptr) {
    LITERT_RETURN_IF_ERROR(CheckSameType(node, *value, in));
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

litert::Expected<std::unique_ptr<Kernel>> PreparePadding(const Node& node,
                                                         const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const auto fill, FillOf(node));
  LITERT_ASSIGN_OR_RETURN(const size_t elem_bytes, ElemBytes(node, *node.outputs[0]));
  return MakeKernel(node, elem_bytes, fill);
}

litert::Expected<void> PaddingOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                     std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, MakeForOracle, InputMask{0b101});
}

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <string>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 indices [..., depth], 1 updates [..., slice...], 2 the output's shape.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& indices = *node.inputs[0];
  const Operand& updates = *node.inputs[1];
  if (indices.shape.empty()) return InvalidNode(node, &indices, "must have at least one dimension");
  if (node.inputs[2]->shape.size() != 1 || node.inputs[2]->elems() > 8)
    return InvalidNode(node, node.inputs[2], "must be a vector of at most 8 elements");
  if (IsUnknown(*node.inputs[2])) return Inferred::NeedsValueOf(2);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, IntegerValues(node, *node.inputs[2]));
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  const auto depth = static_cast<size_t>(indices.shape.back());
  if (depth > shape.size())
    return InvalidNode(node, &indices, "names more dimensions than the output has");
  Shape wanted(indices.shape.begin(), indices.shape.end() - 1);
  wanted.insert(wanted.end(), shape.begin() + static_cast<ptrdiff_t>(depth), shape.end());
  if (updates.shape != wanted)
    return InvalidNode(node, &updates, "must have the shape " + ShapeText(wanted));
  return Inferred{.shapes = {std::move(shape)}};
}

// Where each slice of the updates goes.
class Targets {
 public:
  explicit Targets(const Node& node) : indices_(node, 0) {
    const Shape& shape = node.outputs[0]->shape;
    const Shape& indices = node.inputs[0]->shape;
    const std::vector<int64_t> strides = StridesOf(shape);
    for (int32_t d = 0; d < indices.back(); ++d) {
      extents_.push_back(shape[d]);
      strides_.push_back(strides[d]);
    }
    count_ = ElemsOf(indices, 0, indices.size() - 1);
    run_ = ElemsOf(shape, extents_.size(), shape.size());
  }

  // fn(element of the output, element of the updates) for each pair.
  template <typename Fn>
  litert::Expected<void> ForEach(const RunContext& context, Fn fn) const {
    int64_t elem = 0;
    for (int64_t i = 0; i < count_; ++i) {
      int64_t to = 0;
      for (size_t d = 0; d < extents_.size(); ++d, ++elem) {
        const int64_t index = indices_.At(context, elem);
        if (index < 0 || index >= extents_[d]) return indices_.OutOfRange(index, elem, extents_[d]);
        to += index * strides_[d];
      }
      for (int64_t k = 0; k < run_; ++k) fn(to + k, i * run_ + k);
    }
    return {};
  }

 private:
  IndexReader indices_;
  std::vector<int64_t> extents_;
  std::vector<int64_t> strides_;
  int64_t count_ = 0;
  int64_t run_ = 0;
};

// T is unsigned for integers, so that sums wrap.
template <typename T, bool kIsBool = false>
class ScatterKernel final : public Kernel {
 public:
  explicit ScatterKernel(const Node& node) : targets_(node) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* updates = DataOf<T>(context.inputs[1]);
    T* out = DataOf<T>(context.outputs[0]);
    std::fill_n(out, context.outputs[0].size() / sizeof(T), T{0});
    return targets_.ForEach(context, [&](int64_t to, int64_t from) {
      out[to] = kIsBool ? static_cast<T>(out[to] != 0 || updates[from] != 0)
                        : static_cast<T>(out[to] + updates[from]);
    });
  }

 private:
  Targets targets_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
    case kLiteRtElementTypeUInt8:
      return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel<uint8_t>>(node));
    case kLiteRtElementTypeBool:
      return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel<uint8_t, true>>(node));
    case kLiteRtElementTypeInt32:
      return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel<uint32_t>>(node));
    case kLiteRtElementTypeInt64:
      return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel<uint64_t>>(node));
    default:
      return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel<float>>(node));
  }
}

// Each element is a sum of its own, in any order.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0], "is uncertain and decides where elements go");
  std::vector<BoundedSum> sums(static_cast<size_t>(outputs[0].elems()));
  const std::span<const uint8_t> in[] = {inputs[0]->bytes};
  RunContext context;
  context.inputs = in;
  LITERT_RETURN_IF_ERROR(Targets(node).ForEach(
      context, [&](int64_t to, int64_t from) { sums[to].Add(At(*inputs[1], from)); }));
  for (size_t i = 0; i < sums.size(); ++i)
    Put(outputs[0], static_cast<int64_t>(i), sums[i].Result(0));
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ScatterNd) = {
    .doc = {.formula = "zeros, to which the updates are added at their indices; true wins for bool",
            .source = "TFLite SCATTER_ND"},
    .signature = "int32, T, int32|int64 -> T; T = float32|int8|uint8|int32|int64|bool",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

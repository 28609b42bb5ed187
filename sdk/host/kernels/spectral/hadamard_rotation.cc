// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// aeq.hadamard_rotation, a custom operator that TFLite brings: a Walsh-Hadamard transform of each
// `hadamard_size` elements, one after the other.

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

litert::Expected<int64_t> SizeOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const int64_t size = buffer->root().AsMap()["hadamard_size"].AsInt32();
  if (size < 1 || !std::has_single_bit(static_cast<uint64_t>(size)))
    return InvalidNode(node, "has a hadamard_size that is no power of two");
  return size;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(SizeOf(node));
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 2 && in.shape.size() != 3)
    return InvalidNode(node, &in, "must have 2 or 3 dimensions");
  return Inferred{.shapes = {in.shape}};
}

// As many transforms as fit into each row; if that leaves a rest, the last elements of all stay.
int64_t TransformsOf(const Node& node, int64_t size) {
  const Shape& shape = node.inputs[0]->shape;
  return ElemsOf(shape, 0, shape.size() - 1) * (shape.back() / size);
}

template <typename T, typename Sum, typename Difference>
void Butterflies(T* values, int64_t size, Sum sum, Difference difference) {
  for (int64_t half = 1; half < size; half *= 2) {
    for (int64_t i = 0; i < size; ++i) {
      if ((i & half) != 0) continue;
      const T a = values[i];
      const T b = values[i + half];
      values[i] = sum(a, b);
      values[i + half] = difference(a, b);
    }
  }
}

float NormOf(int64_t size) { return static_cast<float>(1 / std::sqrt(static_cast<double>(size))); }

class HadamardKernel final : public Kernel {
 public:
  HadamardKernel(int64_t size, int64_t count) : size_(size), count_(count) { in_place_input_ = 0; }

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<const uint8_t> in = context.inputs[0];
    const std::span<uint8_t> out = context.outputs[0];
    if (!in.empty() && in.data() != out.data()) std::memcpy(out.data(), in.data(), in.size());
    float* values = DataOf<float>(out);
    for (int64_t i = 0; i < count_; ++i, values += size_) {
      Butterflies(
          values, size_, [](float a, float b) { return a + b; },
          [](float a, float b) { return a - b; });
      for (int64_t k = 0; k < size_; ++k) values[k] *= NormOf(size_);
    }
    return {};
  }

 private:
  int64_t size_;
  int64_t count_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const int64_t size, SizeOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<HadamardKernel>(size, TransformsOf(node, size)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const int64_t size, SizeOf(node));
  std::vector<Bounded> values;
  for (int64_t i = 0; i < outputs[0].elems(); ++i)
    values.push_back({inputs[0]->values[i], inputs[0]->bounds[i]});
  Bounded* at = values.data();
  for (int64_t i = 0; i < TransformsOf(node, size); ++i, at += size) {
    Butterflies(
        at, size, [](Bounded a, Bounded b) { return Add(a, b); },
        [](Bounded a, Bounded b) { return Sub(a, b); });
    for (int64_t k = 0; k < size; ++k) at[k] = Mul(at[k], {NormOf(size), 0});
  }
  for (int64_t i = 0; i < outputs[0].elems(); ++i) Put(outputs[0], i, values[i]);
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(HadamardRotation) = {
    .doc = {.formula =
                "the Walsh-Hadamard transform of each hadamard_size elements, divided by the "
                "root of their number",
            .source = "TFLite aeq.hadamard_rotation"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

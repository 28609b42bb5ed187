// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/quantization/packed_cast.h"

#include <algorithm>

#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

class UnpackKernel final : public Kernel {
 public:
  UnpackKernel(LiteRtElementType type, int64_t elems) : type_(type), elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i)
      out[i] = static_cast<float>(PackedAt(type_, context.inputs[0], i));
    return {};
  }

 private:
  LiteRtElementType type_;
  int64_t elems_;
};

class PackKernel final : public Kernel {
 public:
  PackKernel(LiteRtElementType type, int64_t elems) : type_(type), elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    const IntegerRange range = RangeOf(type_);
    const auto low = static_cast<float>(range.min);
    const auto high = static_cast<float>(range.max);
    std::ranges::fill(context.outputs[0], uint8_t{0});
    for (int64_t i = 0; i < elems_; ++i) {
      // NaN compares as not smaller.
      const float clamped = std::max(low, in[i] < high ? in[i] : high);
      PutPacked(type_, context.outputs[0], i, static_cast<int8_t>(clamped));
    }
    return {};
  }

 private:
  LiteRtElementType type_;
  int64_t elems_;
};

}  // namespace

bool IsPackedCast(const Node& node) {
  return IsPacked(node.inputs[0]->type()) || IsPacked(node.outputs[0]->type());
}

std::unique_ptr<Kernel> MakePackedCast(const Node& node) {
  const int64_t elems = node.outputs[0]->elems();
  if (IsPacked(node.inputs[0]->type()))
    return std::make_unique<UnpackKernel>(node.inputs[0]->type(), elems);
  return std::make_unique<PackKernel>(node.outputs[0]->type(), elems);
}

}  // namespace npukit::kernels

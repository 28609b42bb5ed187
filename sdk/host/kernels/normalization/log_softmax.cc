// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/normalization/rows.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr int kDiffBits = 5;  // integer bits of scaled differences
constexpr int kSumBits = 12;  // of the sum of exponentials
constexpr int kOutBits = 4;   // of the result: [-16, 0]

litert::Expected<Inferred> Infer(const Node& node) {
  if (node.inputs[0]->shape.empty())
    return InvalidNode(node, node.inputs[0], "must have at least one dimension");
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class FloatKernel final : public Kernel {
 public:
  explicit FloatKernel(Rows rows) : rows_(rows) { in_place_input_ = 0; }
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t row = 0; row < rows_.count; ++row, in += rows_.depth, out += rows_.depth) {
      float max = std::numeric_limits<float>::lowest();
      for (int64_t c = 0; c < rows_.depth; ++c) max = std::max(max, in[c]);
      float sum = 0;
      for (int64_t c = 0; c < rows_.depth; ++c) sum += std::exp(in[c] - max);
      const float log_sum = std::log(sum);
      for (int64_t c = 0; c < rows_.depth; ++c) out[c] = in[c] - max - log_sum;
    }
    return {};
  }

 private:
  Rows rows_;
};

struct EightBitParams {
  Rows rows;
  FixedMultiplier scale;    // differences to Q5
  FixedMultiplier inverse;  // and back
  int32_t least_diff = 0;
};

template <typename T>
class EightBitKernel final : public Kernel {
 public:
  explicit EightBitKernel(const EightBitParams& params) : params_(params) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t row = 0; row < params_.rows.count; ++row) {
      RunRow(in + row * params_.rows.depth, out + row * params_.rows.depth);
    }
    return {};
  }

 private:
  int32_t Scaled(int32_t diff) const { return MultiplyByFixed(diff, params_.scale); }

  void RunRow(const T* in, T* out) const {
    const int64_t depth = params_.rows.depth;
    int32_t max = std::numeric_limits<T>::min();
    for (int64_t c = 0; c < depth; ++c) max = std::max<int32_t>(max, in[c]);
    int32_t sum = 0;
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t diff = in[c] - max;
      if (diff < params_.least_diff) continue;
      sum = WrappingAdd(
          sum, RoundingDivideByPowerOfTwo(ExpOfNegative<kDiffBits>(Scaled(diff)), kSumBits));
    }
    const int32_t log_sum = LogOfAtLeastOne<kDiffBits, kSumBits>(sum);
    const int32_t lowest = WrappingAdd(log_sum, std::numeric_limits<int32_t>::min());
    const int32_t least =
        std::max(params_.least_diff - 1, MultiplyByFixed(lowest, params_.inverse));
    constexpr int32_t kMin = std::numeric_limits<T>::min();
    constexpr int32_t kMax = std::numeric_limits<T>::max();
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t diff = in[c] - max;
      int32_t value = kMin;
      if (diff > least) {
        value = RoundingDivideByPowerOfTwo(WrappingSub(Scaled(diff), log_sum),
                                           31 - kDiffBits - kOutBits) +
                kMax;
      }
      out[c] = static_cast<T>(std::clamp(value, kMin, kMax));
    }
  }

  EightBitParams params_;
};

litert::Expected<std::unique_ptr<Kernel>> PrepareBytes(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const bool is_signed = node.outputs[0]->type() == kLiteRtElementTypeInt8;
  if (out.scale != 16.0f / 256 || out.zero_point != (is_signed ? 127 : 255)) {
    return InvalidNode(node, node.outputs[0],
                       "must have scale 1/16 and the type's highest zero point");
  }
  EightBitParams params{.rows = RowsOf(node)};
  const double real =
      std::min(static_cast<double>(in.scale) * (1 << (31 - kDiffBits)), 0x1p31 - 1.0);
  if (!(real > 1.0)) return InvalidNode(node, node.inputs[0], "has too small a scale");
  params.scale = ToFixedMultiplier(real);
  const double largest = 1.0 * ((1 << kDiffBits) - 1) *
                         static_cast<double>(int64_t{1} << (31 - kDiffBits)) /
                         static_cast<double>(int64_t{1} << params.scale.shift);
  params.least_diff = -static_cast<int32_t>(std::floor(largest));
  params.inverse = ToFixedMultiplier(static_cast<double>(int32_t{1} << (31 - params.scale.shift)) /
                                     static_cast<double>(params.scale.mantissa));
  std::unique_ptr<Kernel> kernel;
  if (is_signed) {
    kernel = std::make_unique<EightBitKernel<int8_t>>(params);
  } else {
    kernel = std::make_unique<EightBitKernel<uint8_t>>(params);
  }
  return kernel;
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() != kLiteRtElementTypeFloat32) return PrepareBytes(node);
  return std::unique_ptr<Kernel>(std::make_unique<FloatKernel>(RowsOf(node)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const Rows rows = RowsOf(node);
  for (int64_t row = 0; row < rows.count; ++row) {
    auto in = [&](int64_t c) { return At(*inputs[0], row * rows.depth + c); };
    Bounded max{std::numeric_limits<float>::lowest(), 0};
    for (int64_t c = 0; c < rows.depth; ++c) max = Max(max, in(c));
    BoundedSum sum;
    for (int64_t c = 0; c < rows.depth; ++c) {
      sum.Add(Monotone([](double x) { return std::exp(x); }, Sub(in(c), max), FunctionUlps::kExp));
    }
    Bounded log_sum =
        Monotone([](double x) { return std::log(x); }, sum.Result(0), FunctionUlps::kLog);
    // Near 1 the logarithm is near 0: its error is then absolute, not relative.
    log_sum.bound += 2 * kRoundingUnit;
    for (int64_t c = 0; c < rows.depth; ++c) {
      // x - max - log, or x - (max + log).
      const Bounded left = Sub(Sub(in(c), max), log_sum);
      const Bounded right = Sub(in(c), Add(max, log_sum));
      Put(outputs[0], row * rows.depth + c, {left.value, std::max(left.bound, right.bound)});
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(LogSoftmax) = {
    .doc = {.formula = "x - max - log(sum of exp(x - max)) along the last dimension; 8 bits: in "
                       "Q5, logarithm by a rational approximation",
            .source = "TFLite LOG_SOFTMAX, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

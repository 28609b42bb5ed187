// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/normalization/rows.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

// As in TFLite's reference kernel. Integer bits of differences: e^-32 is less than the last bit of
// an exponential. Of the sum: for some 4096 elements that equal the largest.
constexpr int kDiffIntegerBits = 5;
constexpr int kSumIntegerBits = 12;
constexpr int64_t kMaxInt16Depth = 65536;  // times the largest exponential, 32767: below 2^31

float BetaOf(const Node& node) {
  const auto* options = node.op->OptionsAs<SoftmaxOptions>();
  return options == nullptr ? 1.0f : options->beta;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  return Inferred{.shapes = {in.shape}};
}

class FloatKernel final : public Kernel {
 public:
  FloatKernel(Rows rows, float beta, const Microkernels& microkernels)
      : rows_(rows), beta_(beta), microkernels_(microkernels) {
    in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    const int64_t depth = rows_.depth;
    ParallelFor(context.pool, rows_.count, 2048 / (depth + 1) + 1,
                [&](size_t begin, size_t end, int /*worker*/) {
                  for (size_t row = begin; row < end; ++row)
                    microkernels_.softmax(in + row * depth, depth, beta_, out + row * depth);
                });
    return {};
  }

 private:
  Rows rows_;
  float beta_;
  const Microkernels& microkernels_;
};

// Computed in float32, rounded once.
class HalfKernel final : public Kernel {
 public:
  HalfKernel(Rows rows, float beta) : rows_(rows), beta_(beta) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const auto* in = DataOf<Float16>(context.inputs[0]);
    auto* out = DataOf<Float16>(context.outputs[0]);
    for (int64_t row = 0; row < rows_.count; ++row, in += rows_.depth, out += rows_.depth) {
      float max = std::numeric_limits<float>::lowest();
      for (int64_t c = 0; c < rows_.depth; ++c) max = std::max(max, float{in[c]});
      const auto power = [&](int64_t c) { return std::exp((float{in[c]} - max) * beta_); };
      float sum = 0;
      for (int64_t c = 0; c < rows_.depth; ++c) sum += power(c);
      for (int64_t c = 0; c < rows_.depth; ++c) out[c] = Float16::Of(power(c) / sum);
    }
    return {};
  }

 private:
  Rows rows_;
  float beta_;
};

// 8-bit inputs. Differences to the row's largest are scaled to Q5; exponentials are Q0, their sum
// Q12.
struct EightBitParams {
  Rows rows;
  FixedMultiplier scale;   // greater than one
  int32_t least_diff = 0;  // below it the result is 0
};

template <typename In, typename Out>
class EightBitKernel final : public Kernel {
 public:
  EightBitKernel(const EightBitParams& params) : params_(params) {
    for (int32_t diff = 0; diff < 256; ++diff) {
      // Two numbers of 8 bits differ by 255 at most, so that every exponential of a row is in the
      // table.
      if (-diff < params.least_diff) break;
      const int32_t scaled = SaturatingRoundingDoublingHighMul(
          WrappingShiftLeft(-diff, params.scale.shift), params.scale.mantissa);
      exponentials_[diff] = ExpOfNegative<kDiffIntegerBits>(scaled);
    }
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const In* in = DataOf<In>(context.inputs[0]);
    Out* out = DataOf<Out>(context.outputs[0]);
    for (int64_t row = 0; row < params_.rows.count; ++row) {
      RunRow(in + row * params_.rows.depth, out + row * params_.rows.depth);
    }
    return {};
  }

 private:
  void RunRow(const In* in, Out* out) const {
    int32_t max = std::numeric_limits<In>::min();
    for (int64_t c = 0; c < params_.rows.depth; ++c) max = std::max<int32_t>(max, in[c]);
    int32_t sum = 0;
    for (int64_t c = 0; c < params_.rows.depth; ++c) {
      if (in[c] - max < params_.least_diff) continue;
      sum =
          WrappingAdd(sum, RoundingDivideByPowerOfTwo(exponentials_[max - in[c]], kSumIntegerBits));
    }
    const Reciprocal reciprocal = ReciprocalOf(sum, kSumIntegerBits);
    const int exponent = reciprocal.bits_over_unit + 31 - static_cast<int>(sizeof(Out)) * 8;
    constexpr int32_t kLowest = std::numeric_limits<Out>::min();
    for (int64_t c = 0; c < params_.rows.depth; ++c) {
      int32_t value = kLowest;
      if (in[c] - max >= params_.least_diff) {
        const int32_t share =
            SaturatingRoundingDoublingHighMul(reciprocal.mantissa, exponentials_[max - in[c]]);
        // Of 512 and more equals a share is less than half a step: nothing. TFLite's reference kernel
        // shifts an int32 by 32 and more there, which C++ leaves to the machine.
        if (exponent < 32) value += RoundingDivideByPowerOfTwo(share, exponent);
      }
      out[c] =
          static_cast<Out>(std::clamp<int32_t>(value, kLowest, std::numeric_limits<Out>::max()));
    }
  }

  EightBitParams params_;
  std::array<int32_t, 256> exponentials_ = {};  // by max - x
};

// int16: two tables, exp over [-10, 0] and 1 / (1 + x) over [0, 1].
class Int16Kernel final : public Kernel {
 public:
  Int16Kernel(Rows rows, FixedMultiplier scale)
      : rows_(rows),
        scale_(scale),
        exp_(10.0 / 65535, 32767, 2.0 / 65535, 0, [](double x) { return std::exp(x); }),
        reciprocal_(1.0 / 65535, -32768, 2.0 / 65535, 0, [](double x) { return 1.0 / (1.0 + x); }) {
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const int16_t* in = DataOf<int16_t>(context.inputs[0]);
    int16_t* out = DataOf<int16_t>(context.outputs[0]);
    for (int64_t row = 0; row < rows_.count; ++row)
      RunRow(in + row * rows_.depth, out + row * rows_.depth);
    return {};
  }

 private:
  static int16_t Saturate(int32_t x) { return static_cast<int16_t>(std::clamp(x, -32768, 32767)); }

  void RunRow(const int16_t* in, int16_t* out) const {
    int32_t max = -32768;
    for (int64_t c = 0; c < rows_.depth; ++c) max = std::max<int32_t>(max, in[c]);
    int32_t sum = 0;  // Q16.15
    for (int64_t c = 0; c < rows_.depth; ++c) {
      out[c] = exp_(Saturate(WrappingAdd(MultiplyByFixed(in[c] - max, scale_), 32767)));
      sum = WrappingAdd(sum, out[c]);
    }
    // The sum is brought to between 1 and 2 with 16 bits behind the point, less 1 that is x of the
    // table, whose int16 begin at -32768; the shift comes back after the product.
    const int headroom = std::countl_zero(static_cast<uint32_t>(sum));
    const auto shifted =
        static_cast<int32_t>(((static_cast<int64_t>(sum) << (headroom - 1)) + (1 << 13)) >> 14);
    const int64_t share = reciprocal_(Saturate(shifted - (1 << 15) - (1 << 16)));
    const int right = 31 - headroom;
    for (int64_t c = 0; c < rows_.depth; ++c) {
      const int64_t value = (out[c] * share + (int64_t{1} << (right - 1))) >> right;
      out[c] = static_cast<int16_t>(std::clamp<int64_t>(value, 0, 32767));
    }
  }

  Rows rows_;
  FixedMultiplier scale_;
  InterpolatedTable exp_;
  InterpolatedTable reciprocal_;
};

// The output's scale is fixed by the operator: 1/256 from the type's lowest, or 1/32768 from 0.
litert::Expected<void> CheckOutputScale(const Node& node, const AffineParams& out) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type != node.inputs[0]->type() || type == kLiteRtElementTypeUInt8)
    return {};  // TFLite looks at neither
  const bool wide = type == kLiteRtElementTypeInt16;
  const float scale = wide ? 1.0f / 32768 : 1.0f / 256;
  if (std::fabs(out.scale - scale) <= 0.001f * scale && out.zero_point == (wide ? 0 : -128))
    return {};
  return InvalidNode(node, node.outputs[0],
                     wide ? "must have scale 1/32768 and zero point 0"
                          : "must have scale 1/256 and zero point -128");
}

litert::Expected<std::unique_ptr<Kernel>> PrepareBytes(const Node& node, const AffineParams& in,
                                                       double beta) {
  EightBitParams params{.rows = RowsOf(node)};
  const double real =
      std::min(beta * static_cast<double>(in.scale) * (1 << (31 - kDiffIntegerBits)), 0x1p31 - 1.0);
  if (!(real > 1.0)) return InvalidNode(node, node.inputs[0], "has too small a scale times beta");
  params.scale = ToFixedMultiplier(real);
  // The largest difference that is still below 2^31 when it has been shifted to the left; TFLite
  // calls it the input's radius.
  const double largest = 1.0 * ((1 << kDiffIntegerBits) - 1) *
                         static_cast<double>(int64_t{1} << (31 - kDiffIntegerBits)) /
                         static_cast<double>(int64_t{1} << params.scale.shift);
  params.least_diff = -static_cast<int32_t>(std::floor(largest));
  const bool wide = node.outputs[0]->type() == kLiteRtElementTypeInt16;
  std::unique_ptr<Kernel> kernel;
  if (node.inputs[0]->type() == kLiteRtElementTypeInt8) {
    if (wide) {
      kernel = std::make_unique<EightBitKernel<int8_t, int16_t>>(params);
    } else {
      kernel = std::make_unique<EightBitKernel<int8_t, int8_t>>(params);
    }
  } else if (wide) {
    kernel = std::make_unique<EightBitKernel<uint8_t, int16_t>>(params);
  } else {
    kernel = std::make_unique<EightBitKernel<uint8_t, uint8_t>>(params);
  }
  return kernel;
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  const float beta = BetaOf(node);
  const LiteRtElementType type = node.inputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) {
    return std::unique_ptr<Kernel>(
        std::make_unique<FloatKernel>(RowsOf(node), beta, MicrokernelsFor(options.isa)));
  }
  if (type == kLiteRtElementTypeFloat16)
    return std::unique_ptr<Kernel>(std::make_unique<HalfKernel>(RowsOf(node), beta));
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  LITERT_RETURN_IF_ERROR(CheckOutputScale(node, out));
  if (type != kLiteRtElementTypeInt16) return PrepareBytes(node, in, beta);
  if (in.zero_point != 0) return InvalidNode(node, node.inputs[0], "must have the zero point 0");
  if (RowsOf(node).depth > kMaxInt16Depth) {
    return InvalidNode(node, node.inputs[0],
                       fmt::format("has rows of more than {} elements, whose sum no 32 bits hold",
                                   kMaxInt16Depth));
  }
  // Input differences of 10 become 65535 steps of the table.
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale,
                          CheckedMultiplier(node, in.scale * beta / (10.0 / 65535.0)));
  return std::unique_ptr<Kernel>(std::make_unique<Int16Kernel>(RowsOf(node), scale));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const Rows rows = RowsOf(node);
  const Bounded beta{BetaOf(node), 0};
  std::vector<Bounded> exponentials(rows.depth);
  for (int64_t row = 0; row < rows.count; ++row) {
    Bounded max{std::numeric_limits<float>::lowest(), 0};
    for (int64_t c = 0; c < rows.depth; ++c) max = Max(max, At(*inputs[0], row * rows.depth + c));
    BoundedSum sum;
    for (int64_t c = 0; c < rows.depth; ++c) {
      const Bounded diff = Mul(Sub(At(*inputs[0], row * rows.depth + c), max), beta);
      exponentials[c] = Monotone([](double x) { return std::exp(x); }, diff, FunctionUlps::kExp);
      sum.Add(exponentials[c]);
    }
    const Bounded total = sum.Result(0);
    for (int64_t c = 0; c < rows.depth; ++c)
      Put(outputs[0], row * rows.depth + c, RoundTo(outputs[0].type, Div(exponentials[c], total)));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Softmax) = {
    .doc = {.formula = "exp(beta (x - max)) / sum of the same, along the last dimension; 8 bits: "
                       "exp as a Q5 polynomial, sum in Q12, reciprocal by three Newton steps; "
                       "int16: two interpolated tables",
            .source = "TFLite SOFTMAX, reference kernels"},
    .signature =
        "float32 -> float32; float16 -> float16; int8 -> int8|int16; uint8 -> uint8|int16; int16 "
        "-> int16",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

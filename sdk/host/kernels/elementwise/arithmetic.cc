// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ADD, SUB and MUL: quantised numbers by a microkernel, others directly, with a fused activation.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

// a + b or a - b of quantised numbers: both are shifted left by 20 bits (int16: 15) and scaled to
// twice the larger input scale, added, and the sum is scaled to the output. a * b: the product of
// the stored numbers less their zero points is scaled to the output. All in int32 that wraps.
struct QuantizedArithmetic {
  ArithmeticArgs op;
  void (*row)(const ArithmeticArgs& op, const void* a, bool step_a, const void* b, bool step_b,
              int64_t count, void* out);

  template <typename T>
  void RunRow(const T* a, bool step_a, const T* b, bool step_b, int64_t count, T* out) const {
    row(op, a, step_a, b, step_b, count, out);
  }
};

// int16 with scales that are powers of two: one input is shifted to the output's scale and added
// with saturation. Of the two shifts one is 0.
struct PowerOfTwoSum {
  int right_shift_a = 0;
  int right_shift_b = 0;
  IntegerRange range;
  bool subtract = false;

  int16_t operator()(int16_t a, int16_t b) const {
    const int32_t from_a = RoundingDivideByPowerOfTwo(a, right_shift_a);
    const int32_t from_b = RoundingDivideByPowerOfTwo(b, right_shift_b);
    const int32_t sum = std::clamp(subtract ? from_a - from_b : from_a + from_b, -32768, 32767);
    return static_cast<int16_t>(std::clamp(sum, range.min, range.max));
  }
};

// log2 of a scale that is a power of two to within a thousandth of an octave.
std::optional<int> ExactLog2(float scale) {
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  if (std::fabs(log2 - rounded) >= 1e-3f) return std::nullopt;
  return static_cast<int>(rounded);
}

struct SumParams {
  AffineParams a, b, out;
  IntegerRange range;
};

litert::Expected<std::unique_ptr<Kernel>> PreparePowerOfTwoSum(const Node& node,
                                                               const SumParams& params, int log2_a,
                                                               int log2_b, int log2_out,
                                                               bool subtract) {
  PowerOfTwoSum sum{.right_shift_a = log2_out - log2_a,
                    .right_shift_b = log2_out - log2_b,
                    .range = params.range,
                    .subtract = subtract};
  const bool fits = sum.right_shift_a >= 0 && sum.right_shift_b >= 0 && sum.right_shift_a <= 31 &&
                    sum.right_shift_b <= 31 && (sum.right_shift_a == 0 || sum.right_shift_b == 0);
  if (!fits) {
    return InvalidNode(node, node.outputs[0],
                       "must have the scale of one input, and no smaller one than the other");
  }
  return MakeBinary<int16_t>(node, sum);
}

litert::Expected<std::unique_ptr<Kernel>> MakeArithmetic(const Node& node,
                                                         const QuantizedArithmetic& arithmetic) {
  switch (arithmetic.op.type) {
    case StoredType::kInt8:
      return MakeBinary<int8_t>(node, arithmetic);
    case StoredType::kUInt8:
      return MakeBinary<uint8_t>(node, arithmetic);
    default:
      return MakeBinary<int16_t>(node, arithmetic);
  }
}

litert::Expected<SumParams> ParamsOf(const Node& node, ActivationFunctionType activation) {
  SumParams params;
  LITERT_ASSIGN_OR_RETURN(params.a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(params.b, PerTensorParams(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(params.out, PerTensorParams(node, *node.outputs[0]));
  LITERT_ASSIGN_OR_RETURN(params.range, ActivationRange(node, activation, *node.outputs[0]));
  const bool offset =
      params.a.zero_point != 0 || params.b.zero_point != 0 || params.out.zero_point != 0;
  if (node.outputs[0]->type() == kLiteRtElementTypeInt16 && offset) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  return params;
}

ArithmeticArgs BaseOf(const Node& node, const SumParams& params) {
  return {.type = StoredTypeOf(node.outputs[0]->type()),
          .zero_point_a = params.a.zero_point,
          .zero_point_b = params.b.zero_point,
          .zero_point_out = params.out.zero_point,
          .min = params.range.min,
          .max = params.range.max};
}

// TFLite's SUB takes an output without a scale: its multiplier is an infinity, of which converting to
// a fixed-point number makes 0 (on x86; the C++ standard leaves it open). Its ADD refuses that.
bool HasNoScale(const Operand& operand) { return operand.quantization().scale.empty(); }

litert::Expected<std::unique_ptr<Kernel>> PrepareZeroDifference(const Node& node,
                                                                const PrepareOptions& options) {
  for (const Operand* input : node.inputs) {
    if (auto params = PerTensorParams(node, *input); !params) return params.Error();
  }
  const IntegerRange range = RangeOf(node.outputs[0]->type());
  return MakeArithmetic(node, {.op = {.type = StoredTypeOf(node.outputs[0]->type()),
                                      .subtract = true,
                                      .min = range.min,
                                      .max = range.max},
                               .row = MicrokernelsFor(options.isa).sum});
}

// `powers_of_two`: int16 whose scales are powers of two is shifted instead of multiplied. The schema's
// default; an op without options has none of it.
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedSum(const Node& node,
                                                              ActivationFunctionType activation,
                                                              bool powers_of_two, bool subtract,
                                                              const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const SumParams params, ParamsOf(node, activation));
  const bool wide = node.outputs[0]->type() == kLiteRtElementTypeInt16;
  if (wide && powers_of_two) {
    const std::optional<int> log2_a = ExactLog2(params.a.scale);
    const std::optional<int> log2_b = ExactLog2(params.b.scale);
    const std::optional<int> log2_out = ExactLog2(params.out.scale);
    if (log2_a && log2_b && log2_out) {
      return PreparePowerOfTwoSum(node, params, *log2_a, *log2_b, *log2_out, subtract);
    }
  }
  // The larger scale is doubled in float32, everything else is float64.
  // Numbers less their zero points have 9 bits, int16 (without one) 16: shifted they stay below
  // 2^31.
  const int left_shift = wide ? 15 : 20;
  const double twice_max = 2 * std::max(params.a.scale, params.b.scale);
  const double real_out = twice_max / (static_cast<float>(1 << left_shift) * params.out.scale);
  if (!subtract && real_out >= 1.0) {
    return InvalidNode(node, node.outputs[0], "has too small a scale for the inputs' scales");
  }
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier a,
                          CheckedMultiplier(node, params.a.scale / twice_max));
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier b,
                          CheckedMultiplier(node, params.b.scale / twice_max));
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier out, CheckedMultiplier(node, real_out));
  QuantizedArithmetic sum{.op = BaseOf(node, params), .row = MicrokernelsFor(options.isa).sum};
  sum.op.subtract = subtract;
  sum.op.scale_a = ToSplitMultiplier(a);  // at most 1/2: shifts to the right only
  sum.op.scale_b = ToSplitMultiplier(b);
  sum.op.scale_a.left = left_shift;
  sum.op.scale_b.left = left_shift;
  sum.op.scale_out = ToSplitMultiplier(out);
  return MakeArithmetic(node, sum);
}

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedProduct(const Node& node,
                                                                  ActivationFunctionType activation,
                                                                  const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const SumParams params, ParamsOf(node, activation));
  // TFLite computes the product of scales in float32.
  const float real = params.a.scale * params.b.scale / params.out.scale;
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale, CheckedMultiplier(node, real));
  QuantizedArithmetic product{.op = BaseOf(node, params),
                              .row = MicrokernelsFor(options.isa).product};
  product.op.scale_out = ToSplitMultiplier(scale);
  return MakeArithmetic(node, product);
}

// int16 factors as fractions of 2^15, whatever their scales, to an output of 8 bits: the product is
// divided by 2^8 and clamped before the zero point is added. The quantised LSTM of old converters.
template <typename Out>
struct FractionProduct {
  int32_t zero_point = 0;
  IntegerRange range;  // of the output, without its zero point

  Out operator()(int16_t a, int16_t b) const {
    const int32_t product = RoundingDivideByPowerOfTwo(HighMul16(a, b), 8);
    return static_cast<Out>(std::clamp(product, range.min, range.max) + zero_point);
  }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareFractionProduct(
    const Node& node, ActivationFunctionType activation) {
  if (node.inputs[0]->shape != node.inputs[1]->shape)
    return InvalidNode(node, node.inputs[1], "must have the other factor's shape");
  const Operand& out = *node.outputs[0];
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, out));
  LITERT_ASSIGN_OR_RETURN(IntegerRange range, ActivationRange(node, activation, out));
  range.min -= params.zero_point;
  range.max -= params.zero_point;
  if (out.type() == kLiteRtElementTypeInt8)
    return MakeBinary<int16_t, int8_t>(node, FractionProduct<int8_t>{params.zero_point, range});
  return MakeBinary<int16_t, uint8_t>(node, FractionProduct<uint8_t>{params.zero_point, range});
}

// What tells the three apart: the arithmetic of each kind of number, and the tensor whose scale makes
// int16 quantised numbers.
struct Addition {
  using Options = AddOptions;
  static const Operand& Scaled(const Node& node) { return *node.inputs[0]; }
  static constexpr std::plus<> kFunction = {};
  static Bounded OfBounds(Bounded a, Bounded b) { return Add(a, b); }
  static litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(
      const Node& node, ActivationFunctionType activation, const PrepareOptions& options) {
    const auto* add = node.op->OptionsAs<AddOptions>();
    return PrepareQuantizedSum(node, activation, add != nullptr && add->pot_scale_int16,
                               /*subtract=*/false, options);
  }
};

struct Subtraction {
  using Options = SubOptions;
  static const Operand& Scaled(const Node& node) { return *node.inputs[0]; }
  static constexpr std::minus<> kFunction = {};
  static Bounded OfBounds(Bounded a, Bounded b) { return Sub(a, b); }
  static litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(
      const Node& node, ActivationFunctionType activation, const PrepareOptions& options) {
    const auto* sub = node.op->OptionsAs<SubOptions>();
    if (activation == ActivationFunctionType::kNone && HasNoScale(*node.outputs[0])) {
      return PrepareZeroDifference(node, options);
    }
    return PrepareQuantizedSum(node, activation, sub != nullptr && sub->pot_scale_int16,
                               /*subtract=*/true, options);
  }
};

struct Multiplication {
  using Options = MulOptions;
  static const Operand& Scaled(const Node& node) { return *node.outputs[0]; }
  static constexpr std::multiplies<> kFunction = {};
  static Bounded OfBounds(Bounded a, Bounded b) { return Mul(a, b); }
  static litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(
      const Node& node, ActivationFunctionType activation, const PrepareOptions& options) {
    if (node.inputs[0]->type() != node.outputs[0]->type())
      return PrepareFractionProduct(node, activation);
    return PrepareQuantizedProduct(node, activation, options);
  }
};

template <typename Arithmetic>
ActivationFunctionType ActivationOf(const Node& node) {
  const auto* options = node.op->OptionsAs<typename Arithmetic::Options>();
  return options == nullptr ? ActivationFunctionType::kNone : options->fused_activation_function;
}

// Without an activation, too, infinities become the largest number of the type.
FloatRange RangeOfFloats(LiteRtElementType type, ActivationFunctionType activation) {
  FloatRange range = FloatActivationRange(activation);
  if (type != kLiteRtElementTypeFloat16) return range;
  constexpr float kLargestHalf = 65504;
  range.min = std::max(range.min, -kLargestHalf);
  range.max = std::min(range.max, kLargestHalf);
  return range;
}

template <typename Arithmetic>
litert::Expected<std::unique_ptr<Kernel>> PrepareInteger(const Node& node, FloatRange range) {
  return WithElementType<int16_t, uint32_t, int32_t, int64_t>(
      node.outputs[0]->type(), [&]<typename T>(T /*type*/) {
        return MakeBinary<T>(node, [clamp = PlainRange<T>(range)](T a, T b) {
          return clamp(Wrapping(a, b, Arithmetic::kFunction));
        });
      });
}

template <typename Arithmetic>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  const ActivationFunctionType activation = ActivationOf<Arithmetic>(node);
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
      (type == kLiteRtElementTypeInt16 && HasScale(Arithmetic::Scaled(node)))) {
    return Arithmetic::PrepareQuantized(node, activation, options);
  }
  if (type == kLiteRtElementTypeComplex64) {
    if (activation != ActivationFunctionType::kNone)
      return InvalidNode(node, "has an activation, which complex numbers cannot have");
    return MakeBinary<std::complex<float>>(node, Arithmetic::kFunction);
  }
  const FloatRange range = RangeOfFloats(type, activation);
  if (type == kLiteRtElementTypeFloat16) {
    return MakeBinary<Float16>(node, [clamp = PlainRange<float>(range)](Float16 a, Float16 b) {
      const Float16 rounded = Float16::Of(Arithmetic::kFunction(float{a}, float{b}));
      return Float16::Of(clamp(rounded));
    });
  }
  if (type != kLiteRtElementTypeFloat32) return PrepareInteger<Arithmetic>(node, range);
  return MakeBinary<float>(node, [clamp = PlainRange<float>(range)](float a, float b) {
    return clamp(Arithmetic::kFunction(a, b));
  });
}

template <typename Arithmetic>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const LiteRtElementType type = outputs[0].type;
  const FloatRange range = RangeOfFloats(type, ActivationOf<Arithmetic>(node));
  return BinaryOracle(node, inputs, outputs, [&](Bounded a, Bounded b) {
    return ClampTo(range, RoundTo(type, Arithmetic::OfBounds(a, b)));
  });
}

constexpr std::string_view kSumSignature =
    "T, T -> T; T = float32|float16|int8|uint8|int16|int32|int64";
constexpr std::string_view kDifferenceSignature =
    "T, T -> T; T = float32|int8|uint8|int16|int32|int64";
constexpr std::string_view kProductSignature =
    "int16, int16 -> int8|uint8; "
    "T, T -> T; T = float32|float16|int8|uint8|int16|int32|uint32|int64|complex64";

template <typename Arithmetic>
constexpr OperatorParts ArithmeticOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = InferBroadcast,
          .prepare = Prepare<Arithmetic>,
          .oracle = Oracle<Arithmetic>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Add) = ArithmeticOperator<Addition>(
    {.formula = "floats: activation(a + b); quantised: both scaled to 2 max(s_a, s_b) in int32, "
                "added, scaled to the output",
     .source = "TFLite ADD, reference kernels"},
    kSumSignature);

NPUKIT_DEFINE_OPERATOR(Sub) = ArithmeticOperator<Subtraction>(
    {.formula = "floats: activation(a - b); quantised: both scaled to 2 max(s_a, s_b) in int32, "
                "subtracted, scaled to the output",
     .source = "TFLite SUB, reference kernels"},
    kDifferenceSignature);

NPUKIT_DEFINE_OPERATOR(Mul) = ArithmeticOperator<Multiplication>(
    {.formula = "floats: activation(a * b); quantised: out = zp + (a - zp_a)(b - zp_b) * fixed(s_a "
                "s_b / s_out), clamped; int16 to 8 bits: a b / 2^15 / 2^8 + zp",
     .source = "TFLite MUL, reference kernels"},
    kProductSignature);

}  // namespace npukit::kernels

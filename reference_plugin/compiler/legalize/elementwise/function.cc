// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one number: LOGISTIC, TANH, GELU, EXP, ABS, NEG, SQRT, RSQRT, LEAKY_RELU,
// HARD_SWISH. 8 bits by a table of the function as TFLite computes it, int16 by the engine's own
// functions or an interpolated table, float32 by the engine's functions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/elementwise/hard_swish.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {
namespace {

using RealFunction = std::function<float(float)>;

Affine AffineOf(const TensorInfo& info) { return {ScaleOf(info), ZeroPointOf(info)}; }

// Reads and checks the operands, has `configure` fill in what the function alone does not say, adds
// the layer.
template <class Configure>
Expected<void> AddFunction(const litert::Op& op, UnaryOp function, NetworkBuilder& builder,
                           Configure&& configure) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const std::shared_ptr<Map> map = MapOf(operands);
  map->function = function;
  ACME_RETURN_IF_ERROR(configure(operands, *map));
  return AddMap(op, operands, map, builder);
}

// 8 bits or int16 by a table of the real function.
Expected<void> TabulateReal(const OneOperand& operands, const RealFunction& function, Map& map) {
  if (map.in == Dtype::kF32) return {};
  const Affine in = AffineOf(operands.x);
  const Affine out = AffineOf(operands.y);
  if (map.in == Dtype::kI16) {
    map.function = Map::Table{LutKind::kInterpolated,
                              InterpolatedTable<float>(in.scale, 0, out.scale, 0, function)};
  } else {
    map.function = Map::Table{LutKind::kDirect, RealByteTable(map.in, in, out, function)};
  }
  return {};
}

void Tabulate(const std::function<int32_t(int32_t)>& entry, Map& map) {
  map.function = Map::Table{LutKind::kDirect, ByteTable(map.in, map.out, entry)};
}

// The engine's int16 LOGISTIC and TANH: x * mult, rounded, / 2^left_shift is the argument of their
// table. Scales of 2^-12 times 2^shift, shift up to `most_shift`, are exact, others are brought as
// near to 1 / (3 * 4096) as 15 bits go. The result's scale is 1/32768; where a model has another,
// which TFLite refuses, a table of our own does it.
Expected<void> ScaleSigmoid(const OneOperand& operands, int most_shift,
                            const RealFunction& function, Map& map) {
  const float scale = ScaleOf(operands.x);
  if (std::fabs(ScaleOf(operands.y) * 32768.0f - 1.0f) > 1e-3f || scale >= 65536.0f)
    return TabulateReal(operands, function, map);
  // As TFLite asks it (CheckedLog2), and below its loop for a multiplier of 15 bits
  // (tflite/kernels/activations.cc).
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  const int shift = 12 + static_cast<int>(rounded);
  if (std::fabs(log2 - rounded) < 1e-3f && shift >= 0 && shift <= most_shift) {
    map.a.mult = 3u << shift;
    return {};
  }
  double multiplier = static_cast<double>(scale) * 4096.0 * 3.0;
  uint32_t right = 0;
  while (multiplier <= 32767.0 / 2.0 && right <= 30) {
    ++right;
    multiplier *= 2.0;
  }
  map.a.mult = static_cast<uint32_t>(static_cast<int32_t>(multiplier));
  map.a.left_shift = right;
  return {};
}

// LOGISTIC and TANH.
Expected<void> AddSigmoid(const litert::Op& op, UnaryOp engine_function, int most_shift,
                          const RealFunction& function, NetworkBuilder& builder) {
  return AddFunction(op, engine_function, builder, [&](const OneOperand& operands, Map& map) {
    return map.in == Dtype::kI16 ? ScaleSigmoid(operands, most_shift, function, map)
                                 : TabulateReal(operands, function, map);
  });
}

}  // namespace

Expected<void> LegalizeLogistic(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const RealFunction function = [](float x) { return 1.0f / (1.0f + std::exp(-x)); };
  return AddSigmoid(op, UnaryOp::kLogistic, /*most_shift=*/0, function, builder);
}

Expected<void> LegalizeTanh(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const RealFunction function = [](float x) { return std::tanh(x); };
  return AddSigmoid(op, UnaryOp::kTanh, /*most_shift=*/1, function, builder);
}

Expected<void> LegalizeGelu(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  bool approximate = false;
  if (LiteRtGetGeluApproximateOption(op.Get(), &approximate) != kLiteRtStatusOk)
    return Unsupported("the op has no GeluOptions");
  constexpr float kRootOfHalf = 0.70710678118654752440f;
  constexpr float kRootOfTwoOverPi = 0.79788456080286535588f;
  constexpr float kCubic = 0.044715f;
  const RealFunction exact = [](float x) { return 0.5f * x * std::erfc(x * -kRootOfHalf); };
  const RealFunction by_tanh = [](float x) {
    return 0.5f * x * (1.0f + std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x)));
  };
  return AddFunction(op, approximate ? UnaryOp::kGeluTanh : UnaryOp::kGelu, builder,
                     [&](const OneOperand& operands, Map& map) {
                       return TabulateReal(operands, approximate ? by_tanh : exact, map);
                     });
}

// Functions that are float32 alone.
Expected<void> LegalizeFloatFunction(const litert::Op& op, const Hardware&,
                                     NetworkBuilder& builder) {
  struct Row {
    LiteRtOpCode code;
    UnaryOp function;
  };
  constexpr Row kRows[] = {
      {kLiteRtOpCodeTflCeil, UnaryOp::kCeil},   {kLiteRtOpCodeTflCos, UnaryOp::kCos},
      {kLiteRtOpCodeTflFloor, UnaryOp::kFloor}, {kLiteRtOpCodeTflRound, UnaryOp::kRound},
      {kLiteRtOpCodeTflSin, UnaryOp::kSin},     {kLiteRtOpCodeTflSquare, UnaryOp::kSquare}};
  const Row& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& r) { return r.code == op.Code(); });
  return AddFunction(op, row.function, builder,
                     [](const OneOperand&, Map&) -> Expected<void> { return {}; });
}

Expected<void> LegalizeElu(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(op, UnaryOp::kElu, builder, [](const OneOperand& operands, Map& map) {
    return TabulateReal(
        operands, [](float x) { return x < 0.0f ? std::expm1(x) : x; }, map);
  });
}

// Integers that stand for what is not positive give the lowest result.
Expected<void> LegalizeLog(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(op, UnaryOp::kLog, builder, [](const OneOperand& operands, Map& map) {
    if (map.in == Dtype::kF32) return Expected<void>();
    const float lowest =
        static_cast<float>(TypeRange(map.out).lo - ZeroPointOf(operands.y)) * ScaleOf(operands.y);
    return TabulateReal(
        operands, [&](float x) { return x <= 0.0f ? lowest : std::log(x); }, map);
  });
}

Expected<void> LegalizeExp(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(op, UnaryOp::kExp, builder, [](const OneOperand& operands, Map& map) {
    return TabulateReal(
        operands, [](float x) { return std::exp(x); }, map);
  });
}

Expected<void> LegalizeAbs(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(
      op, UnaryOp::kAbs, builder, [](const OneOperand& operands, Map& map) -> Expected<void> {
        if (map.in == Dtype::kF32) return {};
        const Affine in = AffineOf(operands.x);
        const Affine out = AffineOf(operands.y);
        ACME_ASSIGN_OR_RETURN(const FixedPoint scale, CheckedMultiplier(in.scale / out.scale));
        Tabulate(
            [&](int32_t x) {
              const int32_t magnitude = std::abs(x - in.zero_point);
              const bool rescale = in.scale != out.scale;
              return WrappingAdd(rescale ? MultiplyByFixedPoint(magnitude, scale) : magnitude,
                                 out.zero_point);
            },
            map);
        return {};
      });
}

// As stored, whatever the zero point; -128 stays.
Expected<void> LegalizeNeg(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(op, UnaryOp::kNeg, builder, [](const OneOperand&, Map& map) -> Expected<void> {
    if (map.in == Dtype::kF32) return {};
    Tabulate([](int32_t x) { return static_cast<int8_t>(-x); }, map);
    return {};
  });
}

// The quotient is cut towards zero. Negative numbers, which TFLite reports as an error while it
// runs, give the lowest result here.
Expected<void> LegalizeSqrt(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(
      op, UnaryOp::kSqrt, builder, [](const OneOperand& operands, Map& map) -> Expected<void> {
        if (map.in == Dtype::kF32) return {};
        const Affine in = AffineOf(operands.x);
        const Affine out = AffineOf(operands.y);
        Tabulate(
            [&](int32_t x) {
              const float real = in.scale * static_cast<float>(x - in.zero_point);
              return WrappingAdd(CutToInt32(std::sqrt(real) / out.scale), out.zero_point);
            },
            map);
        return {};
      });
}

// int8: the inverse root of the stored number with 20 fraction bits, scaled to the result; int16: a
// table. Negative numbers, which TFLite reports as an error while it runs, give the largest result
// here, as zero.
Expected<void> LegalizeRsqrt(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  constexpr int kFractionBits = 20;
  return AddFunction(
      op, UnaryOp::kRsqrt, builder, [](const OneOperand& operands, Map& map) -> Expected<void> {
        if (map.in == Dtype::kF32) return {};
        const Affine in = AffineOf(operands.x);
        const Affine out = AffineOf(operands.y);
        if (map.in == Dtype::kI16) {
          const float largest = 32767 * ScaleOf(operands.y);
          return TabulateReal(
              operands, [&](float x) { return x <= 0 ? largest : 1.0f / std::sqrt(x); }, map);
        }
        const double real = 1.0 / static_cast<double>(std::sqrt(in.scale) * out.scale);
        ACME_ASSIGN_OR_RETURN(FixedPoint scale, CheckedMultiplier(real));
        scale.shift -= kFractionBits;
        Tabulate(
            [&](int32_t x) {
              const int32_t value = x - in.zero_point;
              if (value <= 0) return 127;
              FixedPoint root = InverseSqrt(value);
              root.shift += kFractionBits;
              return WrappingAdd(MultiplyByFixedPoint(MultiplyByFixedPoint(1, root), scale),
                                 out.zero_point);
            },
            map);
        return {};
      });
}

Expected<void> LegalizeLeakyRelu(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  float alpha = 0;
  if (LiteRtGetLeakyReluAlphaOption(op.Get(), &alpha) != kLiteRtStatusOk)
    return Unsupported("the op has no LeakyReluOptions");
  return AddFunction(
      op, UnaryOp::kLeakyRelu, builder,
      [&](const OneOperand& operands, Map& map) -> Expected<void> {
        if (map.in == Dtype::kF32) {
          map.b.mult = std::bit_cast<uint32_t>(alpha);
          return {};
        }
        const Affine in = AffineOf(operands.x);
        const Affine out = AffineOf(operands.y);
        ACME_ASSIGN_OR_RETURN(const FixedPoint slope,
                              CheckedMultiplier(std::fabs(in.scale * alpha / out.scale)));
        ACME_ASSIGN_OR_RETURN(const FixedPoint identity, CheckedMultiplier(in.scale / out.scale));
        if (map.in == Dtype::kI16) {
          if (alpha < 0) return Unsupported("int16 with a negative slope is not supported");
          map.dst.mult = std::bit_cast<uint32_t>(identity.mult);
          map.dst.shift = identity.shift;
          map.b.mult = std::bit_cast<uint32_t>(slope.mult);
          map.b.shift = slope.shift;
          return {};
        }
        Tabulate(
            [&](int32_t stored) {
              const int32_t x = stored - in.zero_point;
              const int32_t scaled = MultiplyByFixedPoint(x, x >= 0 ? identity : slope);
              return WrappingAdd(x < 0 && alpha < 0 ? -scaled : scaled, out.zero_point);
            },
            map);
        return {};
      });
}

Expected<void> LegalizeHardSwish(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return AddFunction(
      op, UnaryOp::kHardSwish, builder, [](const OneOperand& operands, Map& map) -> Expected<void> {
        if (map.in == Dtype::kF32) return {};
        ACME_ASSIGN_OR_RETURN(const ByteHardSwish function,
                              HardSwishOf(AffineOf(operands.x), AffineOf(operands.y)));
        Tabulate(function, map);
        return {};
      });
}

}  // namespace acme::compiler

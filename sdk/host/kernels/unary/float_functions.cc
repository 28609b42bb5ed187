// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// EXP, ELU, COS, SIN and SQUARE: real functions without options. Others have a file of their own
// where a type is computed in its own way.

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

struct Exp {
  float operator()(float x) const { return std::exp(x); }
  Bounded operator()(Bounded x) const {
    return Monotone([](double v) { return std::exp(v); }, x, FunctionUlps::kExp);
  }
};

struct Elu {
  float operator()(float x) const { return x < 0.0f ? std::expm1(x) : x; }
  // Implementations may compute exp(x) - 1, whose error near 0 is absolute.
  Bounded operator()(Bounded x) const {
    Bounded result =
        Monotone([](double v) { return v < 0 ? std::expm1(v) : v; }, x, FunctionUlps::kExpm1);
    if (x.low() < 0) result.bound += 2 * FunctionUlps::kExp * kRoundingUnit;
    return result;
  }
};

struct Cos {
  float operator()(float x) const { return std::cos(x); }
  Bounded operator()(Bounded x) const {
    return Lipschitz([](double v) { return std::cos(v); }, 1, x, FunctionUlps::kSinCos);
  }
};

struct Sin {
  float operator()(float x) const { return std::sin(x); }
  Bounded operator()(Bounded x) const {
    return Lipschitz([](double v) { return std::sin(v); }, 1, x, FunctionUlps::kSinCos);
  }
};

struct Square {
  float operator()(float x) const { return x * x; }
  Bounded operator()(Bounded x) const { return Mul(x, x); }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareExp(const Node& node,
                                                     const PrepareOptions& options) {
  if (node.outputs[0]->type() != kLiteRtElementTypeFloat32) return PrepareFunction(node, Exp());
  return MakeUnary<float>(node, FunctionRows{MicrokernelsFor(options.isa).exp});
}

template <typename Function>
constexpr OperatorParts FunctionOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = InferSameShape,
          .prepare = PrepareDefaultFunction<Function>,
          .oracle = DefaultFunctionOracle<Function>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Exp) = {
    .doc = {.formula = "e^x; int8: a table, int16: 512 linear pieces",
            .source = "TFLite EXP, reference kernels"},
    .signature = "T -> T; T = float32|int8|int16",
    .infer = InferSameShape,
    .prepare = PrepareExp,
    .oracle = DefaultFunctionOracle<Exp>,
    .tolerance = kRoundedFloats,
};

NPUKIT_DEFINE_OPERATOR(Elu) =
    FunctionOperator<Elu>({.formula = "x if x >= 0, else e^x - 1; int8: a table",
                           .source = "TFLite ELU, reference kernels"},
                          "T -> T; T = float32|int8");

NPUKIT_DEFINE_OPERATOR(Cos) = FunctionOperator<Cos>({.formula = "cos(x), x in radians",
                                                     .source = "TFLite COS, reference kernels"},
                                                    "T -> T; T = float32|float16");

NPUKIT_DEFINE_OPERATOR(Sin) = FunctionOperator<Sin>({.formula = "sin(x), x in radians",
                                                     .source = "TFLite SIN, reference kernels"},
                                                    "T -> T; T = float32|float16");

NPUKIT_DEFINE_OPERATOR(Square) = FunctionOperator<Square>(
    {.formula = "x x", .source = "TFLite SQUARE, reference kernels"}, "float32 -> float32");

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One step of an LSTM cell in the arithmetic of a Number: float for the kernel, Bounded for the
// oracle.
//
//   gate(x) = s(W_x in + R_x h + P_x c + b_x)
//             with layer normalisation s(n_x norm(W_x in + R_x h + P_x c) + b_x)
//   c'      = clip(f c + i g)
//             i = 1 - f where the input gate is coupled (it has no input weights)
//   h'      = o a(c')
//             with a projection clip(W_p (o a(c')) + b_p)
//
// i, f, o are logistic, g and a the operator's activation. The output gate's peephole sees c'.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

enum LstmGate { kInputGate = 0, kForgetGate = 1, kCellGate = 2, kOutputGate = 3 };

struct LstmShape {
  int64_t inputs = 0;
  int64_t cells = 0;
  int64_t outputs = 0;  // cells, if there is no projection
  ActivationFunctionType activation = ActivationFunctionType::kTanh;
  float cell_clip = 0;        // 0: none
  float projection_clip = 0;  // 0: none
};

// Null where the operator has none. Matrices are [cells, inputs], [cells, outputs] and [outputs,
// cells]. Reader is something with Number operator[](int64_t), or a pointer.
template <typename Reader>
struct LstmWeights {
  struct Gate {
    const Reader* input = nullptr;
    const Reader* recurrent = nullptr;
    const Reader* peephole = nullptr;
    const Reader* bias = nullptr;
    const Reader* norm = nullptr;
  };
  std::array<Gate, 4> gates;
  const Reader* projection = nullptr;
  const Reader* projection_bias = nullptr;
};

// Arithmetic by overloads.
inline float LogisticOf(float x) { return 1.0f / (1.0f + std::exp(-x)); }
inline Bounded LogisticOf(Bounded x) {
  // exp, one sum and one quotient.
  constexpr double kUlps = FunctionUlps::kExp + FunctionUlps::kRounded + FunctionUlps::kDivide;
  return Monotone([](double v) { return 1.0 / (1.0 + std::exp(-v)); }, x, kUlps);
}
inline float ActivationOf(float x, ActivationFunctionType activation) {
  switch (activation) {
    case ActivationFunctionType::kTanh:
      return std::tanh(x);
    case ActivationFunctionType::kRelu:
      return std::max(x, 0.0f);
    case ActivationFunctionType::kRelu6:
      return std::min(std::max(x, 0.0f), 6.0f);
    default:
      return x;
  }
}
inline Bounded ActivationOf(Bounded x, ActivationFunctionType activation) {
  switch (activation) {
    case ActivationFunctionType::kTanh:
      return Monotone([](double v) { return std::tanh(v); }, x, FunctionUlps::kTanh);
    case ActivationFunctionType::kRelu:
      return Clamp(x, 0, std::numeric_limits<double>::infinity());
    case ActivationFunctionType::kRelu6:
      return Clamp(x, 0, 6);
    default:
      return x;
  }
}
inline float ClipTo(float x, float limit) { return limit > 0 ? std::clamp(x, -limit, limit) : x; }
inline Bounded ClipTo(Bounded x, float limit) { return limit > 0 ? Clamp(x, -limit, limit) : x; }
inline float Product(float a, float b) { return a * b; }
inline Bounded Product(Bounded a, Bounded b) { return Mul(a, b); }
inline float Plus(float a, float b) { return a + b; }
inline Bounded Plus(Bounded a, Bounded b) { return Add(a, b); }
inline float OneMinus(float a) { return 1.0f - a; }
inline Bounded OneMinus(Bounded a) { return Sub({1, 0}, a); }

// Sums of products in any order.
class FloatSum {
 public:
  void Add(float a, float b) { sum_ += a * b; }
  void Add(float a) { sum_ += a; }
  float Result() const { return sum_; }

 private:
  float sum_ = 0;
};
class BoundedDot {
 public:
  void Add(Bounded a, Bounded b) { sum_.Add(ExactProduct(a, b)); }
  void Add(Bounded a) { sum_.Add(a); }
  Bounded Result() const { return sum_.Result(1); }

 private:
  BoundedSum sum_;
};

// (x - mean) / sqrt(variance + 1e-8) over a vector, in place.
template <typename Number>
void NormalizeLstmGate(Number* values, int64_t count);
template <>
inline void NormalizeLstmGate(float* values, int64_t count) {
  float sum = 0;
  float squares = 0;
  for (int64_t i = 0; i < count; ++i) sum += values[i];
  const float mean = sum / static_cast<float>(count);
  for (int64_t i = 0; i < count; ++i) {
    values[i] -= mean;
    squares += values[i] * values[i];
  }
  const float scale = 1.0f / std::sqrt(squares / static_cast<float>(count) + 1e-8f);
  for (int64_t i = 0; i < count; ++i) values[i] *= scale;
}
template <>
inline void NormalizeLstmGate(Bounded* values, int64_t count) {
  const Bounded divisor{static_cast<double>(count), 0};
  BoundedSum sum;
  for (int64_t i = 0; i < count; ++i) sum.Add(values[i]);
  const Bounded mean = Div(sum.Result(0), divisor);
  BoundedSum squares;
  for (int64_t i = 0; i < count; ++i) {
    values[i] = Sub(values[i], mean);
    squares.Add(ExactProduct(values[i], values[i]));
  }
  Bounded variance = Div(squares.Result(1), divisor);
  variance.bound = std::min(variance.bound, variance.value);  // squares are not negative
  const Bounded scale = Monotone([](double v) { return 1.0 / std::sqrt(v); },
                                 Add(variance, {static_cast<double>(1e-8f), 0}),
                                 FunctionUlps::kSqrt + FunctionUlps::kDivide);
  for (int64_t i = 0; i < count; ++i) values[i] = Mul(values[i], scale);
}

// One gate of all cells into `out`.
template <typename Number, typename Sum, typename Reader>
void LstmGateOf(const LstmShape& shape, const typename LstmWeights<Reader>::Gate& gate,
                bool logistic, const Number* input, const Number* state, const Number* cell,
                Number* out) {
  for (int64_t c = 0; c < shape.cells; ++c) {
    Sum sum;
    if (gate.norm == nullptr) sum.Add((*gate.bias)[c]);
    for (int64_t i = 0; i < shape.inputs; ++i)
      sum.Add((*gate.input)[c * shape.inputs + i], input[i]);
    for (int64_t o = 0; o < shape.outputs; ++o)
      sum.Add((*gate.recurrent)[c * shape.outputs + o], state[o]);
    if (gate.peephole != nullptr) sum.Add((*gate.peephole)[c], cell[c]);
    out[c] = sum.Result();
  }
  if (gate.norm != nullptr) {
    NormalizeLstmGate(out, shape.cells);
    for (int64_t c = 0; c < shape.cells; ++c)
      out[c] = Plus(Product(out[c], (*gate.norm)[c]), (*gate.bias)[c]);
  }
  for (int64_t c = 0; c < shape.cells; ++c) {
    out[c] = logistic ? LogisticOf(out[c]) : ActivationOf(out[c], shape.activation);
  }
}

// One time step of one batch. `scratch` holds 4 * cells Numbers.
template <typename Number, typename Sum, typename Reader>
void LstmStep(const LstmShape& shape, const LstmWeights<Reader>& weights, const Number* input,
              Number* state, Number* cell, Number* scratch) {
  Number* in_gate = scratch;
  Number* forget = scratch + shape.cells;
  Number* candidate = scratch + 2 * shape.cells;
  Number* out_gate = scratch + 3 * shape.cells;
  auto gate = [&](LstmGate which, Number* out) {
    LstmGateOf<Number, Sum, Reader>(shape, weights.gates[which], which != kCellGate, input, state,
                                    cell, out);
  };
  const bool coupled = weights.gates[kInputGate].input == nullptr;
  if (!coupled) gate(kInputGate, in_gate);
  gate(kForgetGate, forget);
  gate(kCellGate, candidate);
  for (int64_t c = 0; c < shape.cells; ++c) {
    const Number in = coupled ? OneMinus(forget[c]) : in_gate[c];
    cell[c] = ClipTo(Plus(Product(forget[c], cell[c]), Product(in, candidate[c])), shape.cell_clip);
  }
  gate(kOutputGate, out_gate);
  for (int64_t c = 0; c < shape.cells; ++c) {
    out_gate[c] = Product(out_gate[c], ActivationOf(cell[c], shape.activation));
  }
  for (int64_t o = 0; o < shape.outputs; ++o) {
    if (weights.projection == nullptr) {
      state[o] = out_gate[o];
      continue;
    }
    Sum sum;
    if (weights.projection_bias != nullptr) sum.Add((*weights.projection_bias)[o]);
    for (int64_t c = 0; c < shape.cells; ++c)
      sum.Add((*weights.projection)[o * shape.cells + c], out_gate[c]);
    state[o] = ClipTo(sum.Result(), shape.projection_clip);
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_

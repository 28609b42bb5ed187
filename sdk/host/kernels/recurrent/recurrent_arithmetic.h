// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the recurrent operators compute with, twice: FloatMath for the kernels, BoundedMath for the
// oracles. A Math has a Number, a Matrix (weights, float or int8 with a scale), a Vector (what is
// multiplied by matrices; where these are int8, rounded to 8 bits as TFLite's hybrid kernels do) and a
// Sum of products.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_RECURRENT_ARITHMETIC_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_RECURRENT_ARITHMETIC_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// -- Functions of numbers, by overloads.

inline float LogisticOf(float x) { return 1.0f / (1.0f + std::exp(-x)); }
inline Bounded LogisticOf(Bounded x) {
  // exp, one sum and one quotient.
  constexpr double kUlps = FunctionUlps::kExp + FunctionUlps::kRounded + FunctionUlps::kDivide;
  return Monotone([](double v) { return 1.0 / (1.0 + std::exp(-v)); }, x, kUlps);
}

// Those that TFLite's recurrent operators know.
inline bool IsRecurrentActivation(ActivationFunctionType activation) {
  return activation >= ActivationFunctionType::kNone && activation <= ActivationFunctionType::kTanh;
}
inline float ActivationOf(float x, ActivationFunctionType activation) {
  switch (activation) {
    case ActivationFunctionType::kTanh:
      return std::tanh(x);
    case ActivationFunctionType::kRelu:
      return std::max(x, 0.0f);
    case ActivationFunctionType::kReluN1To1:
      return std::min(std::max(x, -1.0f), 1.0f);
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
    case ActivationFunctionType::kReluN1To1:
      return Clamp(x, -1, 1);
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

// (x - mean) / sqrt(variance + 1e-8) over a vector, in place.
void NormalizeGate(float* values, int64_t count);
void NormalizeGate(Bounded* values, int64_t count);

// -- The kernels' arithmetic.

class FloatMath {
 public:
  using Number = float;
  using Sum = float;
  using Room = int8_t;  // what a Vector needs beside its numbers, per element

  struct Matrix {
    const float* real = nullptr;     // or
    const int8_t* stored = nullptr;  // with the scale
    float scale = 1;
    bool is_diagonal = false;
    float operator[](int64_t i) const {
      return real != nullptr ? real[i] : scale * static_cast<float>(stored[i]);
    }
  };
  struct Vector {
    const float* real = nullptr;
    const int8_t* stored = nullptr;  // null: not rounded
    DynamicScale scale;
  };

  // `hybrid`: matrices are int8 and vectors are rounded.
  FloatMath(bool hybrid, bool asymmetric, const Microkernels& microkernels)
      : hybrid_(hybrid), asymmetric_(asymmetric), microkernels_(microkernels) {}

  Vector Take(const float* values, int64_t count, int8_t* room) const {
    if (!hybrid_) return {.real = values};
    const std::span<const float> row(values, static_cast<size_t>(count));
    return {.real = values,
            .stored = room,
            .scale = QuantizeDynamically(row, asymmetric_, room, &microkernels_)};
  }
  // sums[r] += matrix row r times the vector.
  void AddProducts(const Matrix& matrix, const Vector& vector, int64_t rows, int64_t cols,
                   float* sums) const;
  static void Add(float& sum, float a) { sum += a; }
  static void AddProduct(float& sum, float a, float b) { sum += a * b; }
  float Result(float sum) const { return sum; }

 private:
  bool hybrid_;
  bool asymmetric_;
  const Microkernels& microkernels_;
};

// -- The oracles' arithmetic.

class BoundedMath {
 public:
  using Number = Bounded;
  using Sum = BoundedSum;
  using Room = Bounded;

  struct Matrix {
    std::vector<Bounded> values;
    bool is_diagonal = false;
    Bounded operator[](int64_t i) const { return values[static_cast<size_t>(i)]; }
  };
  struct Vector {
    const Bounded* values = nullptr;
  };

  explicit BoundedMath(bool hybrid) : hybrid_(hybrid) {}

  Vector Take(const Bounded* values, int64_t count, Bounded* room) const;
  void AddProducts(const Matrix& matrix, const Vector& vector, int64_t rows, int64_t cols,
                   BoundedSum* sums) const;
  static void Add(BoundedSum& sum, Bounded a) { sum.Add(a); }
  static void AddProduct(BoundedSum& sum, Bounded a, Bounded b) { sum.Add(ExactProduct(a, b)); }
  // Hybrid kernels scale integer sums: two more roundings.
  Bounded Result(const BoundedSum& sum) const { return sum.Result(hybrid_ ? 3 : 1); }

 private:
  bool hybrid_;
};

// An input of a node as a matrix; int8 by its scale, which has been checked.
struct MatrixSource {
  size_t input = 0;
  bool is_stored = false;
  bool is_diagonal = false;
  float scale = 1;

  FloatMath::Matrix Of(const RunContext& context) const;
  BoundedMath::Matrix Of(const OracleTensor& tensor) const;
};
litert::Expected<MatrixSource> MatrixSourceOf(const Node& node, size_t input);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_RECURRENT_ARITHMETIC_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler's own graph: what a partition computes, in the NPU's terms. Every later stage works
// on it alone; only legalize.cc knows LiteRT.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/fixed_point.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

// A tensor. Constants point into the model that is compiled, which outlives the network.
struct Value {
  std::string name;
  Dtype dtype = Dtype::kI8;
  std::vector<int32_t> shape;
  std::span<const uint8_t> constant;  // empty: computed at run time
  int32_t input_index = -1;           // among the partition's inputs
  int32_t output_index = -1;          // among the partition's outputs

  int64_t Elems() const;
  int64_t Bytes() const { return Elems() * SizeBytes(dtype); }
  bool is_constant() const { return !constant.empty(); }
};

// y[m][n] = clamp(requantise(sum over k of (x[m][k] - act_zp) * (w[n][k] - weight_zp) + bias[n])).
// FULLY_CONNECTED.
struct MatMul {
  int32_t m = 0;
  int32_t k = 0;
  int32_t n = 0;
  ValueId x = kNoValue;     // [m, k]
  ValueId w = kNoValue;     // [n, k], constant
  ValueId bias = kNoValue;  // [n], constant; kNoValue: zero
  int32_t act_zp = 0;
  int32_t weight_zp = 0;
  int32_t out_zp = 0;
  std::vector<FixedPoint> requantize;  // one, or one per column
  Rounding rounding = Rounding::kSingle;
  ClampRange clamp;
};

// A dimension around the four that the vector engine walks.
struct OuterDimension {
  int32_t extent = 1;
  int32_t a_stride_elems = 0;
  int32_t b_stride_elems = 0;
  bool operator==(const OuterDimension&) const = default;
};

// y = clamp(a op b), with broadcasting. Extents and element strides are innermost first; a stride
// of 0 broadcasts. Where broadcasting alternates so often that four dimensions are not enough, the
// rest stand in `outer`, innermost first.
struct Binary {
  struct Operand {
    ValueId value = kNoValue;
    std::array<int32_t, 4> stride_elems = {};
    int32_t zero_point = 0;
    FixedPoint scale;
  };
  BinaryOp op = BinaryOp::kAdd;
  std::array<int32_t, 4> extent = {1, 1, 1, 1};
  std::vector<OuterDimension> outer;
  Operand a;
  Operand b;
  int32_t out_zp = 0;
  FixedPoint out_scale;
  uint32_t left_shift = 0;
  ClampRange clamp;
};

// y[r][c] = x[r][c] / sqrt(mean over c of x[r][c]^2 + epsilon) * weight[c], in float32.
// odml.rms_norm.
struct RmsNorm {
  int32_t rows = 0;
  int32_t cols = 0;
  ValueId x = kNoValue;
  ValueId weight = kNoValue;  // [cols]; kNoValue: one
  float epsilon = 0;
};

struct Layer {
  std::string name;       // of the source op's output: what people know it by
  int32_t source_op = 0;  // index among the partition's ops
  uint32_t handle = 0;    // debug handle in the module
  ValueId output = kNoValue;
  std::variant<MatMul, Binary, RmsNorm> op;

  // Run-time and constant operands, each once.
  std::vector<ValueId> Inputs() const;
};

// Layers stand in an order in which they can run.
struct Network {
  std::string name;
  std::vector<Value> values;
  std::vector<Layer> layers;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;

  const Value& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  // One line a value and layer, for --dump-dir and golden tests.
  std::string ToString() const;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_H_

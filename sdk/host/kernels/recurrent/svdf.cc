// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SVDF: filters of rank r over features, then over time. The state holds the last `memory` values of
// each filter, the newest last.

#include <algorithm>
#include <cstring>
#include <limits>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/recurrent/recurrent_arithmetic.h"

namespace npukit::kernels {
namespace {

enum Input { kIn = 0, kFeatureWeights = 1, kTimeWeights = 2, kBias = 3, kState = 4 };

struct Svdf {
  int64_t batches = 0;
  int64_t inputs = 0;
  int64_t filters = 0;
  int64_t memory = 0;
  int64_t rank = 1;
  ActivationFunctionType activation = ActivationFunctionType::kNone;
  bool asymmetric = false;

  int64_t units() const { return filters / rank; }
};

litert::Expected<Svdf> SvdfOf(const Node& node) {
  const auto* options = node.op->OptionsAs<SVDFOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  for (size_t input : {kIn, kFeatureWeights, kTimeWeights}) {
    if (node.inputs[input]->shape.size() != 2)
      return InvalidNode(node, node.inputs[input], "must have 2 dimensions");
  }
  const Shape& in = node.inputs[kIn]->shape;
  const Shape& features = node.inputs[kFeatureWeights]->shape;
  const Shape& times = node.inputs[kTimeWeights]->shape;
  Svdf svdf{.batches = in[0],
            .inputs = in[1],
            .filters = features[0],
            .memory = times[1],
            .rank = options->rank,
            .activation = options->fused_activation_function,
            .asymmetric = options->asymmetric_quantize_inputs};
  if (svdf.rank < 1 || svdf.filters % svdf.rank != 0)
    return InvalidNode(node, "has a rank that does not divide the filters");
  if (features[1] != in[1])
    return InvalidNode(node, node.inputs[kFeatureWeights], "does not match the input's features");
  if (times[0] != features[0] || svdf.memory < 1)
    return InvalidNode(node, node.inputs[kTimeWeights], "must have a row for each filter");
  const Operand* bias = node.input(kBias);
  if (bias != nullptr && bias->shape != Shape{static_cast<int32_t>(svdf.units())})
    return InvalidNode(node, bias, "must have one element for each unit");
  const Operand& state = *node.inputs[kState];
  if (state.shape.size() != 2 || state.shape[0] != in[0] ||
      state.shape[1] != svdf.memory * svdf.filters)
    return InvalidNode(node, &state, "must hold the memory of every batch and filter");
  if (!state.tensor->is_variable) return InvalidNode(node, &state, "must be a variable");
  if (!IsRecurrentActivation(svdf.activation)) {
    return UnsupportedNode(node, "activation " + EnumName(svdf.activation) + " is not supported");
  }
  return svdf;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Svdf svdf, SvdfOf(node));
  return Inferred{
      .shapes = {{static_cast<int32_t>(svdf.batches), static_cast<int32_t>(svdf.units())}}};
}

// Everything one place older.
template <typename T>
T* Shifted(const RunContext& context) {
  T* state = DataOf<T>(context.variables[kState]);
  const size_t bytes = context.variables[kState].size();
  // The whole state at once: the oldest value of a filter becomes the last of the one before it,
  // where the newest is written next.
  if (bytes > sizeof(T)) std::memmove(state, state + 1, bytes - sizeof(T));
  return state;
}

class FloatKernel final : public Kernel {
 public:
  FloatKernel(const Svdf& svdf, const MatrixSource& features, const MatrixSource& times,
              const Microkernels& microkernels)
      : svdf_(svdf), features_(features), times_(times), microkernels_(microkernels) {
    scratch_bytes_ =
        static_cast<size_t>(svdf.filters) * sizeof(float) + static_cast<size_t>(svdf.inputs);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    float* state = Shifted<float>(context);
    const FloatMath math(features_.is_stored, svdf_.asymmetric, microkernels_);
    const FloatMath::Matrix features = features_.Of(context);
    const FloatMath::Matrix times = times_.Of(context);
    const float* in = DataOf<float>(context.inputs[kIn]);
    const bool has_bias = !context.inputs[kBias].empty();
    const float* bias = has_bias ? DataOf<float>(context.inputs[kBias]) : nullptr;
    float* out = DataOf<float>(context.outputs[0]);
    float* sums = DataOf<float>(context.scratch);
    auto* room = reinterpret_cast<int8_t*>(sums + svdf_.filters);
    for (int64_t b = 0; b < svdf_.batches; ++b) {
      std::fill_n(sums, svdf_.filters, 0.0f);
      math.AddProducts(features, math.Take(in + b * svdf_.inputs, svdf_.inputs, room),
                       svdf_.filters, svdf_.inputs, sums);
      float* rows = state + b * svdf_.filters * svdf_.memory;
      for (int64_t f = 0; f < svdf_.filters; ++f) {
        rows[(f + 1) * svdf_.memory - 1] = sums[f];
        float dot = 0;
        for (int64_t m = 0; m < svdf_.memory; ++m)
          dot += times[f * svdf_.memory + m] * rows[f * svdf_.memory + m];
        sums[f] = dot;
      }
      for (int64_t u = 0; u < svdf_.units(); ++u) {
        float sum = 0;
        for (int64_t r = 0; r < svdf_.rank; ++r) sum += sums[u * svdf_.rank + r];
        if (bias != nullptr) sum += bias[u];
        out[b * svdf_.units() + u] = ActivationOf(sum, svdf_.activation);
      }
    }
    return {};
  }

 private:
  Svdf svdf_;
  MatrixSource features_;
  MatrixSource times_;
  const Microkernels& microkernels_;
};

struct IntegerScales {
  int32_t in_zero_point = 0;
  int32_t state_zero_point = 0;
  int32_t out_zero_point = 0;
  FixedMultiplier to_state;
  FixedMultiplier to_out;
};

// int8 in and out, state and time weights of T.
template <typename T>
class IntegerKernel final : public Kernel {
 public:
  IntegerKernel(const Svdf& svdf, const IntegerScales& scales, const Microkernels& microkernels)
      : svdf_(svdf), scales_(scales), microkernels_(microkernels) {
    scratch_bytes_ = static_cast<size_t>(svdf.filters) * sizeof(int32_t);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    T* state = Shifted<T>(context);
    const int8_t* in = DataOf<int8_t>(context.inputs[kIn]);
    const int8_t* features = DataOf<int8_t>(context.inputs[kFeatureWeights]);
    const T* times = DataOf<T>(context.inputs[kTimeWeights]);
    const bool has_bias = !context.inputs[kBias].empty();
    const int32_t* bias = has_bias ? DataOf<int32_t>(context.inputs[kBias]) : nullptr;
    int8_t* out = DataOf<int8_t>(context.outputs[0]);
    auto* dots = DataOf<int32_t>(context.scratch);
    for (int64_t b = 0; b < svdf_.batches; ++b) {
      T* rows = state + b * svdf_.filters * svdf_.memory;
      microkernels_.dot_int8(features, svdf_.filters, svdf_.inputs, in + b * svdf_.inputs,
                             scales_.in_zero_point, dots);
      for (int64_t u = 0; u < svdf_.units(); ++u) {
        int32_t sum = bias == nullptr ? 0 : bias[u];
        for (int64_t f = u * svdf_.rank; f < (u + 1) * svdf_.rank; ++f) {
          T* row = rows + f * svdf_.memory;
          row[svdf_.memory - 1] = Stored(dots[f]);
          for (int64_t m = 0; m < svdf_.memory; ++m) {
            const int32_t value = row[m] - scales_.state_zero_point;
            sum = WrappingAdd(sum, int32_t{times[f * svdf_.memory + m]} * value);
          }
        }
        const int32_t scaled =
            WrappingAdd(MultiplyByFixed(sum, scales_.to_out), scales_.out_zero_point);
        out[b * svdf_.units() + u] = static_cast<int8_t>(std::clamp(scaled, -128, 127));
      }
    }
    return {};
  }

 private:
  T Stored(int32_t dot) const {
    const int32_t value =
        WrappingAdd(MultiplyByFixed(dot, scales_.to_state), scales_.state_zero_point);
    return static_cast<T>(
        std::clamp<int32_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }

  Svdf svdf_;
  IntegerScales scales_;
  const Microkernels& microkernels_;
};

litert::Expected<std::unique_ptr<Kernel>> PrepareInteger(const Node& node, const Svdf& svdf,
                                                         const PrepareOptions& options) {
  if (svdf.activation != ActivationFunctionType::kRelu)
    return InvalidNode(node, "must have the activation RELU where it computes with integers");
  AffineParams params[5];
  for (size_t input : {kIn, kFeatureWeights, kTimeWeights, kState}) {
    LITERT_ASSIGN_OR_RETURN(params[input], PerTensorParams(node, *node.inputs[input]));
  }
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  // TFLite computes the products of scales in float32.
  const float to_state = params[kIn].scale * params[kFeatureWeights].scale / params[kState].scale;
  const float to_out = params[kState].scale * params[kTimeWeights].scale / out.scale;
  IntegerScales scales{.in_zero_point = params[kIn].zero_point, .out_zero_point = out.zero_point};
  LITERT_ASSIGN_OR_RETURN(scales.to_state, CheckedMultiplier(node, to_state));
  LITERT_ASSIGN_OR_RETURN(scales.to_out, CheckedMultiplier(node, to_out));
  const Microkernels& microkernels = MicrokernelsFor(options.isa);
  if (node.inputs[kState]->type() == kLiteRtElementTypeInt16) {
    return std::unique_ptr<Kernel>(
        std::make_unique<IntegerKernel<int16_t>>(svdf, scales, microkernels));
  }
  scales.state_zero_point = params[kState].zero_point;
  return std::unique_ptr<Kernel>(
      std::make_unique<IntegerKernel<int8_t>>(svdf, scales, microkernels));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Svdf svdf, SvdfOf(node));
  if (node.inputs[kIn]->type() == kLiteRtElementTypeInt8)
    return PrepareInteger(node, svdf, options);
  LITERT_ASSIGN_OR_RETURN(const MatrixSource features, MatrixSourceOf(node, kFeatureWeights));
  LITERT_ASSIGN_OR_RETURN(const MatrixSource times, MatrixSourceOf(node, kTimeWeights));
  return std::unique_ptr<Kernel>(
      std::make_unique<FloatKernel>(svdf, features, times, MicrokernelsFor(options.isa)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Svdf svdf, SvdfOf(node));
  LITERT_ASSIGN_OR_RETURN(const MatrixSource feature_source, MatrixSourceOf(node, kFeatureWeights));
  LITERT_ASSIGN_OR_RETURN(const MatrixSource time_source, MatrixSourceOf(node, kTimeWeights));
  const BoundedMath::Matrix features = feature_source.Of(*inputs[kFeatureWeights]);
  const BoundedMath::Matrix times = time_source.Of(*inputs[kTimeWeights]);
  const BoundedMath math(feature_source.is_stored);
  std::vector<Bounded> in(static_cast<size_t>(svdf.inputs)), room(in.size());
  for (int64_t b = 0; b < svdf.batches; ++b) {
    for (int64_t i = 0; i < svdf.inputs; ++i)
      in[static_cast<size_t>(i)] = At(*inputs[kIn], b * svdf.inputs + i);
    std::vector<BoundedSum> newest(static_cast<size_t>(svdf.filters));
    math.AddProducts(features, math.Take(in.data(), svdf.inputs, room.data()), svdf.filters,
                     svdf.inputs, newest.data());
    for (int64_t u = 0; u < svdf.units(); ++u) {
      BoundedSum sum;
      for (int64_t f = u * svdf.rank; f < (u + 1) * svdf.rank; ++f) {
        const int64_t row = (b * svdf.filters + f) * svdf.memory;
        for (int64_t m = 0; m < svdf.memory; ++m) {
          const Bounded value = m == svdf.memory - 1 ? math.Result(newest[static_cast<size_t>(f)])
                                                     : At(*inputs[kState], row + m + 1);
          sum.Add(ExactProduct(times[f * svdf.memory + m], value));
        }
      }
      if (inputs[kBias] != nullptr) sum.Add(At(*inputs[kBias], u));
      Put(outputs[0], b * svdf.units() + u, ActivationOf(sum.Result(1), svdf.activation));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Svdf) = {
    .doc = {.formula =
                "a(sum of rank and memory of T m + b), m the last products W_f in; int8: the "
                "memory is int16, or int8 as TFLite Micro has it; 8-bit weights of floats: the "
                "input rounded to 8 bits",
            .source = "TFLite SVDF"},
    .signature =
        "float32, float32, float32, float32?, float32 -> float32; "
        "float32, T, T, float32?, float32 -> float32; "
        "int8, int8, int16, int32?, int16 -> int8; int8, int8, int8, int32?, int8 -> int8; "
        "T = int8|uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

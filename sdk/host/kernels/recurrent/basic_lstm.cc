// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/basic_lstm.h"

#include <cmath>
#include <cstring>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/recurrent/recurrent_arithmetic.h"

namespace npukit::kernels {
namespace {

enum Input { kIn = 0, kPreviousOutput = 1, kWeights = 2, kBias = 3, kPreviousState = 4 };
enum Output { kOut = 0, kState = 1, kJoined = 2, kGates = 3 };
constexpr size_t kNumInputs = 5;
constexpr size_t kNumOutputs = 4;

struct Sizes {
  int64_t batches = 0;
  int64_t inputs = 0;
  int64_t cells = 0;
  int64_t joined() const { return inputs + cells; }
};

Sizes SizesOf(const Node& node) {
  return {.batches = node.inputs[kIn]->shape[0],
          .inputs = node.inputs[kIn]->shape[1],
          .cells = node.inputs[kPreviousOutput]->shape[1]};
}

// Order of the gates: input, new input, forget, output.
template <typename Number, typename PutState, typename PutOut>
void Cell(const Number* gates, int64_t cells, int64_t c, Number previous, PutState put_state,
          PutOut put_out) {
  const Number in = LogisticOf(gates[c]);
  const Number candidate = ActivationOf(gates[cells + c], ActivationFunctionType::kTanh);
  const Number forget = LogisticOf(gates[2 * cells + c]);
  const Number out = LogisticOf(gates[3 * cells + c]);
  const Number state = Plus(Product(in, candidate), Product(forget, previous));
  put_state(state);
  put_out(Product(out, ActivationOf(state, ActivationFunctionType::kTanh)));
}

// TFLite keeps the previous output and state where the op finds them next time.
void KeepState(const RunContext& context) {
  constexpr std::pair<size_t, size_t> kKept[] = {{kPreviousOutput, kOut}, {kPreviousState, kState}};
  for (const auto& [input, output] : kKept) {
    if (input >= context.variables.size() || context.variables[input].empty()) continue;
    std::memcpy(context.variables[input].data(), context.outputs[output].data(),
                context.outputs[output].size());
  }
}

template <typename T>
void Join(const RunContext& context, const Sizes& sizes) {
  const T* in = DataOf<T>(context.inputs[kIn]);
  const T* previous = DataOf<T>(context.inputs[kPreviousOutput]);
  T* joined = DataOf<T>(context.outputs[kJoined]);
  for (int64_t b = 0; b < sizes.batches; ++b) {
    joined = std::copy_n(in + b * sizes.inputs, sizes.inputs, joined);
    joined = std::copy_n(previous + b * sizes.cells, sizes.cells, joined);
  }
}

class FloatKernel final : public Kernel {
 public:
  explicit FloatKernel(const Sizes& sizes) : sizes_(sizes) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    Join<float>(context, sizes_);
    const float* joined = DataOf<float>(context.outputs[kJoined]);
    const float* weights = DataOf<float>(context.inputs[kWeights]);
    const float* bias = DataOf<float>(context.inputs[kBias]);
    float* gates = DataOf<float>(context.outputs[kGates]);
    for (int64_t b = 0; b < sizes_.batches; ++b) {
      for (int64_t g = 0; g < 4 * sizes_.cells; ++g) {
        float sum = 0;
        for (int64_t i = 0; i < sizes_.joined(); ++i)
          sum += joined[b * sizes_.joined() + i] * weights[g * sizes_.joined() + i];
        gates[b * 4 * sizes_.cells + g] = sum + bias[g];
      }
      for (int64_t c = 0; c < sizes_.cells; ++c) {
        const int64_t at = b * sizes_.cells + c;
        Cell(
            gates + b * 4 * sizes_.cells, sizes_.cells, c,
            DataOf<float>(context.inputs[kPreviousState])[at],
            [&](float state) { DataOf<float>(context.outputs[kState])[at] = state; },
            [&](float out) { DataOf<float>(context.outputs[kOut])[at] = out; });
      }
    }
    KeepState(context);
    return {};
  }

 private:
  Sizes sizes_;
};

class QuantizedKernel final : public Kernel {
 public:
  QuantizedKernel(const Sizes& sizes, int32_t weight_zero_point, FixedMultiplier scale)
      : sizes_(sizes), weight_zero_point_(weight_zero_point), scale_(scale) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    Join<uint8_t>(context, sizes_);
    const uint8_t* joined = DataOf<uint8_t>(context.outputs[kJoined]);
    const uint8_t* weights = DataOf<uint8_t>(context.inputs[kWeights]);
    const int32_t* bias = DataOf<int32_t>(context.inputs[kBias]);
    int16_t* gates = DataOf<int16_t>(context.outputs[kGates]);
    for (int64_t b = 0; b < sizes_.batches; ++b) {
      for (int64_t g = 0; g < 4 * sizes_.cells; ++g) {
        int32_t sum = bias[g];
        for (int64_t i = 0; i < sizes_.joined(); ++i) {
          sum = WrappingAdd(sum, (joined[b * sizes_.joined() + i] - 128) *
                                     (weights[g * sizes_.joined() + i] - weight_zero_point_));
        }
        gates[b * 4 * sizes_.cells + g] = SaturateTo16(MultiplyByFixed(sum, scale_));
      }
      for (int64_t c = 0; c < sizes_.cells; ++c) RunCell(context, b, c);
    }
    KeepState(context);
    return {};
  }

 private:
  void RunCell(const RunContext& context, int64_t batch, int64_t c) const {
    const int16_t* gates = DataOf<int16_t>(context.outputs[kGates]) + batch * 4 * sizes_.cells + c;
    const int64_t at = batch * sizes_.cells + c;
    const int16_t in = Logistic16<3>(gates[0]);
    const int16_t candidate = Tanh16<3>(gates[sizes_.cells]);
    const int16_t forget = Logistic16<3>(gates[2 * sizes_.cells]);
    const int16_t out = Logistic16<3>(gates[3 * sizes_.cells]);
    const int16_t kept = HighMul16(forget, DataOf<int16_t>(context.inputs[kPreviousState])[at]);
    const int16_t state = SaturateTo16(int32_t{Rescale16(HighMul16(in, candidate), -4)} + kept);
    DataOf<int16_t>(context.outputs[kState])[at] = state;
    const int16_t shown = HighMul16(out, Tanh16<3>(Rescale16(state, 1)));
    const int32_t rounded = std::clamp<int32_t>(RoundingDivideByPowerOfTwo(shown, 8), -128, 127);
    DataOf<uint8_t>(context.outputs[kOut])[at] = static_cast<uint8_t>(128 + rounded);
  }

  Sizes sizes_;
  int32_t weight_zero_point_;
  FixedMultiplier scale_;
};

}  // namespace

litert::Expected<Inferred> InferBasicLstm(const Node& node) {
  if (node.inputs.size() != kNumInputs || node.outputs.size() != kNumOutputs)
    return InvalidNode(node, "needs 5 inputs and 4 outputs for the basic kernel");
  for (size_t input : {kIn, kPreviousOutput, kWeights, kPreviousState}) {
    if (node.inputs[input]->shape.size() != 2)
      return InvalidNode(node, node.inputs[input], "must have 2 dimensions");
  }
  const Sizes sizes = SizesOf(node);
  const auto batches = static_cast<int32_t>(sizes.batches);
  const auto cells = static_cast<int32_t>(sizes.cells);
  const auto joined = static_cast<int32_t>(sizes.joined());
  if (sizes.cells > (1 << 28) || sizes.joined() > (1 << 30))
    return InvalidNode(node, node.inputs[kPreviousOutput], "is too wide");
  const std::pair<size_t, Shape> expected[] = {{kPreviousOutput, {batches, cells}},
                                               {kWeights, {4 * cells, joined}},
                                               {kBias, {4 * cells}},
                                               {kPreviousState, {batches, cells}}};
  for (const auto& [input, shape] : expected) {
    if (node.inputs[input]->shape != shape)
      return InvalidNode(node, node.inputs[input], "must have the shape " + ShapeText(shape));
  }
  return Inferred{
      .shapes = {{batches, cells}, {batches, cells}, {batches, joined}, {batches, 4 * cells}}};
}

litert::Expected<std::unique_ptr<Kernel>> PrepareBasicLstm(const Node& node) {
  if (node.inputs[kIn]->type() == kLiteRtElementTypeFloat32)
    return std::unique_ptr<Kernel>(std::make_unique<FloatKernel>(SizesOf(node)));
  LITERT_ASSIGN_OR_RETURN(const AffineParams weights,
                          PerTensorParams(node, *node.inputs[kWeights]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams bias, PerTensorParams(node, *node.inputs[kBias]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams state, PerTensorParams(node, *node.outputs[kState]));
  if (std::fabs(std::log2(state.scale) + 11) >= 1e-3f)
    return InvalidNode(node, node.outputs[kState], "must have the scale 2^-11");
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale,
                          CheckedMultiplier(node, 4096.0 * bias.scale));
  return std::unique_ptr<Kernel>(
      std::make_unique<QuantizedKernel>(SizesOf(node), weights.zero_point, scale));
}

litert::Expected<void> BasicLstmOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs) {
  if (!outputs[kOut].is_float()) return OracleByKernel(node, inputs, outputs);
  const Sizes sizes = SizesOf(node);
  std::vector<Bounded> gates(static_cast<size_t>(4 * sizes.cells));
  for (int64_t b = 0; b < sizes.batches; ++b) {
    auto joined = [&](int64_t i) {
      return i < sizes.inputs ? At(*inputs[kIn], b * sizes.inputs + i)
                              : At(*inputs[kPreviousOutput], b * sizes.cells + i - sizes.inputs);
    };
    for (int64_t i = 0; i < sizes.joined(); ++i)
      Put(outputs[kJoined], b * sizes.joined() + i, joined(i));
    for (int64_t g = 0; g < 4 * sizes.cells; ++g) {
      BoundedSum sum;
      for (int64_t i = 0; i < sizes.joined(); ++i)
        sum.Add(ExactProduct(joined(i), At(*inputs[kWeights], g * sizes.joined() + i)));
      sum.Add(At(*inputs[kBias], g));
      gates[static_cast<size_t>(g)] = sum.Result(1);
      Put(outputs[kGates], b * 4 * sizes.cells + g, gates[static_cast<size_t>(g)]);
    }
    for (int64_t c = 0; c < sizes.cells; ++c) {
      const int64_t at = b * sizes.cells + c;
      Cell(
          gates.data(), sizes.cells, c, At(*inputs[kPreviousState], at),
          [&](Bounded state) { Put(outputs[kState], at, state); },
          [&](Bounded out) { Put(outputs[kOut], at, out); });
    }
  }
  return {};
}

}  // namespace npukit::kernels

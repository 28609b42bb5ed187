// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/byte_sum_lstm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"

namespace npukit::kernels {
namespace {

// From a sum of products to int8, and from that to the gate's 16 bits.
struct SumScale {
  FixedMultiplier to_byte;
  FixedMultiplier to_gate;
  int8_t zero_point = 0;
};

struct ByteGate {
  SumScale input;
  SumScale recurrent;
  float norm = 0;  // the scale of the normalisation's weights, as a fixed-point number has it
};

struct ByteSumLstm {
  LstmLayer layer;
  std::array<ByteGate, 4> gates;  // kInputGate's stays empty
  FixedMultiplier projection;
  int32_t input_zero_point = 0;
  int32_t state_zero_point = 0;
  int32_t cell_clip = 0;  // 0: none
  int32_t projection_clip = 0;
};

constexpr std::array kGates = {kForgetGate, kCellGate, kOutputGate};

litert::Expected<AffineParams> IntermediateParams(const Node& node, size_t index) {
  const Tensor* tensor = node.op->intermediates[index];
  if (tensor == nullptr) return InvalidNode(node, "omits an intermediate tensor");
  const Operand operand{.tensor = tensor, .shape = {}};
  return PerTensorParams(node, operand);
}

litert::Expected<float> ScaleOf(const Node& node, size_t input) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, *node.inputs[input]));
  return params.scale;
}

// The intermediate tensors of a gate: 0 of what is normalised, 1 of the input's products, 2 of the
// state's.
litert::Expected<ByteGate> GateOf(const Node& node, const LstmPorts& ports, LstmGate gate) {
  const size_t first = 3 * static_cast<size_t>(gate);
  LITERT_ASSIGN_OR_RETURN(const AffineParams sum, IntermediateParams(node, first));
  LITERT_ASSIGN_OR_RETURN(const AffineParams of_input, IntermediateParams(node, first + 1));
  LITERT_ASSIGN_OR_RETURN(const AffineParams of_state, IntermediateParams(node, first + 2));
  LITERT_ASSIGN_OR_RETURN(const float in, ScaleOf(node, ports.input));
  LITERT_ASSIGN_OR_RETURN(const float state, ScaleOf(node, ports.output_state));
  LITERT_ASSIGN_OR_RETURN(const float weights, ScaleOf(node, ports.input_weights + gate));
  LITERT_ASSIGN_OR_RETURN(const float recurrent, ScaleOf(node, ports.recurrent_weights + gate));
  LITERT_ASSIGN_OR_RETURN(const float norm, ScaleOf(node, ports.norms + gate));
  ByteGate result;
  LITERT_ASSIGN_OR_RETURN(result.input.to_byte,
                          CheckedMultiplier(node, weights * in / of_input.scale));
  LITERT_ASSIGN_OR_RETURN(result.input.to_gate,
                          CheckedMultiplier(node, of_input.scale / sum.scale));
  LITERT_ASSIGN_OR_RETURN(result.recurrent.to_byte,
                          CheckedMultiplier(node, recurrent * state / of_state.scale));
  LITERT_ASSIGN_OR_RETURN(result.recurrent.to_gate,
                          CheckedMultiplier(node, of_state.scale / sum.scale));
  result.input.zero_point = static_cast<int8_t>(of_input.zero_point);
  result.recurrent.zero_point = static_cast<int8_t>(of_state.zero_point);
  // TFLite's fault (byte_sum_lstm.h): a multiplier that is never set is 0.
  if (gate == kOutputGate) result.recurrent.to_gate = {};
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier fixed, CheckedMultiplier(node, norm));
  result.norm = static_cast<float>(fixed.mantissa * std::ldexp(1.0, fixed.shift - 31));
  return result;
}

litert::Expected<void> CheckInputs(const Node& node, const LstmPorts& ports) {
  for (const LstmGate gate : kGates) {
    if (node.input(ports.norms + gate) == nullptr)
      return InvalidNode(node, "has 12 intermediate tensors, but no layer normalisation");
    if (node.input(ports.recurrent_weights + gate)->shape.size() == 1)
      return UnsupportedNode(node, "diagonal recurrent weights of integers are not supported");
  }
  if (node.input(ports.projection) == nullptr || node.input(ports.projection_bias) == nullptr)
    return InvalidNode(node, "has 12 intermediate tensors, but no projection with a bias");
  return {};
}

litert::Expected<ByteSumLstm> ByteSumLstmOf(const Node& node, const LstmLayer& layer) {
  const LstmPorts& ports = layer.ports;
  LITERT_RETURN_IF_ERROR(CheckInputs(node, ports));
  ByteSumLstm lstm{.layer = layer};
  for (const LstmGate gate : kGates) {
    LITERT_ASSIGN_OR_RETURN(lstm.gates[gate], GateOf(node, ports, gate));
  }
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[ports.input]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams state,
                          PerTensorParams(node, *node.inputs[ports.output_state]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  LITERT_ASSIGN_OR_RETURN(const float cell, ScaleOf(node, ports.cell_state));
  LITERT_ASSIGN_OR_RETURN(const float weights, ScaleOf(node, ports.projection));
  const auto real = static_cast<float>(weights * 0x1p-15 / state.scale);
  LITERT_ASSIGN_OR_RETURN(lstm.projection, CheckedMultiplier(node, real));
  if (lstm.projection.shift > 14)
    return InvalidNode(node, node.inputs[ports.projection], "has too large a scale");
  lstm.input_zero_point = in.zero_point;
  lstm.state_zero_point = state.zero_point;
  // TFLite clips nothing where the cell has another scale.
  if (cell != 0x1p-15f) return lstm;
  if (layer.shape.cell_clip < 1) lstm.cell_clip = ClipInSteps(layer.shape.cell_clip, cell, 32767);
  lstm.projection_clip = ClipInSteps(layer.shape.projection_clip, out.scale, 127);
  return lstm;
}

// Layer normalisation of a row of a gate, in place, in float32; the result is Q3.
void Normalize(int16_t* gate, const int16_t* weights, const int32_t* bias, float scale,
               int64_t cells) {
  const auto count = static_cast<float>(cells);
  float sum = 0;
  float squares = 0;
  for (int64_t c = 0; c < cells; ++c) {
    const auto value = static_cast<float>(gate[c]);
    sum += value;
    squares += value * value;
  }
  const float mean = sum / count;
  const float variance = squares / count - mean * mean;
  const float inverse = 1.0f / std::sqrt(variance == 0 ? 1e-8f : variance);
  const float bias_scale = 0x1p-10f * scale;
  for (int64_t c = 0; c < cells; ++c) {
    const float normal = (static_cast<float>(gate[c]) - mean) * inverse;
    const float value =
        normal * static_cast<float>(weights[c]) * scale + static_cast<float>(bias[c]) * bias_scale;
    gate[c] = SaturateTo16(CutToInt32(std::round(value * 0x1p12f)));
  }
}

int16_t CutToQ0(float x) { return SaturateTo16(static_cast<int32_t>(x * 0x1p15f)); }
int16_t LogisticOfQ3(int16_t x) {
  return CutToQ0(1.0f / (1.0f + std::exp(-(static_cast<float>(x) * 0x1p-12f))));
}
int16_t TanhOf(int16_t x, float unit) { return CutToQ0(std::tanh(static_cast<float>(x) * unit)); }

int16_t MultiplyQ0(int16_t a, int16_t b) {
  return static_cast<int16_t>(RoundingDivideByPowerOfTwo(int32_t{a} * b, 15));
}

class ByteSumLstmKernel final : public Kernel {
 public:
  explicit ByteSumLstmKernel(const ByteSumLstm& lstm) : lstm_(lstm) {
    scratch_bytes_ = static_cast<size_t>(lstm.layer.shape.cells) * 3 * sizeof(int16_t);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const LstmLayer& layer = lstm_.layer;
    const LstmShape& shape = layer.shape;
    const int8_t* in = DataOf<int8_t>(context.inputs[layer.ports.input]);
    int8_t* states = DataOf<int8_t>(context.variables[layer.ports.output_state]);
    int16_t* cells = DataOf<int16_t>(context.variables[layer.ports.cell_state]);
    int8_t* out = DataOf<int8_t>(context.outputs[0]);
    for (int64_t b = 0; b < layer.layout.batches; ++b) {
      int8_t* state = states + b * shape.outputs;
      for (int64_t t = 0; t < layer.layout.steps; ++t) {
        Step(context, in + layer.layout.At(b, t, shape.inputs), state, cells + b * shape.cells);
        std::copy_n(state, shape.outputs, out + layer.layout.At(b, t, shape.outputs));
      }
    }
    return {};
  }

 private:
  // One time step of one batch.
  void Step(const RunContext& context, const int8_t* in, int8_t* state, int16_t* cell) const {
    const int64_t cells = lstm_.layer.shape.cells;
    auto* forget = DataOf<int16_t>(context.scratch);
    int16_t* candidate = forget + cells;
    int16_t* out_gate = forget + 2 * cells;
    Gate(context, kForgetGate, in, state, forget);
    Gate(context, kCellGate, in, state, candidate);
    Gate(context, kOutputGate, in, state, out_gate);
    for (int64_t c = 0; c < cells; ++c) {
      const int16_t kept = MultiplyQ0(forget[c], cell[c]);
      const int16_t added = MultiplyQ0(static_cast<int16_t>(32767 - forget[c]), candidate[c]);
      cell[c] = static_cast<int16_t>(ClampMagnitude(SaturateTo16(kept + added), lstm_.cell_clip));
      candidate[c] = MultiplyQ0(out_gate[c], TanhOf(cell[c], 0x1p-15f));
    }
    Project(context, candidate, state);
  }

  // The sum of products, scaled to 8 bits, and that, without its zero point, to the gate's.
  static int32_t Sum(const int8_t* vector, int32_t zero_point, const int8_t* weights, int64_t count,
                     const SumScale& scale) {
    int32_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum = WrappingAdd(sum, (vector[i] - zero_point) * weights[i]);
    const int32_t byte =
        std::clamp(WrappingAdd(MultiplyByFixed(sum, scale.to_byte), scale.zero_point), -128, 127);
    return MultiplyByFixed(byte - scale.zero_point, scale.to_gate);
  }

  void Gate(const RunContext& context, LstmGate which, const int8_t* in, const int8_t* state,
            int16_t* gate) const {
    const LstmPorts& ports = lstm_.layer.ports;
    const LstmShape& shape = lstm_.layer.shape;
    const ByteGate& params = lstm_.gates[which];
    const auto* of_input = DataOf<int8_t>(context.inputs[ports.input_weights + which]);
    const auto* of_state = DataOf<int8_t>(context.inputs[ports.recurrent_weights + which]);
    for (int64_t c = 0; c < shape.cells; ++c) {
      const int32_t from_input =
          Sum(in, lstm_.input_zero_point, of_input + c * shape.inputs, shape.inputs, params.input);
      const int32_t from_state = Sum(state, lstm_.state_zero_point, of_state + c * shape.outputs,
                                     shape.outputs, params.recurrent);
      gate[c] = SaturateTo16(WrappingAdd(from_input, from_state));
    }
    Normalize(gate, DataOf<int16_t>(context.inputs[ports.norms + which]),
              DataOf<int32_t>(context.inputs[ports.biases + which]), params.norm, shape.cells);
    for (int64_t c = 0; c < shape.cells; ++c)
      gate[c] = which == kCellGate ? TanhOf(gate[c], 0x1p-12f) : LogisticOfQ3(gate[c]);
  }

  void Project(const RunContext& context, const int16_t* hidden, int8_t* state) const {
    const LstmPorts& ports = lstm_.layer.ports;
    const LstmShape& shape = lstm_.layer.shape;
    const auto* weights = DataOf<int8_t>(context.inputs[ports.projection]);
    const auto* bias = DataOf<int32_t>(context.inputs[ports.projection_bias]);
    for (int64_t o = 0; o < shape.outputs; ++o) {
      int64_t sum = bias[o];
      for (int64_t c = 0; c < shape.cells; ++c) sum += hidden[c] * weights[o * shape.cells + c];
      const int32_t scaled =
          WrappingAdd(MultiplyByFixed64(sum, lstm_.projection), lstm_.state_zero_point);
      state[o] =
          static_cast<int8_t>(ClampMagnitude(std::clamp(scaled, -128, 127), lstm_.projection_clip));
    }
  }

  ByteSumLstm lstm_;
};

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> PrepareByteSumLstm(const Node& node,
                                                             const LstmLayer& layer) {
  LITERT_ASSIGN_OR_RETURN(const ByteSumLstm lstm, ByteSumLstmOf(node, layer));
  return std::unique_ptr<Kernel>(std::make_unique<ByteSumLstmKernel>(lstm));
}

}  // namespace npukit::kernels

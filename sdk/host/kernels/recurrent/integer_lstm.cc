// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/integer_lstm.h"

#include <fmt/format.h>

#include <cmath>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"

namespace npukit::kernels {
namespace {

// A gate's multipliers; by the gate's place.
struct GateScales {
  FixedMultiplier input;
  FixedMultiplier recurrent;
  FixedMultiplier peephole;
  FixedMultiplier norm;
  int32_t variance_guard = 1;
};

struct IntegerLstm {
  LstmLayer layer;
  std::array<GateScales, 4> gates;
  FixedMultiplier hidden;
  FixedMultiplier projection;
  int32_t input_zero_point = 0;
  int32_t state_zero_point = 0;
  int32_t hidden_zero_point = 0;
  int32_t cell_log2 = 0;  // the cell's scale is 2^cell_log2
  int32_t cell_clip = 0;  // 0: none
  int32_t projection_clip = 0;
};

// The scale and zero point of an intermediate tensor.
litert::Expected<AffineParams> IntermediateParams(const Node& node, size_t index) {
  const auto& intermediates = node.op->intermediates;
  if (intermediates.size() != 5 || intermediates[index] == nullptr) {
    return InvalidNode(node, fmt::format("has {} intermediate tensors, needs 5 where it computes "
                                         "with integers",
                                         intermediates.size()));
  }
  const Operand operand{.tensor = intermediates[index], .shape = {}};
  const Quantization& quantization = operand.quantization();
  if (quantization.scale.empty() || !(quantization.scale[0] > 0) ||
      !std::isfinite(quantization.scale[0])) {
    return InvalidNode(node, &operand, "is an intermediate without a scale that is positive");
  }
  return AffineParams{.scale = quantization.scale[0],
                      .zero_point = static_cast<int32_t>(quantization.ZeroPointOf(0))};
}

litert::Expected<float> ScaleOf(const Node& node, size_t input) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, *node.inputs[input]));
  return params.scale;
}

// TFLite computes scales in float32, those with powers of two in float64.
litert::Expected<GateScales> GateScalesOf(const Node& node, const IntegerLstm& lstm, size_t gate) {
  const LstmPorts& ports = lstm.layer.ports;
  const bool normed = node.input(ports.norms + kForgetGate) != nullptr;
  // Gates are int16 with three integer bits, as the logistic and tanh take them; with layer
  // normalisation the sums have a scale of their own, and Normalize gives three integer bits.
  float gate_scale = 0x1p-12f;
  if (normed) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, IntermediateParams(node, gate));
    gate_scale = params.scale;
  }
  GateScales scales;
  LITERT_ASSIGN_OR_RETURN(const float in, ScaleOf(node, ports.input));
  LITERT_ASSIGN_OR_RETURN(const float state, ScaleOf(node, ports.output_state));
  LITERT_ASSIGN_OR_RETURN(const float weights, ScaleOf(node, ports.input_weights + gate));
  LITERT_ASSIGN_OR_RETURN(const float recurrent, ScaleOf(node, ports.recurrent_weights + gate));
  LITERT_ASSIGN_OR_RETURN(scales.input, CheckedMultiplier(node, weights * in / gate_scale));
  LITERT_ASSIGN_OR_RETURN(scales.recurrent,
                          CheckedMultiplier(node, recurrent * state / gate_scale));
  constexpr std::array<size_t, 4> kPeepholes = {0, 1, kNoInput, 2};
  if (kPeepholes[gate] != kNoInput && node.input(ports.peepholes + kPeepholes[gate]) != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const float peephole,
                            ScaleOf(node, ports.peepholes + kPeepholes[gate]));
    const double real = std::ldexp(1.0, lstm.cell_log2) * peephole / gate_scale;
    LITERT_ASSIGN_OR_RETURN(scales.peephole, CheckedMultiplier(node, static_cast<float>(real)));
  }
  if (normed) {
    LITERT_ASSIGN_OR_RETURN(const float norm, ScaleOf(node, ports.norms + gate));
    LITERT_ASSIGN_OR_RETURN(scales.norm, CheckedMultiplier(node, norm));
    scales.variance_guard = std::max(1, CutToInt32(10000 * norm));
  }
  return scales;
}

litert::Expected<void> SetStateParams(const Node& node, IntegerLstm& lstm) {
  const LstmPorts& ports = lstm.layer.ports;
  const LstmShape& shape = lstm.layer.shape;
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[ports.input]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams state,
                          PerTensorParams(node, *node.inputs[ports.output_state]));
  LITERT_ASSIGN_OR_RETURN(const float cell, ScaleOf(node, ports.cell_state));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  lstm.input_zero_point = in.zero_point;
  lstm.state_zero_point = state.zero_point;
  const float log2 = std::log(cell) * (1.0f / std::log(2.0f));
  lstm.cell_log2 = static_cast<int32_t>(std::round(log2));
  if (std::fabs(log2 - std::round(log2)) >= 1e-3f || lstm.cell_log2 < -15 || lstm.cell_log2 > -9) {
    return InvalidNode(node, node.inputs[ports.cell_state],
                       "must have a scale that is a power of two from 2^-15 to 2^-9");
  }
  lstm.cell_clip = ClipInSteps(shape.cell_clip, cell, 32767);
  lstm.projection_clip = ClipInSteps(shape.projection_clip, out.scale, 127);
  LITERT_ASSIGN_OR_RETURN(const AffineParams hidden, IntermediateParams(node, 4));
  lstm.hidden_zero_point = hidden.zero_point;
  // The output gate and tanh of the cell are both fractions of 2^15.
  const double hidden_real = 0x1p-15 / hidden.scale * 0x1p-15;
  LITERT_ASSIGN_OR_RETURN(lstm.hidden, CheckedMultiplier(node, static_cast<float>(hidden_real)));
  if (node.input(ports.projection) != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const float weights, ScaleOf(node, ports.projection));
    LITERT_ASSIGN_OR_RETURN(lstm.projection,
                            CheckedMultiplier(node, weights * hidden.scale / state.scale));
  }
  return {};
}

litert::Expected<IntegerLstm> IntegerLstmOf(const Node& node, const LstmLayer& layer) {
  IntegerLstm lstm{.layer = layer};
  LITERT_RETURN_IF_ERROR(SetStateParams(node, lstm));
  for (size_t gate = 0; gate < 4; ++gate) {
    if (node.input(layer.ports.recurrent_weights + gate) != nullptr &&
        node.input(layer.ports.recurrent_weights + gate)->shape.size() == 1) {
      return UnsupportedNode(node, "diagonal recurrent weights of integers are not supported");
    }
    if (node.input(layer.ports.input_weights + gate) == nullptr) continue;
    LITERT_ASSIGN_OR_RETURN(lstm.gates[gate], GateScalesOf(node, lstm, gate));
  }
  return lstm;
}

// Layer normalisation of one row of a gate, in place: sums in 2^-10 and 2^-20 steps.
void Normalize(int16_t* gate, const int16_t* weights, const int32_t* bias, const GateScales& scales,
               int64_t cells) {
  int64_t sum = 0;
  int64_t squares = 0;
  for (int64_t c = 0; c < cells; ++c) {
    sum += gate[c];
    squares += int64_t{gate[c]} * gate[c];
  }
  const auto mean = static_cast<int32_t>(sum * 1024 / cells);
  // 2^20 is divided before it is multiplied: TFLite cuts there, and results are the same bit by
  // bit.
  const int64_t variance = squares * ((1 << 20) / cells) - int64_t{mean} * mean;
  auto steps = static_cast<int32_t>(variance / (1 << 20));
  if (steps < 1) steps = scales.variance_guard;
  const FixedMultiplier inverse = InverseSqrt(steps);
  for (int64_t c = 0; c < cells; ++c) {
    const int32_t centred = MultiplyByFixed(1024 * gate[c] - mean, inverse);
    const int64_t weighted = WrappingAdd(WrappingMul(centred, weights[c]), bias[c]);
    const auto rounded =
        static_cast<int32_t>((weighted > 0 ? weighted + 512 : weighted - 512) / 1024);
    // 12 more: to three integer bits.
    const FixedMultiplier scale{.mantissa = scales.norm.mantissa, .shift = scales.norm.shift + 12};
    gate[c] = SaturateTo16(MultiplyByFixed(rounded, scale));
  }
}

class IntegerLstmKernel final : public Kernel {
 public:
  IntegerLstmKernel(const IntegerLstm& lstm, const Microkernels& microkernels)
      : lstm_(lstm), microkernels_(microkernels) {
    const LstmLayer& layer = lstm.layer;
    // Batches of one time step that lie side by side are computed together, as in TFLite:
    // AddPeephole shows how many they are.
    group_ = layer.layout.time_major || layer.layout.steps == 1 ? layer.layout.batches : 1;
    scratch_bytes_ = static_cast<size_t>(group_ * layer.shape.cells) * (4 * sizeof(int16_t) + 1);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const LstmLayer& layer = lstm_.layer;
    const LstmShape& shape = layer.shape;
    const int8_t* in = DataOf<int8_t>(context.inputs[layer.ports.input]);
    int8_t* states = DataOf<int8_t>(context.variables[layer.ports.output_state]);
    int16_t* cells = DataOf<int16_t>(context.variables[layer.ports.cell_state]);
    int8_t* out = DataOf<int8_t>(context.outputs[0]);
    for (int64_t b = 0; b < layer.layout.batches; b += group_) {
      int8_t* state = states + b * shape.outputs;
      for (int64_t t = 0; t < layer.layout.steps; ++t) {
        Step(context, in + layer.layout.At(b, t, shape.inputs), state, cells + b * shape.cells);
        std::copy_n(state, group_ * shape.outputs, out + layer.layout.At(b, t, shape.outputs));
      }
    }
    return {};
  }

 private:
  template <typename T>
  static const T* Given(const RunContext& context, size_t index) {
    if (index >= context.inputs.size() || context.inputs[index].empty()) return nullptr;
    return DataOf<T>(context.inputs[index]);
  }

  // One time step of `group_` batches.
  void Step(const RunContext& context, const int8_t* in, int8_t* state, int16_t* cell) const {
    const int64_t count = group_ * lstm_.layer.shape.cells;
    auto* scratch = DataOf<int16_t>(context.scratch);
    int16_t* in_gate = scratch;
    int16_t* forget = scratch + count;
    int16_t* candidate = scratch + 2 * count;
    int16_t* out_gate = scratch + 3 * count;
    auto* hidden = reinterpret_cast<int8_t*>(scratch + 4 * count);
    const bool coupled = Given<int8_t>(context, lstm_.layer.ports.input_weights) == nullptr;
    if (!coupled) Gate(context, kInputGate, in, state, cell, in_gate);
    Gate(context, kForgetGate, in, state, cell, forget);
    Gate(context, kCellGate, in, state, cell, candidate);
    for (int64_t i = 0; i < count; ++i) {
      // Gates are fractions of 2^15. The candidate is one too, so that its product is in steps of
      // 2^-30, the cell in steps of 2^cell_log2. Coupled, the input gate is 1 less the forget gate.
      const int32_t kept = RoundingDivideByPowerOfTwo(int32_t{forget[i]} * cell[i], 15);
      const int32_t through = coupled ? 32767 - forget[i] : in_gate[i];
      const auto added = static_cast<int16_t>(RoundingDivideByPowerOfTwo(
          static_cast<int16_t>(through) * candidate[i], 30 + lstm_.cell_log2));
      const int16_t sum = SaturateTo16(static_cast<int16_t>(kept) + added);
      cell[i] = static_cast<int16_t>(ClampMagnitude(sum, lstm_.cell_clip));
    }
    Gate(context, kOutputGate, in, state, cell, out_gate);
    Output(context, cell, out_gate, /*tanh=*/candidate, hidden, state);
  }

  // take(r, bias[r] + row r times (vector - zero point))
  template <typename Take>
  void ForEachSum(const int8_t* weights, const int32_t* bias, const int8_t* vector,
                  int32_t zero_point, int64_t rows, int64_t cols, Take take) const {
    constexpr int64_t kTogether = 64;  // rows whose sums are held
    std::array<int32_t, kTogether> sums;
    for (int64_t first = 0; first < rows; first += kTogether) {
      const int64_t count = std::min(kTogether, rows - first);
      microkernels_.dot_int8(weights + first * cols, count, cols, vector, zero_point, sums.data());
      for (int64_t r = 0; r < count; ++r)
        take(first + r, WrappingAdd(sums[r], bias == nullptr ? 0 : bias[first + r]));
    }
  }

  // gate[r] += scaled(bias[r] + row r times (vector - zero point)), saturated.
  void AddProducts(const int8_t* weights, const int32_t* bias, const int8_t* vector,
                   int32_t zero_point, FixedMultiplier scale, int64_t rows, int64_t cols,
                   int16_t* gate) const {
    ForEachSum(weights, bias, vector, zero_point, rows, cols, [&](int64_t r, int32_t sum) {
      gate[r] = SaturateTo16(WrappingAdd(MultiplyByFixed(sum, scale), gate[r]));
    });
  }

  void Gate(const RunContext& context, LstmGate which, const int8_t* in, const int8_t* state,
            const int16_t* cell, int16_t* gate) const {
    const LstmPorts& ports = lstm_.layer.ports;
    const LstmShape& shape = lstm_.layer.shape;
    const GateScales& scales = lstm_.gates[which];
    const auto* bias = Given<int32_t>(context, ports.biases + which);
    const auto* norm = Given<int16_t>(context, ports.norms + which);
    std::fill_n(gate, group_ * shape.cells, int16_t{0});
    for (int64_t b = 0; b < group_; ++b) {
      int16_t* row = gate + b * shape.cells;
      AddProducts(Given<int8_t>(context, ports.input_weights + which),
                  norm == nullptr ? bias : nullptr, in + b * shape.inputs, lstm_.input_zero_point,
                  scales.input, shape.cells, shape.inputs, row);
      AddProducts(Given<int8_t>(context, ports.recurrent_weights + which), nullptr,
                  state + b * shape.outputs, lstm_.state_zero_point, scales.recurrent, shape.cells,
                  shape.outputs, row);
    }
    if (which != kCellGate) {
      const size_t place = which == kOutputGate ? 2 : static_cast<size_t>(which);
      if (const auto* peephole = Given<int16_t>(context, ports.peepholes + place))
        AddPeephole(peephole, scales.peephole, cell, gate);
    }
    for (int64_t b = 0; norm != nullptr && b < group_; ++b)
      Normalize(gate + b * shape.cells, norm, bias, scales, shape.cells);
    if (which == kCellGate) {
      microkernels_.tanh16(3, gate, group_ * shape.cells);
    } else {
      microkernels_.logistic16(gate, group_ * shape.cells);
    }
  }

  // TFLite walks over as many elements of each batch as there are outputs, without a gap: with a
  // projection that is not as many as there are cells.
  void AddPeephole(const int16_t* peephole, FixedMultiplier scale, const int16_t* cell,
                   int16_t* gate) const {
    const LstmShape& shape = lstm_.layer.shape;
    int64_t i = 0;
    for (int64_t b = 0; b < group_; ++b) {
      for (int64_t v = 0; v < shape.outputs && i < group_ * shape.cells; ++v, ++i) {
        if (v >= shape.cells) continue;
        const int32_t product = MultiplyByFixed(int32_t{peephole[v]} * cell[i], scale);
        gate[i] = SaturateTo16(WrappingAdd(product, gate[i]));
      }
    }
  }

  // `tanh` is room for as many numbers as there are cells.
  void Output(const RunContext& context, const int16_t* cell, const int16_t* out_gate,
              int16_t* tanh, int8_t* hidden, int8_t* state) const {
    const LstmPorts& ports = lstm_.layer.ports;
    const LstmShape& shape = lstm_.layer.shape;
    const auto* weights = Given<int8_t>(context, ports.projection);
    const auto* bias = Given<int32_t>(context, ports.projection_bias);
    int8_t* shown = weights == nullptr ? state : hidden;
    const int32_t zero_point =
        weights == nullptr ? lstm_.hidden_zero_point : -lstm_.hidden_zero_point;
    std::copy_n(cell, group_ * shape.cells, tanh);
    microkernels_.tanh16(15 + lstm_.cell_log2, tanh, group_ * shape.cells);
    for (int64_t i = 0; i < group_ * shape.cells; ++i) {
      const int32_t product = MultiplyByFixed(int32_t{out_gate[i]} * tanh[i], lstm_.hidden);
      shown[i] = static_cast<int8_t>(std::clamp(WrappingAdd(product, zero_point), -128, 127));
    }
    for (int64_t b = 0; weights != nullptr && b < group_; ++b)
      Project(weights, bias, hidden + b * shape.cells, zero_point, state + b * shape.outputs);
  }

  void Project(const int8_t* weights, const int32_t* bias, const int8_t* hidden, int32_t zero_point,
               int8_t* state) const {
    const LstmShape& shape = lstm_.layer.shape;
    ForEachSum(weights, bias, hidden, zero_point, shape.outputs, shape.cells,
               [&](int64_t r, int32_t sum) {
                 const int32_t scaled =
                     WrappingAdd(MultiplyByFixed(sum, lstm_.projection), lstm_.state_zero_point);
                 state[r] = static_cast<int8_t>(
                     ClampMagnitude(std::clamp(scaled, -128, 127), lstm_.projection_clip));
               });
  }

  IntegerLstm lstm_;
  const Microkernels& microkernels_;
  int64_t group_ = 1;  // batches that are computed together
};

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> PrepareIntegerLstm(const Node& node,
                                                             const LstmLayer& layer,
                                                             const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const IntegerLstm lstm, IntegerLstmOf(node, layer));
  return std::unique_ptr<Kernel>(
      std::make_unique<IntegerLstmKernel>(lstm, MicrokernelsFor(options.isa)));
}

}  // namespace npukit::kernels

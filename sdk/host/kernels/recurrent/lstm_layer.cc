// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/lstm_layer.h"

#include <fmt/format.h>

#include "litert/cc/litert_macros.h"

namespace npukit::kernels {
namespace {

litert::Expected<void> CheckShape(const Node& node, size_t index, const Shape& expected,
                                  bool required) {
  const Operand* operand = node.input(index);
  if (operand == nullptr) {
    if (!required) return {};
    return NodeError(node, kLiteRtStatusErrorMissingInputTensor,
                     fmt::format("input {} is missing", index));
  }
  if (operand->shape != expected)
    return InvalidNode(node, operand, "must have the shape " + ShapeText(expected));
  return {};
}

size_t Gate(size_t first, size_t gate) { return first == kNoInput ? kNoInput : first + gate; }

litert::Expected<void> CheckGates(const Node& node, const LstmLayer& layer) {
  const LstmPorts& ports = layer.ports;
  const auto inputs = static_cast<int32_t>(layer.shape.inputs);
  const auto aux_inputs = static_cast<int32_t>(layer.shape.aux_inputs);
  const auto cells = static_cast<int32_t>(layer.shape.cells);
  const auto outputs = static_cast<int32_t>(layer.shape.outputs);
  const bool coupled = node.input(ports.input_weights) == nullptr;
  const bool normed = node.input(Gate(ports.norms, kForgetGate)) != nullptr;
  for (size_t gate = 0; gate < 4; ++gate) {
    const bool present = gate != kInputGate || !coupled;
    LITERT_RETURN_IF_ERROR(CheckShape(node, ports.input_weights + gate, {cells, inputs}, present));
    const Operand* recurrent = node.input(ports.recurrent_weights + gate);
    const bool diagonal = recurrent != nullptr && recurrent->shape.size() == 1;
    const Shape recurrent_shape = diagonal ? Shape{cells} : Shape{cells, outputs};
    LITERT_RETURN_IF_ERROR(
        CheckShape(node, ports.recurrent_weights + gate, recurrent_shape, present));
    if (diagonal && cells != outputs)
      return InvalidNode(node, recurrent, "cannot be diagonal where there is a projection");
    LITERT_RETURN_IF_ERROR(CheckShape(node, ports.biases + gate, {cells}, present));
    LITERT_RETURN_IF_ERROR(CheckShape(node, Gate(ports.norms, gate), {cells}, present && normed));
    LITERT_RETURN_IF_ERROR(CheckShape(node, Gate(ports.aux_weights, gate), {cells, aux_inputs},
                                      present && layer.shape.aux_inputs > 0));
  }
  return {};
}

litert::Expected<void> CheckTensors(const Node& node, const LstmLayer& layer) {
  const LstmPorts& ports = layer.ports;
  const auto cells = static_cast<int32_t>(layer.shape.cells);
  const auto outputs = static_cast<int32_t>(layer.shape.outputs);
  const auto batches = static_cast<int32_t>(layer.layout.batches);
  LITERT_RETURN_IF_ERROR(CheckGates(node, layer));
  for (size_t peephole = 0; peephole < 3; ++peephole) {
    LITERT_RETURN_IF_ERROR(CheckShape(node, ports.peepholes + peephole, {cells}, false));
  }
  LITERT_RETURN_IF_ERROR(CheckShape(node, ports.projection, {outputs, cells}, false));
  LITERT_RETURN_IF_ERROR(CheckShape(node, ports.projection_bias, {outputs}, false));
  LITERT_RETURN_IF_ERROR(CheckShape(node, ports.output_state, {batches, outputs}, true));
  LITERT_RETURN_IF_ERROR(CheckShape(node, ports.cell_state, {batches, cells}, true));
  for (size_t state : {ports.output_state, ports.cell_state}) {
    if (!node.input(state)->tensor->is_variable)
      return InvalidNode(node, node.input(state), "must be a variable");
  }
  return {};
}

// The layer's weights, by a function from an input's place to a matrix or null.
template <typename Math, typename Get>
LstmWeights<Math> WeightsOf(const LstmPorts& ports, bool has_aux, Get get) {
  LstmWeights<Math> weights;
  for (size_t gate = 0; gate < 4; ++gate) {
    weights.gates[gate] = {.input = get(ports.input_weights + gate),
                           .aux = has_aux ? get(Gate(ports.aux_weights, gate)) : nullptr,
                           .recurrent = get(ports.recurrent_weights + gate),
                           .bias = get(ports.biases + gate),
                           .norm = get(Gate(ports.norms, gate))};
  }
  weights.gates[kInputGate].peephole = get(ports.peepholes);
  weights.gates[kForgetGate].peephole = get(ports.peepholes + 1);
  weights.gates[kOutputGate].peephole = get(ports.peepholes + 2);
  weights.projection = get(ports.projection);
  weights.projection_bias = get(ports.projection_bias);
  return weights;
}

// Every given input but activations and states.
litert::Expected<std::vector<MatrixSource>> SourcesOf(const Node& node,
                                                      std::span<const LstmLayer> layers) {
  std::vector<MatrixSource> sources(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    LITERT_ASSIGN_OR_RETURN(sources[i], MatrixSourceOf(node, i));
    for (const LstmLayer& layer : layers) {
      const size_t first = layer.ports.recurrent_weights;
      if (i >= first && i < first + 4) sources[i].is_diagonal = node.inputs[i]->shape.size() == 1;
    }
  }
  return sources;
}

bool IsHybrid(const Node& node, const LstmLayer& layer) {
  return node.input(layer.ports.input_weights + kOutputGate)->type() != kLiteRtElementTypeFloat32;
}

// As many inputs as any LSTM operator has.
constexpr size_t kMostInputs = 48;

class FloatLstmKernel final : public Kernel {
 public:
  FloatLstmKernel(std::vector<LstmLayer> layers, std::vector<MatrixSource> sources, bool hybrid,
                  const Microkernels& microkernels)
      : layers_(std::move(layers)),
        sources_(std::move(sources)),
        hybrid_(hybrid),
        microkernels_(microkernels) {
    for (const LstmLayer& layer : layers_) {
      const size_t floats = static_cast<size_t>(FloatsOf(layer.shape)) * sizeof(float);
      scratch_bytes_ =
          std::max(scratch_bytes_, floats + static_cast<size_t>(layer.shape.room_elems()));
    }
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    for (const LstmLayer& layer : layers_) RunLayer(layer, context);
    return {};
  }

 private:
  static int64_t FloatsOf(const LstmShape& shape) { return shape.gate_elems() + shape.sum_elems(); }

  void RunLayer(const LstmLayer& layer, const RunContext& context) const {
    const LstmShape& shape = layer.shape;
    const LstmPorts& ports = layer.ports;
    std::array<FloatMath::Matrix, kMostInputs> matrices;
    const auto weights = WeightsOf<FloatMath>(
        ports, shape.aux_inputs > 0, [&](size_t index) -> const FloatMath::Matrix* {
          if (index >= context.inputs.size() || context.inputs[index].empty()) return nullptr;
          matrices[index] = sources_[index].Of(context);
          return &matrices[index];
        });
    float* scratch = DataOf<float>(context.scratch);
    const FloatMath math(hybrid_, layer.asymmetric, microkernels_);
    const LstmStep<FloatMath> step(
        math, shape, weights,
        {.gates = scratch,
         .sums = scratch + shape.gate_elems(),
         .vectors = reinterpret_cast<int8_t*>(scratch + FloatsOf(shape))});
    const float* input = DataOf<float>(context.inputs[ports.input]);
    const float* aux = shape.aux_inputs > 0 ? DataOf<float>(context.inputs[ports.aux]) : nullptr;
    float* states = DataOf<float>(context.variables[ports.output_state]);
    float* cells = DataOf<float>(context.variables[ports.cell_state]);
    float* out = DataOf<float>(context.outputs[layer.output]) + layer.row_offset;
    for (int64_t b = 0; b < layer.layout.batches; ++b) {
      float* state = states + b * shape.outputs;
      for (int64_t s = 0; s < layer.layout.steps; ++s) {
        const int64_t t = layer.StepAt(s);
        step.Run(input + layer.layout.At(b, t, shape.inputs),
                 aux == nullptr ? nullptr : aux + layer.layout.At(b, t, shape.aux_inputs), state,
                 cells + b * shape.cells);
        std::copy_n(state, shape.outputs, out + layer.layout.At(b, t, layer.row_width));
      }
    }
  }

  std::vector<LstmLayer> layers_;
  std::vector<MatrixSource> sources_;
  bool hybrid_;
  const Microkernels& microkernels_;
};

void LayerOracle(const Node& node, const LstmLayer& layer, std::span<const MatrixSource> sources,
                 std::span<const OracleTensor* const> inputs, OracleTensor& output) {
  const LstmShape& shape = layer.shape;
  const LstmPorts& ports = layer.ports;
  std::array<BoundedMath::Matrix, kMostInputs> matrices;
  const auto weights = WeightsOf<BoundedMath>(
      ports, shape.aux_inputs > 0, [&](size_t index) -> const BoundedMath::Matrix* {
        if (index >= inputs.size() || inputs[index] == nullptr) return nullptr;
        matrices[index] = sources[index].Of(*inputs[index]);
        return &matrices[index];
      });
  std::vector<Bounded> gates(shape.gate_elems()), vectors(shape.room_elems());
  std::vector<BoundedSum> sums(shape.sum_elems());
  const BoundedMath math(IsHybrid(node, layer));
  const LstmStep<BoundedMath> step(
      math, shape, weights,
      {.gates = gates.data(), .sums = sums.data(), .vectors = vectors.data()});
  const auto row = [&](size_t index, int64_t first, int64_t count) {
    return BoundedRow(*inputs[index], first, count);
  };
  for (int64_t b = 0; b < layer.layout.batches; ++b) {
    std::vector<Bounded> state = row(ports.output_state, b * shape.outputs, shape.outputs);
    std::vector<Bounded> cell = row(ports.cell_state, b * shape.cells, shape.cells);
    for (int64_t s = 0; s < layer.layout.steps; ++s) {
      const int64_t t = layer.StepAt(s);
      const auto input = row(ports.input, layer.layout.At(b, t, shape.inputs), shape.inputs);
      std::vector<Bounded> aux;
      if (shape.aux_inputs > 0)
        aux = row(ports.aux, layer.layout.At(b, t, shape.aux_inputs), shape.aux_inputs);
      step.Run(input.data(), aux.empty() ? nullptr : aux.data(), state.data(), cell.data());
      const int64_t at = layer.row_offset + layer.layout.At(b, t, layer.row_width);
      for (int64_t o = 0; o < shape.outputs; ++o) Put(output, at + o, state[o]);
    }
  }
}

}  // namespace

litert::Expected<LstmLayer> LstmLayerOf(const Node& node, const LstmPorts& ports,
                                        const LstmOptions& options) {
  LstmLayer layer;
  layer.ports = ports;
  layer.asymmetric = options.asymmetric;
  const Operand& in = *node.inputs[ports.input];
  const Operand* output_weights = node.input(ports.input_weights + kOutputGate);
  const Operand* recurrent = node.input(ports.recurrent_weights + kOutputGate);
  LITERT_ASSIGN_OR_RETURN(layer.layout, SequenceLayoutOf(node, in, options.time_major));
  if (output_weights == nullptr || output_weights->shape.size() != 2 || recurrent == nullptr ||
      recurrent->shape.empty() || recurrent->shape.size() > 2) {
    return InvalidNode(node, fmt::format("needs matrices as inputs {} and {}, the output gate's "
                                         "weights",
                                         ports.input_weights + kOutputGate,
                                         ports.recurrent_weights + kOutputGate));
  }
  LITERT_ASSIGN_OR_RETURN(const int64_t aux_inputs, AuxWidth(node, in, node.input(ports.aux)));
  layer.shape = {.inputs = in.shape.back(),
                 .aux_inputs = aux_inputs,
                 .cells = output_weights->shape[0],
                 .outputs = recurrent->shape.back(),
                 .activation = options.activation,
                 .cell_clip = options.cell_clip,
                 .projection_clip = options.projection_clip};
  if (!IsRecurrentActivation(options.activation)) {
    return UnsupportedNode(node,
                           "activation " + EnumName(options.activation) + " is not supported");
  }
  if (node.input(ports.projection) == nullptr && layer.shape.outputs != layer.shape.cells)
    return InvalidNode(node, recurrent, "must be square where there is no projection");
  LITERT_RETURN_IF_ERROR(CheckTensors(node, layer));
  layer.row_width = layer.shape.outputs;
  return layer;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareFloatLstm(const Node& node,
                                                           std::vector<LstmLayer> layers,
                                                           const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(std::vector<MatrixSource> sources, SourcesOf(node, layers));
  const bool hybrid = IsHybrid(node, layers.front());
  return std::unique_ptr<Kernel>(std::make_unique<FloatLstmKernel>(
      std::move(layers), std::move(sources), hybrid, MicrokernelsFor(options.isa)));
}

litert::Expected<void> FloatLstmOracle(const Node& node, std::span<const LstmLayer> layers,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<MatrixSource> sources, SourcesOf(node, layers));
  for (const LstmLayer& layer : layers)
    LayerOracle(node, layer, sources, inputs, outputs[layer.output]);
  return {};
}

}  // namespace npukit::kernels

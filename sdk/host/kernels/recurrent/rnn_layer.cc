// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/rnn_layer.h"

#include <fmt/format.h>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/recurrent/recurrent_arithmetic.h"

namespace npukit::kernels {
namespace {

// Of one layer; null where it has none.
template <typename Math>
struct Weights {
  using Matrix = typename Math::Matrix;
  const Matrix* input = nullptr;
  const Matrix* aux = nullptr;
  const Matrix* recurrent = nullptr;
  const Matrix* bias = nullptr;
};

struct Sources {
  MatrixSource input, aux, recurrent, bias;
};

litert::Expected<Sources> SourcesOf(const Node& node, const RnnLayer& layer) {
  Sources sources;
  LITERT_ASSIGN_OR_RETURN(sources.input, MatrixSourceOf(node, layer.ports.weights));
  LITERT_ASSIGN_OR_RETURN(sources.recurrent, MatrixSourceOf(node, layer.ports.recurrent));
  LITERT_ASSIGN_OR_RETURN(sources.bias, MatrixSourceOf(node, layer.ports.bias));
  if (layer.aux_inputs > 0) {
    LITERT_ASSIGN_OR_RETURN(sources.aux, MatrixSourceOf(node, layer.ports.aux_weights));
  }
  return sources;
}

// One step of one batch; TFLite adds the products in this order.
template <typename Math>
void Step(const Math& math, const RnnLayer& layer, const Weights<Math>& weights,
          const typename Math::Number* input, const typename Math::Number* aux,
          typename Math::Number* state, typename Math::Sum* sums, typename Math::Room* room) {
  for (int64_t u = 0; u < layer.units; ++u) {
    sums[u] = {};
    math.Add(sums[u], (*weights.bias)[u]);
  }
  math.AddProducts(*weights.input, math.Take(input, layer.inputs, room), layer.units, layer.inputs,
                   sums);
  if (aux != nullptr) {
    math.AddProducts(*weights.aux, math.Take(aux, layer.aux_inputs, room), layer.units,
                     layer.aux_inputs, sums);
  }
  math.AddProducts(*weights.recurrent, math.Take(state, layer.units, room), layer.units,
                   layer.units, sums);
  for (int64_t u = 0; u < layer.units; ++u)
    state[u] = ActivationOf(math.Result(sums[u]), layer.options.activation);
}

int64_t RoomOf(const RnnLayer& layer) {
  return std::max({layer.inputs, layer.aux_inputs, layer.units});
}

class RnnKernel final : public Kernel {
 public:
  RnnKernel(std::vector<RnnLayer> layers, std::vector<Sources> sources,
            const Microkernels& microkernels)
      : layers_(std::move(layers)), sources_(std::move(sources)), microkernels_(microkernels) {
    for (const RnnLayer& layer : layers_) {
      scratch_bytes_ = std::max(scratch_bytes_, static_cast<size_t>(layer.units) * sizeof(float) +
                                                    static_cast<size_t>(RoomOf(layer)));
    }
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    for (size_t i = 0; i < layers_.size(); ++i) RunLayer(layers_[i], sources_[i], context);
    return {};
  }

 private:
  void RunLayer(const RnnLayer& layer, const Sources& sources, const RunContext& context) const {
    const RnnPorts& ports = layer.ports;
    const FloatMath math(sources.input.is_stored, layer.options.asymmetric, microkernels_);
    const FloatMath::Matrix input_weights = sources.input.Of(context);
    const FloatMath::Matrix recurrent = sources.recurrent.Of(context);
    const FloatMath::Matrix bias = sources.bias.Of(context);
    FloatMath::Matrix aux_weights;
    const float* aux = nullptr;
    if (layer.aux_inputs > 0) {
      aux_weights = sources.aux.Of(context);
      aux = DataOf<float>(context.inputs[ports.aux]);
    }
    const Weights<FloatMath> weights{&input_weights, &aux_weights, &recurrent, &bias};
    const float* input = DataOf<float>(context.inputs[ports.input]);
    float* states = DataOf<float>(context.variables[ports.state]);
    float* out = DataOf<float>(context.outputs[layer.output]) + layer.row_offset;
    float* sums = DataOf<float>(context.scratch);
    auto* room = reinterpret_cast<int8_t*>(sums + layer.units);
    for (int64_t b = 0; b < layer.layout.batches; ++b) {
      float* state = states + b * layer.units;
      for (int64_t s = 0; s < layer.layout.steps; ++s) {
        const int64_t t = layer.StepAt(s);
        Step(math, layer, weights, input + layer.layout.At(b, t, layer.inputs),
             aux == nullptr ? nullptr : aux + layer.layout.At(b, t, layer.aux_inputs), state, sums,
             room);
        std::copy_n(state, layer.units, out + layer.layout.At(b, t, layer.row_width));
      }
    }
  }

  std::vector<RnnLayer> layers_;
  std::vector<Sources> sources_;
  const Microkernels& microkernels_;
};

void LayerOracle(const RnnLayer& layer, const Sources& sources,
                 std::span<const OracleTensor* const> inputs, OracleTensor& output) {
  const RnnPorts& ports = layer.ports;
  const BoundedMath math(sources.input.is_stored);
  const BoundedMath::Matrix input_weights = sources.input.Of(*inputs[ports.weights]);
  const BoundedMath::Matrix recurrent = sources.recurrent.Of(*inputs[ports.recurrent]);
  const BoundedMath::Matrix bias = sources.bias.Of(*inputs[ports.bias]);
  BoundedMath::Matrix aux_weights;
  if (layer.aux_inputs > 0) aux_weights = sources.aux.Of(*inputs[ports.aux_weights]);
  const Weights<BoundedMath> weights{&input_weights, &aux_weights, &recurrent, &bias};
  std::vector<BoundedSum> sums(static_cast<size_t>(layer.units));
  std::vector<Bounded> room(static_cast<size_t>(RoomOf(layer)));
  const auto row = [&](size_t index, int64_t first, int64_t count) {
    return BoundedRow(*inputs[index], first, count);
  };
  for (int64_t b = 0; b < layer.layout.batches; ++b) {
    std::vector<Bounded> state = row(ports.state, b * layer.units, layer.units);
    for (int64_t s = 0; s < layer.layout.steps; ++s) {
      const int64_t t = layer.StepAt(s);
      const auto input = row(ports.input, layer.layout.At(b, t, layer.inputs), layer.inputs);
      std::vector<Bounded> aux;
      if (layer.aux_inputs > 0)
        aux = row(ports.aux, layer.layout.At(b, t, layer.aux_inputs), layer.aux_inputs);
      Step(math, layer, weights, input.data(), aux.empty() ? nullptr : aux.data(), state.data(),
           sums.data(), room.data());
      const int64_t at = layer.row_offset + layer.layout.At(b, t, layer.row_width);
      for (int64_t u = 0; u < layer.units; ++u) Put(output, at + u, state[static_cast<size_t>(u)]);
    }
  }
}

}  // namespace

litert::Expected<RnnLayer> RnnLayerOf(const Node& node, const RnnPorts& ports,
                                      const RnnOptions& options) {
  RnnLayer layer;
  layer.ports = ports;
  layer.options = options;
  const Operand& in = *node.inputs[ports.input];
  LITERT_ASSIGN_OR_RETURN(layer.layout, SequenceLayoutOf(node, in, options.time_major));
  const Operand& weights = *node.inputs[ports.weights];
  if (weights.shape.size() != 2) return InvalidNode(node, &weights, "must have 2 dimensions");
  if (!IsRecurrentActivation(options.activation)) {
    return UnsupportedNode(node,
                           "activation " + EnumName(options.activation) + " is not supported");
  }
  const int32_t units = weights.shape[0];
  const int32_t inputs = in.shape.back();
  LITERT_ASSIGN_OR_RETURN(layer.aux_inputs, AuxWidth(node, in, node.input(ports.aux)));
  if (layer.aux_inputs > 0) {
    const Operand* aux_weights = node.input(ports.aux_weights);
    const Shape expected = {units, static_cast<int32_t>(layer.aux_inputs)};
    if (aux_weights == nullptr || aux_weights->shape != expected) {
      return InvalidNode(node, fmt::format("input {} must be given, with the shape {}",
                                           ports.aux_weights, ShapeText(expected)));
    }
  }
  const auto batches = static_cast<int32_t>(layer.layout.batches);
  const std::pair<size_t, Shape> shapes[] = {{ports.weights, {units, inputs}},
                                             {ports.recurrent, {units, units}},
                                             {ports.bias, {units}},
                                             {ports.state, {batches, units}}};
  for (const auto& [input, shape] : shapes) {
    if (node.inputs[input]->shape != shape)
      return InvalidNode(node, node.inputs[input], "must have the shape " + ShapeText(shape));
  }
  if (!node.inputs[ports.state]->tensor->is_variable)
    return InvalidNode(node, node.inputs[ports.state], "must be a variable");
  layer.inputs = inputs;
  layer.units = layer.row_width = units;
  return layer;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareRnn(const Node& node, std::vector<RnnLayer> layers,
                                                     const PrepareOptions& options) {
  std::vector<Sources> sources(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(sources[i], SourcesOf(node, layers[i]));
  }
  return std::unique_ptr<Kernel>(std::make_unique<RnnKernel>(std::move(layers), std::move(sources),
                                                             MicrokernelsFor(options.isa)));
}

litert::Expected<void> RnnOracle(const Node& node, std::span<const RnnLayer> layers,
                                 std::span<const OracleTensor* const> inputs,
                                 std::span<OracleTensor> outputs) {
  for (const RnnLayer& layer : layers) {
    LITERT_ASSIGN_OR_RETURN(const Sources sources, SourcesOf(node, layer));
    LayerOracle(layer, sources, inputs, outputs[layer.output]);
  }
  return {};
}

}  // namespace npukit::kernels

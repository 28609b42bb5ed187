// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/recurrent/lstm.h"

namespace npukit::kernels {
namespace {

// Inputs by position; gates in the order input, forget, cell, output.
constexpr size_t kInputWeights = 1;
constexpr size_t kRecurrentWeights = 5;
constexpr size_t kPeepholes = 9;  // input, forget, output
constexpr size_t kBiases = 12;
constexpr size_t kProjection = 16;
constexpr size_t kProjectionBias = 17;
constexpr size_t kOutputState = 18;
constexpr size_t kCellState = 19;
constexpr size_t kNorms = 20;

struct Sequence {
  LstmShape shape;
  int64_t batches = 1;
  int64_t steps = 1;
  bool time_major = false;

  // First element of one batch's step, with rows of `width`.
  int64_t At(int64_t batch, int64_t step, int64_t width) const {
    return (time_major ? step * batches + batch : batch * steps + step) * width;
  }
};

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

litert::Expected<Sequence> SequenceOf(const Node& node) {
  const auto* options = node.op->OptionsAs<UnidirectionalSequenceLSTMOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Operand& in = *node.inputs[0];
  const Operand* output_weights = node.input(kInputWeights + kOutputGate);
  const Operand* recurrent = node.input(kRecurrentWeights + kOutputGate);
  if (in.shape.size() != 2 && in.shape.size() != 3)
    return InvalidNode(node, &in, "must have 2 or 3 dimensions");
  if (output_weights == nullptr || output_weights->shape.size() != 2 || recurrent == nullptr ||
      recurrent->shape.size() != 2) {
    return InvalidNode(node, "needs matrices as inputs 4 and 8, the output gate's weights");
  }
  if (options->diagonal_recurrent_tensors)
    return UnsupportedNode(node, "diagonal recurrent weights are not supported");
  Sequence sequence;
  if (in.shape.size() == 3) {
    sequence.time_major = options->time_major;
    sequence.batches = in.shape[options->time_major ? 1 : 0];
    sequence.steps = in.shape[options->time_major ? 0 : 1];
  } else {
    sequence.batches = in.shape[0];
  }
  sequence.shape = {.inputs = in.shape.back(),
                    .cells = output_weights->shape[0],
                    .outputs = recurrent->shape[1],
                    .activation = options->fused_activation_function,
                    .cell_clip = options->cell_clip,
                    .projection_clip = options->proj_clip};
  const ActivationFunctionType activation = sequence.shape.activation;
  if (activation != ActivationFunctionType::kTanh && activation != ActivationFunctionType::kNone &&
      activation != ActivationFunctionType::kRelu && activation != ActivationFunctionType::kRelu6) {
    return UnsupportedNode(node, "activation " + EnumName(activation) + " is not supported");
  }
  if (node.input(kProjection) == nullptr && sequence.shape.outputs != sequence.shape.cells) {
    return InvalidNode(node, recurrent, "must be square where there is no projection");
  }
  return sequence;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Sequence sequence, SequenceOf(node));
  const auto inputs = static_cast<int32_t>(sequence.shape.inputs);
  const auto cells = static_cast<int32_t>(sequence.shape.cells);
  const auto outputs = static_cast<int32_t>(sequence.shape.outputs);
  const auto batches = static_cast<int32_t>(sequence.batches);
  const bool coupled = node.input(kInputWeights) == nullptr;
  const bool normed = node.input(kNorms + kForgetGate) != nullptr;
  for (size_t gate = 0; gate < 4; ++gate) {
    const bool present = gate != kInputGate || !coupled;
    LITERT_RETURN_IF_ERROR(CheckShape(node, kInputWeights + gate, {cells, inputs}, present));
    LITERT_RETURN_IF_ERROR(CheckShape(node, kRecurrentWeights + gate, {cells, outputs}, present));
    LITERT_RETURN_IF_ERROR(CheckShape(node, kBiases + gate, {cells}, present));
    LITERT_RETURN_IF_ERROR(CheckShape(node, kNorms + gate, {cells}, present && normed));
  }
  for (size_t peephole = 0; peephole < 3; ++peephole) {
    LITERT_RETURN_IF_ERROR(CheckShape(node, kPeepholes + peephole, {cells}, false));
  }
  LITERT_RETURN_IF_ERROR(CheckShape(node, kProjection, {outputs, cells}, false));
  LITERT_RETURN_IF_ERROR(CheckShape(node, kProjectionBias, {outputs}, false));
  LITERT_RETURN_IF_ERROR(CheckShape(node, kOutputState, {batches, outputs}, true));
  LITERT_RETURN_IF_ERROR(CheckShape(node, kCellState, {batches, cells}, true));
  for (size_t state : {kOutputState, kCellState}) {
    if (!node.input(state)->tensor->is_variable)
      return InvalidNode(node, node.input(state), "must be a variable");
  }
  Shape shape = node.inputs[0]->shape;
  shape.back() = outputs;
  return Inferred{.shapes = {std::move(shape)}};
}

// `reader(index)`: null where the input is omitted.
template <typename Reader, typename Get>
LstmWeights<Reader> WeightsOf(Get get) {
  LstmWeights<Reader> weights;
  for (size_t gate = 0; gate < 4; ++gate) {
    weights.gates[gate] = {.input = get(kInputWeights + gate),
                           .recurrent = get(kRecurrentWeights + gate),
                           .bias = get(kBiases + gate),
                           .norm = get(kNorms + gate)};
  }
  weights.gates[kInputGate].peephole = get(kPeepholes);
  weights.gates[kForgetGate].peephole = get(kPeepholes + 1);
  weights.gates[kOutputGate].peephole = get(kPeepholes + 2);
  weights.projection = get(kProjection);
  weights.projection_bias = get(kProjectionBias);
  return weights;
}

class LstmKernel final : public Kernel {
 public:
  explicit LstmKernel(const Sequence& sequence) : sequence_(sequence) {
    scratch_bytes_ = static_cast<size_t>(4 * sequence.shape.cells) * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    std::array<const float*, 24> data = {};
    const auto weights = WeightsOf<const float*>([&](size_t index) -> const float* const* {
      if (index >= context.inputs.size() || context.inputs[index].empty()) return nullptr;
      data[index] = DataOf<float>(context.inputs[index]);
      return &data[index];
    });
    const LstmShape& shape = sequence_.shape;
    float* states = DataOf<float>(context.variables[kOutputState]);
    float* cells = DataOf<float>(context.variables[kCellState]);
    for (int64_t b = 0; b < sequence_.batches; ++b) {
      float* state = states + b * shape.outputs;
      for (int64_t t = 0; t < sequence_.steps; ++t) {
        LstmStep<float, FloatSum>(
            shape, weights, DataOf<float>(context.inputs[0]) + sequence_.At(b, t, shape.inputs),
            state, cells + b * shape.cells, DataOf<float>(context.scratch));
        std::copy_n(state, shape.outputs,
                    DataOf<float>(context.outputs[0]) + sequence_.At(b, t, shape.outputs));
      }
    }
    return {};
  }

 private:
  Sequence sequence_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Sequence sequence, SequenceOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<LstmKernel>(sequence));
}

// Reads an oracle tensor element by element.
struct BoundedReader {
  const OracleTensor* tensor = nullptr;
  Bounded operator[](int64_t elem) const { return At(*tensor, elem); }
};

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Sequence sequence, SequenceOf(node));
  const LstmShape& shape = sequence.shape;
  std::array<BoundedReader, 24> readers = {};
  const auto weights = WeightsOf<BoundedReader>([&](size_t index) -> const BoundedReader* {
    if (index >= inputs.size() || inputs[index] == nullptr) return nullptr;
    readers[index].tensor = inputs[index];
    return &readers[index];
  });
  std::vector<Bounded> input(shape.inputs), state(shape.outputs), cell(shape.cells),
      scratch(4 * shape.cells);
  for (int64_t b = 0; b < sequence.batches; ++b) {
    for (int64_t o = 0; o < shape.outputs; ++o)
      state[o] = At(*inputs[kOutputState], b * shape.outputs + o);
    for (int64_t c = 0; c < shape.cells; ++c)
      cell[c] = At(*inputs[kCellState], b * shape.cells + c);
    for (int64_t t = 0; t < sequence.steps; ++t) {
      for (int64_t i = 0; i < shape.inputs; ++i)
        input[i] = At(*inputs[0], sequence.At(b, t, shape.inputs) + i);
      LstmStep<Bounded, BoundedDot>(shape, weights, input.data(), state.data(), cell.data(),
                                    scratch.data());
      for (int64_t o = 0; o < shape.outputs; ++o)
        Put(outputs[0], sequence.At(b, t, shape.outputs) + o, state[o]);
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(UnidirectionalSequenceLstm) = {
    .doc = {.formula = "for each step: c = clip(f c + i g), h = o a(c), projected and clipped if "
                       "asked for; see lstm.h",
            .source = "TFLite UNIDIRECTIONAL_SEQUENCE_LSTM, reference kernels"},
    .signature = "float32, float32?{23} -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What layers that step through sequences have in common, whatever their cell: the order of steps, where
// they read and write, and the second direction of a bidirectional operator.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_SEQUENCE_LAYER_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_SEQUENCE_LAYER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

inline constexpr size_t kNoInput = static_cast<size_t>(-1);

// Batches of sequences, as the input lays them out.
struct SequenceLayout {
  int64_t batches = 1;
  int64_t steps = 1;
  bool time_major = false;

  // First element of one batch's step, with rows of `width`.
  int64_t At(int64_t batch, int64_t step, int64_t width) const {
    return (time_major ? step * batches + batch : batch * steps + step) * width;
  }
};

// The input is [batches, width] or, by the option, [batches, steps, width] or [steps, batches, width].
litert::Expected<SequenceLayout> SequenceLayoutOf(const Node& node, const Operand& input,
                                                  bool time_major);

struct SequenceLayer {
  SequenceLayout layout;
  bool backwards = false;
  // Where the layer writes: its part of the output's rows.
  size_t output = 0;
  int64_t row_width = 0;
  int64_t row_offset = 0;

  // The step in the sequence that the layer does as its n-th.
  int64_t StepAt(int64_t n) const { return backwards ? layout.steps - 1 - n : n; }
};

// Elements of the auxiliary input's rows, which has the input's shape otherwise; 0 without one.
litert::Expected<int64_t> AuxWidth(const Node& node, const Operand& input, const Operand* aux);

// What two directions read of a given auxiliary input: with weights of its own (`forward_weights`,
// `backward_weights`) both add it, without them it is the second one's input. `is_weighted`: an input
// that is there exactly in the first case.
template <typename Ports>
void ReadAux(const Node& node, size_t aux, size_t forward_weights, size_t backward_weights,
             size_t is_weighted, Ports& forward, Ports& backward) {
  if (node.input(aux) == nullptr) return;
  if (node.input(is_weighted) == nullptr) {
    backward.input = aux;
    return;
  }
  forward.aux = backward.aux = aux;
  forward.aux_weights = forward_weights;
  backward.aux_weights = backward_weights;
}

// Has the second layer go backwards, and both write one output's rows, or one output each. Each layer's
// row_width is its own when called. `aux`: the input that the layers' sizes may differ by.
litert::Expected<void> JoinDirections(const Node& node, const Operand* aux, bool merge_outputs,
                                      SequenceLayer& first, SequenceLayer& second);

// The outputs' shapes: the input's with the layers' rows.
template <typename Layer>
Inferred InferLayers(const Node& node, const std::vector<Layer>& layers) {
  Inferred inferred;
  for (size_t output = 0; output <= layers.back().output; ++output) {
    Shape shape = node.inputs[0]->shape;
    shape.back() = static_cast<int32_t>(layers[output].row_width);
    inferred.shapes.push_back(std::move(shape));
  }
  return inferred;
}

// A row of an oracle's input.
std::vector<Bounded> BoundedRow(const OracleTensor& tensor, int64_t first, int64_t count);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_SEQUENCE_LAYER_H_

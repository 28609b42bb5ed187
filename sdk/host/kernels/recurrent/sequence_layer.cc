// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/sequence_layer.h"

#include <algorithm>

namespace npukit::kernels {

litert::Expected<SequenceLayout> SequenceLayoutOf(const Node& node, const Operand& input,
                                                  bool time_major) {
  if (input.shape.size() != 2 && input.shape.size() != 3)
    return InvalidNode(node, &input, "must have 2 or 3 dimensions");
  SequenceLayout layout;
  if (input.shape.size() == 3) {
    layout.time_major = time_major;
    layout.batches = input.shape[time_major ? 1 : 0];
    layout.steps = input.shape[time_major ? 0 : 1];
  } else {
    layout.batches = input.shape[0];
  }
  return layout;
}

litert::Expected<int64_t> AuxWidth(const Node& node, const Operand& input, const Operand* aux) {
  if (aux == nullptr) return 0;
  if (aux->shape.size() != input.shape.size() ||
      !std::equal(aux->shape.begin(), aux->shape.end() - 1, input.shape.begin()))
    return InvalidNode(node, aux, "must have the input's shape but for the last dimension");
  return aux->shape.back();
}

litert::Expected<void> JoinDirections(const Node& node, const Operand* aux, bool merge_outputs,
                                      SequenceLayer& first, SequenceLayer& second) {
  if (first.layout.batches != second.layout.batches || first.layout.steps != second.layout.steps)
    return InvalidNode(node, aux, "must have the input's batches and steps");
  second.backwards = true;
  if (merge_outputs) {
    second.row_offset = first.row_width;
    first.row_width = second.row_width = first.row_width + second.row_width;
  } else {
    second.output = 1;
  }
  return {};
}

std::vector<Bounded> BoundedRow(const OracleTensor& tensor, int64_t first, int64_t count) {
  std::vector<Bounded> row;
  row.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) row.push_back(At(tensor, first + i));
  return row;
}

}  // namespace npukit::kernels

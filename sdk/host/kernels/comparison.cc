// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/comparison.h"

namespace npukit::kernels {

litert::Expected<Inferred> InferComparison(const Node& node, bool allows_bool) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 2}));
  const Operand& a = *node.inputs[0];
  if (!allows_bool || a.type() != kLiteRtElementTypeBool) {
    LITERT_RETURN_IF_ERROR(
        CheckType(node, a,
                  {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
                   kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64}));
  }
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *node.inputs[1], a));
  LITERT_RETURN_IF_ERROR(CheckType(node, *node.outputs[0], {kLiteRtElementTypeBool}));
  LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, a, *node.inputs[1]));
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels

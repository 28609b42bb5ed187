// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise.h"

namespace npukit::kernels {

litert::Expected<Inferred> InferUnarySameType(const Node& node,
                                              std::initializer_list<LiteRtElementType> types) {
  if (auto ok = CheckNode(node, {}); !ok) return ok.Error();
  if (auto ok = CheckType(node, *node.inputs[0], types); !ok) return ok.Error();
  if (auto ok = CheckSameType(node, *node.outputs[0], *node.inputs[0]); !ok) return ok.Error();
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

litert::Expected<Inferred> InferBinarySameType(const Node& node,
                                               std::initializer_list<LiteRtElementType> types) {
  if (auto ok = CheckNode(node, {.min_inputs = 2, .max_inputs = 2}); !ok) return ok.Error();
  if (auto ok = CheckType(node, *node.inputs[0], types); !ok) return ok.Error();
  if (auto ok = CheckSameType(node, *node.inputs[1], *node.inputs[0]); !ok) return ok.Error();
  if (auto ok = CheckSameType(node, *node.outputs[0], *node.inputs[0]); !ok) return ok.Error();
  litert::Expected<Shape> shape = BroadcastShapes(node, *node.inputs[0], *node.inputs[1]);
  if (!shape) return shape.Error();
  return Inferred{.shapes = {*shape}};
}

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/map_layer.h"

#include <utility>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

namespace acme::compiler {

std::shared_ptr<Map> MapOf(Dtype in, Dtype out) {
  auto map = std::make_shared<Map>();
  map->in = in;
  map->out = out;
  const ClampRange open = OpenRange(out);
  map->clamp = {.lo = open.lo, .hi = open.hi};
  return map;
}

std::shared_ptr<Map> MapOf(const OneOperand& operands) {
  return MapOf(operands.x.value.dtype, operands.y.value.dtype);
}

Expected<void> AddMap(const litert::Op& op, const OneOperand& operands, std::shared_ptr<Map> map,
                      NetworkBuilder& builder) {
  if (operands.x.value.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape");
  ACME_ASSIGN_OR_RETURN(map->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(map));
}

}  // namespace acme::compiler

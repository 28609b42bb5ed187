// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CAST to float32, which every integer type does alike on every machine.

#include <bit>
#include <memory>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {

Expected<void> LegalizeCast(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  std::shared_ptr<Map> map = MapOf(operands);
  map->function = ConvertOp::kCast;
  // A byte that is not 0 is true, whatever it is.
  if (map->in == Dtype::kBool) map->clamp.hi = std::bit_cast<int32_t>(1.0f);
  return AddMap(op, operands, std::move(map), builder);
}

}  // namespace acme::compiler

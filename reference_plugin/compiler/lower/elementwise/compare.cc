// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/compare.h"

#include <fmt/format.h>

#include <array>

#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {

LayerWork Compare::Work(const Network& network, ValueId output) const {
  return {.vector_elems = static_cast<uint64_t>(network.value(output).Elems()),
          .dtype = network.value(a).dtype};
}

std::string Compare::Describe() const {
  return fmt::format("{} v{} v{} {}", NameOf(op), a, b, ToString(walk));
}

std::shared_ptr<const LayerOp> Compare::Rows(const RowRange& result,
                                             std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Compare>(*this);
  std::array<WalkOperand, 2> operands = {{{a, base_elems[0]}, {b, base_elems[1]}}};
  rows->walk = RowsOf(walk, result, row_elems, held, operands);
  rows->a = operands[0].value;
  rows->b = operands[1].value;
  rows->base_elems = {operands[0].base_elems, operands[1].base_elems};
  return rows;
}

Expected<void> Compare::Lower(ValueId output, LoweringContext& context) const {
  const std::array<WalkOperand, 2> operands = {{{a, base_elems[0]}, {b, base_elems[1]}}};
  LowerWalk(walk, operands, output, context, [&](const WalkPart& part) {
    context.Append(
        {.config = {ShapeConfig(part.extent), ViewConfig(View::kDst, part.result.stride_bytes),
                    ViewConfig(View::kA, part.operands[0].stride_bytes),
                    ViewConfig(View::kB, part.operands[1].stride_bytes)},
         .work = isa::VCompare{.op = op,
                               .dtype = context.value(a).dtype,
                               .dst = U(part.result.offset),
                               .a = U(part.operands[0].offset),
                               .b = U(part.operands[1].offset)}});
  });
  return {};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the mask does not name is copied first, all of it; then what it names is written over it.

#include "reference_plugin/compiler/lower/elementwise/select.h"

#include <fmt/format.h>

#include <array>

#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {

LayerWork Select::Work(const Network& network, ValueId output) const {
  const Value& result = network.value(output);
  return {.vector_elems = static_cast<uint64_t>(result.Elems()), .dtype = result.dtype};
}

std::string Select::Describe() const {
  return fmt::format("select v{} v{} v{} {}", mask, yes, no, ToString(walk));
}

std::shared_ptr<const LayerOp> Select::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Select>(*this);
  std::array<WalkOperand, 3> operands = {
      {{mask, base_elems[0]}, {yes, base_elems[1]}, {no, base_elems[2]}}};
  rows->walk = RowsOf(walk, result, row_elems, held, operands);
  rows->mask = operands[0].value;
  rows->yes = operands[1].value;
  rows->no = operands[2].value;
  for (size_t i = 0; i < operands.size(); ++i) rows->base_elems[i] = operands[i].base_elems;
  return rows;
}

Expected<void> Select::Lower(ValueId output, LoweringContext& context) const {
  const std::array<WalkOperand, 3> operands = {
      {{mask, base_elems[0]}, {yes, base_elems[1]}, {no, base_elems[2]}}};
  // Bits are copied: the type by size, so that no float is looked at.
  const int64_t bytes = SizeBytes(context.value(output).dtype);
  const Dtype bits = bytes == 1 ? Dtype::kI8 : bytes == 2 ? Dtype::kI16 : Dtype::kI32;
  LowerWalk(walk, operands, output, context, [&](const WalkPart& part) {
    context.Append({.config = {OpenClamp(Dtype::kI32), ShapeConfig(part.extent),
                               ViewConfig(View::kDst, part.result.stride_bytes),
                               ViewConfig(View::kA, part.operands[2].stride_bytes)},
                    .work = isa::VUnary{.op = UnaryOp::kCopy,
                                        .dtype = bits,
                                        .dst = U(part.result.offset),
                                        .a = U(part.operands[2].offset)}});
    context.Append(
        {.config = {ShapeConfig(part.extent), ViewConfig(View::kDst, part.result.stride_bytes),
                    ViewConfig(View::kA, part.operands[1].stride_bytes),
                    ViewConfig(View::kB, part.operands[0].stride_bytes)},
         .work = isa::VSelect{.dtype = bits,
                              .dst = U(part.result.offset),
                              .a = U(part.operands[1].offset),
                              .b = U(part.operands[0].offset)}});
  });
  return {};
}

}  // namespace acme::compiler

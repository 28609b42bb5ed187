// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations of two operands: the extents are cut into boxes that fit a step; operands
// that live in the scratchpad are read where they are.

#include "reference_plugin/compiler/lower/elementwise/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {
namespace {

std::vector<AnyInstr> QuantConfig(const Binary& op) {
  return {isa::VQuant{.view = View::kA,
                      .zp = op.a.zero_point,
                      .mult = std::bit_cast<uint32_t>(op.a.scale.mult),
                      .shift = op.a.scale.shift,
                      .left_shift = op.left_shift},
          isa::VQuant{.view = View::kB,
                      .zp = op.b.zero_point,
                      .mult = std::bit_cast<uint32_t>(op.b.scale.mult),
                      .shift = op.b.scale.shift},
          isa::VQuant{.view = View::kDst,
                      .zp = op.out_zp,
                      .mult = std::bit_cast<uint32_t>(op.out_scale.mult),
                      .shift = op.out_scale.shift,
                      .rounding = Rounding::kDouble}};
}

// Operands of one walk of the vector engine's four dimensions.
struct Layouts {
  OperandLayout a;
  OperandLayout b;
  OperandLayout y;
};

int64_t StepBytes(const Layouts& layouts, const Extent4& box, const LoweringContext& context) {
  return StepBytesOf(layouts.a, box, context) + StepBytesOf(layouts.b, box, context) +
         StepBytesOf(layouts.y, box, context);
}

void LowerPart(const Binary& op, const Layouts& layouts, const Extent4& origin, const Extent4& part,
               LoweringContext& context) {
  const int64_t a_buffer = context.BeginStep(StepBytes(layouts, part, context));
  const int64_t b_buffer = a_buffer + StepBytesOf(layouts.a, part, context);
  const int64_t y_buffer = b_buffer + StepBytesOf(layouts.b, part, context);
  const ScratchpadBox a_box = ReadBox(layouts.a, origin, part, a_buffer, context);
  const ScratchpadBox b_box = ReadBox(layouts.b, origin, part, b_buffer, context);
  const ScratchpadBox y_box = ResultBox(layouts.y, origin, part, y_buffer, context);
  Task task;
  task.config = QuantConfig(op);
  task.config.insert(
      task.config.end(),
      {isa::VClamp{.lo = op.clamp.lo, .hi = op.clamp.hi}, ShapeConfig(part),
       ViewConfig(View::kDst, y_box.stride_bytes), ViewConfig(View::kA, a_box.stride_bytes),
       ViewConfig(View::kB, b_box.stride_bytes)});
  task.work = isa::VBinary{.op = op.op,
                           .dtype = context.value(layouts.y.value).dtype,
                           .dst = U(y_box.offset),
                           .a = U(a_box.offset),
                           .b = U(b_box.offset)};
  context.Append(std::move(task));
  StoreBox(layouts.y, origin, part, y_box, context);
}

}  // namespace

LayerWork Binary::Work(const Network& network, ValueId output) const {
  const Value& result = network.value(output);
  return {.vector_elems = static_cast<uint64_t>(result.Elems()), .dtype = result.dtype};
}

std::string Binary::Describe() const {
  std::string text = fmt::format("{} extent {}", NameOf(op), fmt::join(extent, " "));
  for (const OuterDimension& dimension : outer) {
    text += fmt::format(" outer {} ({}, {})", dimension.extent, dimension.a_stride_elems,
                        dimension.b_stride_elems);
  }
  const auto describe = [&text](const char* name, const Operand& operand) {
    text += fmt::format(" {} v{} strides {}", name, operand.value,
                        fmt::join(operand.stride_elems, " "));
    if (operand.base_elems > 0) text += fmt::format(" from {}", operand.base_elems);
    text += fmt::format(" zp {} scale {}", operand.zero_point, ToString(operand.scale));
  };
  describe("a", a);
  describe("b", b);
  return text + fmt::format(" left shift {} out zp {} scale {} clamp {}", left_shift, out_zp,
                            ToString(out_scale), ToString(clamp));
}

int32_t RowDimension(const std::array<int32_t, 4>& extent, int32_t row_elems) {
  int64_t inner = 1;
  for (int32_t d = 0; d < 4; ++d) {
    const bool last =
        std::all_of(extent.begin() + d + 1, extent.end(), [](int32_t elems) { return elems == 1; });
    if (last && row_elems % inner == 0 && extent[static_cast<size_t>(d)] % (row_elems / inner) == 0)
      return d;
    inner *= extent[static_cast<size_t>(d)];
  }
  return -1;
}

std::vector<ValueId> Binary::Images() const {
  std::vector<ValueId> images;
  if (a_is_image) images.push_back(a.value);
  if (b_is_image) images.push_back(b.value);
  return images;
}

std::shared_ptr<const LayerOp> Binary::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Binary>(*this);
  const auto d = static_cast<size_t>(RowDimension(extent, row_elems));
  int32_t steps = row_elems;  // of the dimension, in a row
  for (size_t inner = 0; inner < d; ++inner) steps /= extent[inner];
  rows->extent[d] = result.size() * steps;
  for (Operand* operand : {&rows->a, &rows->b}) {
    const HeldRows image = FindRows(operand->value, held);
    operand->base_elems =
        int64_t{result.begin - image.rows.begin} * steps * operand->stride_elems[d];
    operand->value = image.value;
  }
  return rows;
}

Expected<void> Binary::Lower(ValueId output, LoweringContext& context) const {
  const Binary& op = *this;
  Layouts layouts{{op.a.value, op.a.stride_elems, op.a.base_elems},
                  {op.b.value, op.b.stride_elems, op.b.base_elems},
                  {output, DenseStrides(op.extent)}};
  // Three operands at most: a third of the step each.
  const int64_t elem_bytes = SizeBytes(context.value(output).dtype);
  const int64_t max_elems =
      std::clamp<int64_t>((context.StepBytes() - 3 * 64) / (3 * elem_bytes), 1, kOverlapElems);
  const Extent4 box = ChooseBox(op.extent, max_elems);
  int64_t walks = 1;
  for (const OuterDimension& dimension : op.outer) walks *= dimension.extent;
  for (int64_t walk = 0; walk < walks; ++walk) {
    layouts.a.base_elems = op.a.base_elems;
    layouts.b.base_elems = op.b.base_elems;
    layouts.y.base_elems = walk * BoxElems(op.extent);
    int64_t rest = walk;
    for (const OuterDimension& dimension : op.outer) {
      const int64_t index = rest % dimension.extent;
      layouts.a.base_elems += index * dimension.a_stride_elems;
      layouts.b.base_elems += index * dimension.b_stride_elems;
      rest /= dimension.extent;
    }
    ForEachBox(op.extent, box, [&](const Extent4& origin, const Extent4& part) {
      LowerPart(op, layouts, origin, part, context);
    });
  }
  return {};
}

}  // namespace acme::compiler

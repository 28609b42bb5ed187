// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations of two operands: the extents are cut into boxes that fit a step; operands
// that live in the scratchpad are read where they are.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/binary_instruction.h"
#include "reference_plugin/compiler/lower/elementwise/repeated_row.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// What the vector engine reads: a part of a value, or what stands in the scratchpad already and is
// the same for all rows.
struct Source {
  OperandLayout layout;
  std::optional<ScratchpadBox> row;
};

int64_t StepBytesOf(const Source& source, const Extent4& box, const LoweringContext& context) {
  return source.row ? 0 : StepBytesOf(source.layout, box, context);
}

ScratchpadBox ReadBox(const Source& source, const Extent4& origin, const Extent4& box,
                      int64_t buffer, LoweringContext& context) {
  if (!source.row) return ReadBox(source.layout, origin, box, buffer, context);
  ScratchpadBox part = *source.row;
  part.offset += int64_t{origin[0]} * part.stride_bytes[0];
  return part;
}

// Operands of one walk of the vector engine's four dimensions.
struct Layouts {
  std::vector<Source> sides;  // a, b and, if there is one, c
  OperandLayout y;
  // What is done with rows of y besides: the dimensions, from the innermost on, that a row has.
  std::optional<Epilogue> epilogue;
  size_t row_rank = 0;
  std::optional<isa::VEpilogue> extremes;  // of y that are found on the way

  bool HasEpilogue() const { return epilogue || extremes; }
};

// Of the part at `origin` of a result of that extent.
isa::VEpilogue EpilogueConfig(const Layouts& layouts, const Extent4& extent,
                              const Extent4& origin) {
  int64_t row = 0;
  int64_t rows = 1;
  for (size_t d = layouts.row_rank; d < kVectorRank; ++d) {
    row += origin[d] * rows;
    rows *= extent[d];
  }
  return {.op = layouts.epilogue->op,
          .dims = (1u << layouts.row_rank) - 1,
          .dst = U(layouts.epilogue->scratchpad + row * SizeBytes(Dtype::kF32))};
}

int64_t StepBytes(const Layouts& layouts, const Extent4& box, const LoweringContext& context) {
  int64_t bytes = StepBytesOf(layouts.y, box, context);
  for (const Source& side : layouts.sides) bytes += StepBytesOf(side, box, context);
  return bytes;
}

void LowerPart(const Binary& op, const Layouts& layouts, const Extent4& origin, const Extent4& part,
               LoweringContext& context) {
  int64_t buffer = context.BeginStep(StepBytes(layouts, part, context));
  std::vector<ScratchpadBox> boxes;
  for (const Source& side : layouts.sides) {
    boxes.push_back(ReadBox(side, origin, part, buffer, context));
    buffer += StepBytesOf(side, part, context);
  }
  const ScratchpadBox y_box = ResultBox(layouts.y, origin, part, buffer, context);
  Task task;
  if (!op.then || op.converts_result) task.config = QuantConfig(op, View::kDst);
  task.config.insert(
      task.config.end(),
      {isa::VClamp{.lo = op.clamp.lo, .hi = op.clamp.hi}, ShapeConfig(part),
       ViewConfig(View::kDst, y_box.stride_bytes), ViewConfig(View::kA, boxes[0].stride_bytes),
       ViewConfig(View::kB, boxes[1].stride_bytes)});
  if (layouts.epilogue) task.config.emplace_back(EpilogueConfig(layouts, op.extent, origin));
  if (layouts.extremes) task.config.emplace_back(*layouts.extremes);
  if (op.then) {
    task.config.insert(task.config.end(), {ViewConfig(View::kC, boxes[2].stride_bytes),
                                           isa::VParams{.addr = U(boxes[2].offset)}});
    task.work = isa::VChain{.op = op.op,
                            .then = op.then->op,
                            .reversed = op.then->reversed,
                            .dst = U(y_box.offset),
                            .a = U(boxes[0].offset),
                            .b = U(boxes[1].offset),
                            .epilogue = layouts.HasEpilogue(),
                            .convert_dst = op.converts_result};
  } else {
    isa::VBinary binary = BinaryInstruction(op, context.value(layouts.y.value).dtype);
    binary.dst = U(y_box.offset);
    binary.a = U(boxes[0].offset);
    binary.b = U(boxes[1].offset);
    binary.epilogue = layouts.HasEpilogue();
    task.work = binary;
  }
  context.Append(std::move(task));
  StoreBox(layouts.y, origin, part, y_box, context);
}

// One row for all of the other operand's.
bool IsOneRow(const Binary::Operand& operand) {
  return operand.stride_elems[0] == 1 && operand.stride_elems[1] == 0;
}
bool IsDense(const Binary::Operand& operand, int32_t row_elems) {
  return operand.stride_elems[0] == 1 && operand.stride_elems[1] == row_elems;
}

// Whether its result stands without gaps, as one walk.
bool IsDenseWalk(const Binary& op) {
  return op.outer.empty() && (op.y_pitch == 0 || op.y_pitch == op.extent[0]);
}

// How often the operand that is one row should stand behind itself; 1: as often as it is stored.
int32_t RepetitionsOf(const Binary& op, Dtype dtype, const LoweringContext& context) {
  const bool plane = IsDenseWalk(op) && op.extent[1] > 1 && op.extent[2] == 1 && op.extent[3] == 1;
  const bool one_row =
      IsOneRow(op.b) ? IsDense(op.a, op.extent[0]) : IsOneRow(op.a) && IsDense(op.b, op.extent[0]);
  if (!plane || !one_row || op.then) return 1;
  const Hardware& hardware = context.hardware();
  // The repeated row is a buffer of its own; the other operand and the result have a third of the
  // step each (BinaryLowering), so that a quarter stays within it.
  const int64_t max_elems = context.StepBytes() / 4 / SizeBytes(dtype);
  return ChooseRepetitions(op.extent[0], op.extent[1], LanesFor(dtype, hardware),
                           hardware.vector_startup_cycles, max_elems);
}

class BinaryLowering {
 public:
  BinaryLowering(const Binary& op, ValueId output, LoweringContext& context)
      : op_(op),
        context_(context),
        dtype_(op.ComputedIn(context.value(output).dtype)),
        repetitions_(RepetitionsOf(op, dtype_, context)) {
    const bool writes_floats = context.value(output).dtype == Dtype::kF32;
    if (writes_floats && IsDenseWalk(op) && repetitions_ == 1) TakeEpilogue(output);
    for (const Binary::Operand* side : std::as_const(op_).Sides())
      layouts_.sides.push_back({{side->value, side->stride_elems, side->base_elems}, std::nullopt});
    layouts_.y = {output, op_.ResultStrides()};
    layouts_.extremes = context.ExtremesOf(output);
  }

  void Run() {
    if (repetitions_ > 1) return RunRepeated();
    int64_t walks = 1;
    for (const OuterDimension& dimension : op_.outer) walks *= dimension.extent;
    for (int64_t walk = 0; walk < walks; ++walk) {
      layouts_.sides[0].layout.base_elems = op_.a.base_elems;
      layouts_.sides[1].layout.base_elems = op_.b.base_elems;
      layouts_.y.base_elems = walk * BoxElems(op_.extent);
      int64_t rest = walk;
      for (const OuterDimension& dimension : op_.outer) {
        const int64_t index = rest % dimension.extent;
        layouts_.sides[0].layout.base_elems += index * dimension.a_stride_elems;
        layouts_.sides[1].layout.base_elems += index * dimension.b_stride_elems;
        rest /= dimension.extent;
      }
      RunWalk(op_.extent);
    }
  }

 private:
  void RunWalk(const Extent4& extent) {
    ForEachBox(extent, ChooseBox(extent, MaxElems()),
               [&](const Extent4& origin, const Extent4& part) {
                 LowerPart(op_, layouts_, origin, part, context_);
               });
  }

  // All operands alike: a third of the step each, or a quarter.
  int64_t MaxElems() const {
    const auto operands = static_cast<int64_t>(op_.Sides().size()) + 1;
    return std::clamp<int64_t>(
        (context_.StepBytes() - operands * 64) / (operands * SizeBytes(dtype_)), 1, kOverlapElems);
  }

  // If there is a reduction of rows that fill the lanes, by a walk over rows that cuts none.
  void TakeEpilogue(ValueId output) {
    const std::optional<Epilogue> epilogue = context_.EpilogueOf(output);
    if (!epilogue || epilogue->row_elems < LanesFor(dtype_, context_.hardware())) return;
    const Binary rows = op_.WithPitch(static_cast<int32_t>(epilogue->row_elems), 0).value_or(op_);
    const Extent4 box = ChooseBox(rows.extent, MaxElems());
    int64_t elems = 1;
    size_t rank = 0;
    while (rank < kVectorRank && elems < epilogue->row_elems) {
      if (box[rank] != rows.extent[rank]) return;
      elems *= rows.extent[rank++];
    }
    if (elems != epilogue->row_elems) return;
    op_ = rows;
    layouts_.epilogue = epilogue;
    layouts_.row_rank = rank;
    context_.TakeEpilogue(output);
  }

  // Rows of several rows each, then what is left.
  void RunRepeated() {
    const bool is_b = IsOneRow(op_.b);
    const Binary::Operand& row = is_b ? op_.b : op_.a;
    Source& repeated = layouts_.sides[is_b ? 1 : 0];
    OperandLayout& other = layouts_.sides[is_b ? 0 : 1].layout;
    repeated.row = RepeatRow(row.value, row.base_elems, op_.extent[0], repetitions_, context_);
    const int32_t length = op_.extent[0] * repetitions_;
    const int32_t rows = op_.extent[1] / repetitions_;
    other.stride_elems = {1, length, 0, 0};
    layouts_.y.stride_elems = {1, length, 0, 0};
    RunWalk({length, rows, 1, 1});
    const int32_t rest = op_.extent[1] % repetitions_;
    if (rest == 0) return;
    other.base_elems += int64_t{length} * rows;
    layouts_.y.base_elems += int64_t{length} * rows;
    RunWalk({op_.extent[0] * rest, 1, 1, 1});
  }

  Binary op_;
  LoweringContext& context_;
  Dtype dtype_;          // what it computes in
  int32_t repetitions_;  // of an operand that is one row (RepetitionsOf)
  Layouts layouts_;
};

}  // namespace

bool Binary::FindsExtremes(const Value& whole) const {
  return whole.dtype == Dtype::kF32 && whole.Elems() > kOverlapElems;
}

Expected<void> Binary::Lower(ValueId output, LoweringContext& context) const {
  BinaryLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

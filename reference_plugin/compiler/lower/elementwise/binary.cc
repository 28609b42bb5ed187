// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations of two operands: the extents are cut into boxes that fit a step; operands
// that live in the scratchpad are read where they are.

#include "reference_plugin/compiler/lower/elementwise/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/repeated_row.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "simulator/timing/instruction_cost.h"

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
};

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
  if (!op.then) task.config = QuantConfig(op);
  task.config.insert(
      task.config.end(),
      {isa::VClamp{.lo = op.clamp.lo, .hi = op.clamp.hi}, ShapeConfig(part),
       ViewConfig(View::kDst, y_box.stride_bytes), ViewConfig(View::kA, boxes[0].stride_bytes),
       ViewConfig(View::kB, boxes[1].stride_bytes)});
  if (op.then) {
    task.config.insert(task.config.end(), {ViewConfig(View::kC, boxes[2].stride_bytes),
                                           isa::VParams{.addr = U(boxes[2].offset)}});
    task.work = isa::VChain{.op = op.op,
                            .then = op.then->op,
                            .reversed = op.then->reversed,
                            .dst = U(y_box.offset),
                            .a = U(boxes[0].offset),
                            .b = U(boxes[1].offset)};
  } else {
    task.work = isa::VBinary{.op = op.op,
                             .dtype = op.OperandType(context.value(layouts.y.value).dtype),
                             .dst = U(y_box.offset),
                             .a = U(boxes[0].offset),
                             .b = U(boxes[1].offset)};
  }
  context.Append(std::move(task));
  StoreBox(layouts.y, origin, part, y_box, context);
}

}  // namespace

std::vector<Binary::Operand*> Binary::Sides() {
  std::vector<Operand*> sides = {&a, &b};
  if (then) sides.push_back(&then->c);
  return sides;
}

std::vector<const Binary::Operand*> Binary::Sides() const {
  std::vector<const Operand*> sides = {&a, &b};
  if (then) sides.push_back(&then->c);
  return sides;
}

std::vector<ValueId> Binary::Operands() const {
  std::vector<ValueId> values;
  for (const Operand* side : Sides()) values.push_back(side->value);
  return values;
}

LayerWork Binary::Work(const Network& network, ValueId output) const {
  const Value& result = network.value(output);
  return {.vector_elems = static_cast<uint64_t>(result.Elems()),
          .dtype = OperandType(result.dtype)};
}

Dtype Binary::OperandType(Dtype result) const {
  return op == BinaryOp::kMulRound ? Dtype::kF32 : result;
}

std::array<int32_t, 4> Binary::ResultStrides() const {
  Extent4 whole = extent;
  if (y_pitch > 0) whole[0] = y_pitch;
  return DenseStrides(whole);
}

uint64_t Binary::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  if (!outer.empty()) return LayerOp::ElemsRead(network, output, operand);
  int64_t most = 0;
  for (const Operand* side : Sides()) {
    if (side->value == operand)
      most = std::max(most, BoxElems(StoredExtent({.stride_elems = side->stride_elems}, extent)));
  }
  return static_cast<uint64_t>(most);
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
  if (then) {
    text += fmt::format(" then {}{}", NameOf(then->op), then->reversed ? " reversed" : "");
    describe("c", then->c);
  }
  if (y_pitch > 0) text += fmt::format(" pitch {}", y_pitch);
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
  if (then && then->c_is_image) images.push_back(then->c.value);
  return images;
}

std::shared_ptr<const LayerOp> Binary::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Binary>(*this);
  const auto d = static_cast<size_t>(RowDimension(extent, row_elems));
  int32_t steps = row_elems;  // of the dimension, in a row
  for (size_t inner = 0; inner < d; ++inner) steps /= extent[inner];
  rows->extent[d] = result.size() * steps;
  for (Operand* operand : rows->Sides()) {
    // What is there as a whole begins with row 0; a broadcast operand has a stride of 0.
    const HeldRows image = FindRows(operand->value, held);
    operand->base_elems +=
        int64_t{result.begin - image.rows.begin} * steps * operand->stride_elems[d];
    operand->value = image.value;
  }
  return rows;
}

namespace {

// The same operation with rows of so many columns as its innermost dimension; nothing if there are
// no such rows.
std::optional<Binary> WithColumns(const Binary& op, int32_t cols) {
  if (!op.outer.empty() || op.y_pitch > 0) return std::nullopt;
  if (op.extent[0] == cols) return op;
  if (op.extent[0] % cols != 0 || op.extent[3] != 1) return std::nullopt;
  Binary matrix = op;
  const int32_t rows = op.extent[0] / cols;
  matrix.extent = {cols, rows, op.extent[1], op.extent[2]};
  for (Binary::Operand* operand : matrix.Sides()) {
    const auto& stride = operand->stride_elems;
    operand->stride_elems = {stride[0], stride[0] * cols, stride[1], stride[2]};
  }
  return matrix;
}

}  // namespace

std::optional<Binary> Binary::WithPitch(int32_t cols, int32_t pitch) const {
  std::optional<Binary> rows = WithColumns(*this, cols);
  if (rows) rows->y_pitch = pitch;
  return rows;
}

bool IsWhole(const Binary::Operand& operand, const std::array<int32_t, 4>& extent) {
  const Extent4 dense = DenseStrides(extent);
  for (size_t d = 0; d < kVectorRank; ++d) {
    if (extent[d] > 1 && operand.stride_elems[d] != dense[d]) return false;
  }
  return operand.base_elems == 0;
}

const ColumnWise* Binary::AsColumnWise(int32_t cols) const {
  return WithColumns(*this, cols) ? this : nullptr;
}

std::vector<ValueId> Binary::Matrices(int32_t cols) const {
  std::vector<ValueId> matrices;
  const std::optional<Binary> matrix = WithColumns(*this, cols);
  for (const Operand* operand : std::as_const(*matrix).Sides()) {
    if (IsWhole(*operand, matrix->extent)) matrices.push_back(operand->value);
  }
  return matrices;
}

std::shared_ptr<const LayerOp> Binary::Columns(const ColumnPart& part,
                                               std::span<const HeldColumns> held) const {
  auto columns = std::make_shared<Binary>(*WithColumns(*this, part.all));
  const Extent4 whole = columns->extent;
  columns->extent[0] = part.size();
  columns->y_pitch = part.Pitch();
  for (Operand* operand : columns->Sides()) {
    const ValueId there = FindColumns(operand->value, held);
    if (there != kNoValue && IsWhole(*operand, whole)) {
      operand->value = there;
      operand->stride_elems = DenseStrides(columns->extent);
    } else {
      operand->base_elems += int64_t{part.begin} * operand->stride_elems[0];
    }
  }
  return columns;
}

namespace {

// One row for all of the other operand's.
bool IsOneRow(const Binary::Operand& operand) {
  return operand.stride_elems[0] == 1 && operand.stride_elems[1] == 0;
}
bool IsDense(const Binary::Operand& operand, int32_t row_elems) {
  return operand.stride_elems[0] == 1 && operand.stride_elems[1] == row_elems;
}

// How often the operand that is one row should stand behind itself; 1: as often as it is stored.
int32_t RepetitionsOf(const Binary& op, Dtype dtype, const LoweringContext& context) {
  const bool dense = op.y_pitch == 0 || op.y_pitch == op.extent[0];
  const bool plane =
      op.outer.empty() && dense && op.extent[1] > 1 && op.extent[2] == 1 && op.extent[3] == 1;
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
      : op_(op), context_(context), dtype_(context.value(output).dtype) {
    for (const Binary::Operand* side : op.Sides())
      layouts_.sides.push_back({{side->value, side->stride_elems, side->base_elems}, std::nullopt});
    layouts_.y = {output, op.ResultStrides()};
    // All of them alike: a third of the step each, or a quarter.
    const auto operands = static_cast<int64_t>(layouts_.sides.size()) + 1;
    max_elems_ = std::clamp<int64_t>(
        (context.StepBytes() - operands * 64) / (operands * SizeBytes(dtype_)), 1, kOverlapElems);
  }

  void Run() {
    const int32_t repetitions = RepetitionsOf(op_, dtype_, context_);
    if (repetitions > 1) return RunRepeated(repetitions);
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
    ForEachBox(extent, ChooseBox(extent, max_elems_),
               [&](const Extent4& origin, const Extent4& part) {
                 LowerPart(op_, layouts_, origin, part, context_);
               });
  }

  // Rows of several rows each, then what is left.
  void RunRepeated(int32_t repetitions) {
    const bool is_b = IsOneRow(op_.b);
    const Binary::Operand& row = is_b ? op_.b : op_.a;
    Source& repeated = layouts_.sides[is_b ? 1 : 0];
    OperandLayout& other = layouts_.sides[is_b ? 0 : 1].layout;
    repeated.row = RepeatRow(row.value, row.base_elems, op_.extent[0], repetitions, context_);
    const int32_t length = op_.extent[0] * repetitions;
    const int32_t rows = op_.extent[1] / repetitions;
    other.stride_elems = {1, length, 0, 0};
    layouts_.y.stride_elems = {1, length, 0, 0};
    RunWalk({length, rows, 1, 1});
    const int32_t rest = op_.extent[1] % repetitions;
    if (rest == 0) return;
    other.base_elems += int64_t{length} * rows;
    layouts_.y.base_elems += int64_t{length} * rows;
    RunWalk({op_.extent[0] * rest, 1, 1, 1});
  }

  const Binary& op_;
  LoweringContext& context_;
  Dtype dtype_;
  int64_t max_elems_ = 1;
  Layouts layouts_;
};

}  // namespace

Expected<void> Binary::Lower(ValueId output, LoweringContext& context) const {
  BinaryLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

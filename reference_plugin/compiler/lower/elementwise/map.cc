// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The elements are one row that is cut into pieces that fit a step. A table is loaded once, for all
// of them.

#include "reference_plugin/compiler/lower/elementwise/map.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

constexpr int64_t kAlignBytes = 64;
// What the instruction's extent holds.
constexpr int64_t kMaxPieceElems = 1 << 23;

class MapLowering {
 public:
  MapLowering(const Map& op, ValueId output, LoweringContext& context)
      : op_(op), context_(context) {
    const auto elems = static_cast<int32_t>(context.value(output).Elems());
    extent_ = {elems, 1, 1, 1};
    if (op.cols > 0 && (op.x_pitch > op.cols || op.y_pitch > op.cols))
      extent_ = {op.cols, elems / op.cols, 1, 1};
    x_ = {op.x, DenseStrides(extent_), op.x_base_elems};
    y_ = {output, DenseStrides(extent_)};
    if (extent_[1] > 1) {
      x_.stride_elems[1] = op.x_pitch;
      y_.stride_elems[1] = op.y_pitch;
    }
    table_ = std::get_if<Map::Table>(&op.function);
    if (table_ != nullptr) table_bytes_ = static_cast<int64_t>(table_->bytes.size());
  }

  void Run() {
    const int64_t elem_bytes = SizeBytes(op_.in) + SizeBytes(op_.out);
    const int64_t room = context_.StepBytes() - table_bytes_ - 3 * kAlignBytes;
    // Of any box it is 0 where the value lives in the scratchpad.
    const bool resident = StepBytesOf(x_, {64, 1, 1, 1}, context_) == 0 &&
                          StepBytesOf(y_, {64, 1, 1, 1}, context_) == 0;
    const int64_t most = std::min<int64_t>(kMaxPieceElems, kOverlapElems);
    const int64_t piece = resident ? most : std::clamp<int64_t>(room / elem_bytes, 1, most);
    if (table_ != nullptr) table_at_ = context_.LoadTable(table_->bytes);
    Extent4 box = {static_cast<int32_t>(std::min<int64_t>(piece, extent_[0])), 1, 1, 1};
    box[1] = static_cast<int32_t>(std::clamp<int64_t>(piece / box[0], 1, extent_[1]));
    ForEachBox(extent_, box,
               [&](const Extent4& origin, const Extent4& part) { RunPiece(origin, part); });
  }

 private:
  void RunPiece(const Extent4& origin, const Extent4& part) {
    const int64_t x_bytes = StepBytesOf(x_, part, context_);
    const int64_t y_bytes = StepBytesOf(y_, part, context_);
    const int64_t step = context_.BeginStep(x_bytes + y_bytes);
    const ScratchpadBox x = ReadBox(x_, origin, part, step, context_);
    const ScratchpadBox y = ResultBox(y_, origin, part, step + x_bytes, context_);
    Task task = Task{.config = {ShapeConfig(part), ViewConfig(View::kDst, y.stride_bytes),
                                ViewConfig(View::kA, x.stride_bytes)},
                     .work = Instruction(x, y)};
    if (table_ != nullptr) {
      task.config.emplace_back(isa::VParams{.addr = static_cast<uint32_t>(table_at_)});
    } else {
      task.config.insert(task.config.end(), {op_.a, op_.b, op_.dst, op_.clamp});
    }
    context_.Append(std::move(task));
    StoreBox(y_, origin, part, y, context_);
  }

  AnyInstr Instruction(const ScratchpadBox& x, const ScratchpadBox& y) const {
    const auto dst = static_cast<uint32_t>(y.offset);
    const auto a = static_cast<uint32_t>(x.offset);
    if (const auto* function = std::get_if<UnaryOp>(&op_.function))
      return isa::VUnary{.op = *function, .dtype = op_.in, .dst = dst, .a = a};
    if (const auto* conversion = std::get_if<ConvertOp>(&op_.function))
      return isa::VConvert{.op = *conversion, .dtype = op_.in, .out = op_.out, .dst = dst, .a = a};
    return isa::VLut{.kind = table_->kind, .dtype = op_.in, .out = op_.out, .dst = dst, .a = a};
  }

  const Map& op_;
  LoweringContext& context_;
  Extent4 extent_ = {};
  OperandLayout x_;
  OperandLayout y_;
  const Map::Table* table_ = nullptr;
  int64_t table_bytes_ = 0;
  int64_t table_at_ = 0;
};

}  // namespace

const Map::Table* Map::ByteTable() const {
  const auto* table = std::get_if<Table>(&function);
  const bool direct = table != nullptr && table->kind == LutKind::kDirect;
  return direct && SizeBytes(in) == 1 ? table : nullptr;
}

bool Map::IsOfAll(const Network& network, ValueId output) const {
  return x_base_elems == 0 && cols == 0 &&
         network.value(x).Elems() == network.value(output).Elems();
}

LayerWork Map::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  const auto* unary = std::get_if<UnaryOp>(&function);
  const bool counts = in == Dtype::kF32 && unary != nullptr && IsTranscendental(*unary);
  return {.vector_elems = elems, .functions = counts ? elems : 0, .dtype = in};
}

std::string Map::Describe() const {
  std::string text;
  if (const auto* unary = std::get_if<UnaryOp>(&function)) text = NameOf(*unary);
  if (const auto* conversion = std::get_if<ConvertOp>(&function)) text = NameOf(*conversion);
  if (const auto* table = std::get_if<Table>(&function))
    text = fmt::format("table {} of {} bytes", NameOf(table->kind), table->bytes.size());
  text += fmt::format(" v{}", x);
  if (x_base_elems > 0) text += fmt::format(" from {}", x_base_elems);
  if (cols > 0) text += fmt::format(" columns {} of {} to {}", cols, x_pitch, y_pitch);
  return text + fmt::format(" {} to {}", NameOf(in), NameOf(out));
}

std::shared_ptr<const LayerOp> Map::Rows(const RowRange& result,
                                         std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Map>(*this);
  const HeldRows image = FindRows(x, held);
  rows->x = image.value;
  rows->x_base_elems = int64_t{result.begin - image.rows.begin} * row_elems;
  return rows;
}

std::shared_ptr<const LayerOp> Map::Columns(const ColumnPart& part,
                                            std::span<const HeldColumns> held) const {
  auto columns = std::make_shared<Map>(*this);
  const ValueId there = FindColumns(x, held);
  columns->cols = part.size();
  columns->y_pitch = part.Pitch();
  columns->x_pitch = there == kNoValue ? part.all : part.size();
  columns->x = there == kNoValue ? x : there;
  columns->x_base_elems = there == kNoValue ? part.begin : 0;
  return columns;
}

Expected<void> Map::Lower(ValueId output, LoweringContext& context) const {
  MapLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"

namespace acme::compiler {

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
  return {.vector_elems = static_cast<uint64_t>(result.Elems()), .dtype = ComputedIn(result.dtype)};
}

Dtype Binary::ComputedIn(Dtype result) const {
  return op == BinaryOp::kMulRound || converts_result ? Dtype::kF32 : result;
}

Dtype Binary::StoredAs(const Operand& side, Dtype result) const {
  return side.is_converted ? Dtype::kI8 : ComputedIn(result);
}

bool Binary::Converts() const { return a.is_converted || b.is_converted || converts_result; }

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
    if (operand.is_converted) text += " converted";
  };
  describe("a", a);
  describe("b", b);
  if (then) {
    text += fmt::format(" then {}{}", NameOf(then->op), then->reversed ? " reversed" : "");
    describe("c", then->c);
  }
  if (y_pitch > 0) text += fmt::format(" pitch {}", y_pitch);
  return text + fmt::format(" left shift {} out zp {} scale {}{} clamp {}", left_shift, out_zp,
                            ToString(out_scale), converts_result ? " converted" : "",
                            ToString(clamp));
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

}  // namespace acme::compiler

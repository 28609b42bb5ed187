// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations of two operands.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// A dimension around the four that the vector engine walks.
struct OuterDimension {
  int32_t extent = 1;
  int32_t a_stride_elems = 0;
  int32_t b_stride_elems = 0;
  bool operator==(const OuterDimension&) const = default;
};

// y = clamp(a op b), or with a second operation clamp((a op b) then c), with broadcasting. Extents and element strides are innermost first; a stride
// of 0 broadcasts. Where broadcasting alternates so often that four dimensions are not enough, the
// rest stand in `outer`, innermost first.
struct Binary : LayerOp, RowWise, ColumnWise {
  struct Operand {
    ValueId value = kNoValue;
    std::array<int32_t, 4> stride_elems = {};
    int64_t base_elems = 0;  // where the part that it reads begins
    int32_t zero_point = 0;
    FixedPoint scale;
    // It is of int8 and is converted as it is read: where the operation is of float32 dequantised, by
    // a scale whose `mult` holds binary32 bits; else requantised, to the result's zero point.
    bool is_converted = false;
  };
  // In the same pass: v.chain, which has some operations of float32.
  struct Then {
    BinaryOp op = BinaryOp::kAdd;
    bool reversed = false;  // c op (a op b)
    Operand c;
    bool c_is_image = false;
  };
  BinaryOp op = BinaryOp::kAdd;
  std::array<int32_t, 4> extent = {1, 1, 1, 1};
  std::vector<OuterDimension> outer;
  Operand a;
  Operand b;
  int32_t out_zp = 0;
  FixedPoint out_scale;
  // The operation is of float32, and its result is quantised to int8 as it is written; `mult` of
  // out_scale holds binary32 bits.
  bool converts_result = false;
  uint32_t left_shift = 0;
  ClampRange clamp;
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0
  // Which operands are such images; the others are there as a whole.
  bool a_is_image = false;
  bool b_is_image = false;
  int32_t y_pitch = 0;  // of a part of a larger value: the result's, from one row to the next
  std::optional<Then> then;

  std::vector<ValueId> Operands() const override;
  // All that there are.
  std::vector<Operand*> Sides();
  std::vector<const Operand*> Sides() const;
  // What it computes in, whose result is stored as that type; and what its operand is stored as.
  Dtype ComputedIn(Dtype result) const;
  Dtype StoredAs(const Operand& side, Dtype result) const;
  // Whether an operand or the result is converted on its way.
  bool Converts() const;
  // How the result is stored.
  std::array<int32_t, 4> ResultStrides() const;
  // The same operation that writes rows of so many elements, so many elements apart; nothing if it
  // has no such rows.
  std::optional<Binary> WithPitch(int32_t cols, int32_t pitch) const;
  // Of more elements than one instruction computes: the others' are rows that one v.epilogue reduces.
  bool FindsExtremes(const Value& whole) const override;
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override;
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
  const ColumnWise* AsColumnWise(int32_t cols) const override;
  std::vector<ValueId> Matrices(int32_t cols) const override;
  std::shared_ptr<const LayerOp> Columns(const ColumnPart& part,
                                         std::span<const HeldColumns> held) const override;
};

// The dimension of `extent` that rows of so many elements are cut along: it and those before make
// whole rows, those after it have an extent of 1. -1 if there is none.
int32_t RowDimension(const std::array<int32_t, 4>& extent, int32_t row_elems);

// Whether the operand is all of a value, as large as the result and in its order.
bool IsWhole(const Binary::Operand& operand, const std::array<int32_t, 4>& extent);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_H_

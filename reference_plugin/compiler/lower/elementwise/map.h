// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise functions of one operand: the vector engine's functions, tables and conversions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// y[i] = function(x[i])
struct Map : LayerOp, RowWise, ColumnWise {
  // v.lut: a table of the layout that its kind says, little-endian.
  struct Table {
    LutKind kind = LutKind::kDirect;
    std::vector<uint8_t> bytes;
  };

  ValueId x = kNoValue;
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  std::variant<UnaryOp, ConvertOp, Table> function = UnaryOp::kCopy;
  // Configuration of functions and conversions; of the requantisation that a table of bytes is, too.
  isa::VQuant a{.view = View::kA};
  isa::VQuant b{.view = View::kB};
  isa::VQuant dst{.view = View::kDst};
  isa::VClamp clamp;
  int32_t row_elems = 0;     // of an image whose rows can be computed apart (rewrite/rows); else 0
  int64_t x_base_elems = 0;  // where the part of x begins that it reads
  // Of some columns of a matrix: how many, and from one row to the next; else 0.
  int32_t cols = 0;
  int32_t x_pitch = 0;
  int32_t y_pitch = 0;

  // Its table if it is one of bytes, to those of one type or another or to wider elements; else null.
  const Table* ByteTable() const;
  // Whether each element of the result is made of the one in the same place of all of x.
  bool IsOfAll(const Network& network, ValueId output) const;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
  const ColumnWise* AsColumnWise(int32_t) const override {
    return x_base_elems == 0 && cols == 0 ? this : nullptr;
  }
  std::vector<ValueId> Matrices(int32_t) const override { return {x}; }
  std::shared_ptr<const LayerOp> Columns(const ColumnPart& part,
                                         std::span<const HeldColumns> held) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_H_

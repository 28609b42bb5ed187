// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Softmax over the innermost dimension.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SOFTMAX_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SOFTMAX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// y[r][:] = softmax(x[r][:])
struct Softmax : LayerOp, RowWise {
  ValueId x = kNoValue;
  int32_t rows = 1;
  int32_t depth = 1;
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  isa::VQuant a{.view = View::kA};
  // 8 bits: mult is the largest difference that counts. int16: what elements that are left out add to
  // the sum.
  isa::VQuant b{.view = View::kB};
  std::vector<uint8_t> tables;  // int16: of exp and of 1 / (1 + x)
  int64_t x_base_elems = 0;     // where the part that it reads begins
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;

  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;

  // An entry of int16's first table, of e^x from -10 to 0.
  int32_t Exponential(size_t entry) const;
  // Rows end that many elements earlier. Each of these is so far below another that it stands before
  // the int16 table of exp; of float32 it counts as 0.
  void LeaveOut(int32_t elems);

  // Bytes that `rows` rows need in a step at most.
  int64_t StepBytes(int32_t rows_in_step) const;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SOFTMAX_H_

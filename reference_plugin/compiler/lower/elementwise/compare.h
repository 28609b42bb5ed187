// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of elements as they are stored.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y = a op b, with broadcasting; y is bool.
struct Compare : LayerOp, RowWise {
  CompareOp op = CompareOp::kEqual;
  ValueId a = kNoValue;
  ValueId b = kNoValue;
  Walk walk;
  std::array<int64_t, 2> base_elems = {};  // where the parts of a and b begin that it reads
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0

  std::vector<ValueId> Operands() const override { return {a, b}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override { return ImagesOf(walk, Operands()); }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A choice between two operands, element by element.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y = mask ? yes : no, with broadcasting. Elements are moved as they are stored.
struct Select : LayerOp, RowWise {
  ValueId mask = kNoValue;  // bool
  ValueId yes = kNoValue;
  ValueId no = kNoValue;
  Walk walk;                               // of mask, yes, no
  std::array<int64_t, 3> base_elems = {};  // where the parts of these begin that it reads
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0

  std::vector<ValueId> Operands() const override { return {mask, yes, no}; }
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

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers of which only the first columns are computed.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_NARROWING_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_NARROWING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/context/bounds.h"

namespace acme::compiler {

// Makes values anew with the first `length` of their `context` columns, the innermost dimension, beside
// those that there are: layers that make them are added where those stand that make the whole ones.
class Narrowing {
 public:
  explicit Narrowing(const Network& network);

  // The value with fewer columns; nothing if what makes it can't make some columns alone. The same one
  // when asked again.
  std::optional<ValueId> Columns(ValueId whole, int32_t context, int32_t length);
  // A softmax of fewer columns; nothing if its operand has none. What is left out is hidden
  // (HiddenTail).
  std::optional<ValueId> ColumnsOfSoftmax(size_t layer, int32_t length);
  // Lets all that reads a value read its first columns, as the depth of products at the end, to which
  // the others, of these elements, add nothing. False, and nothing changed, if something reads it
  // otherwise.
  bool ReadColumns(ValueId whole, int32_t context, int32_t length, const Bounds& left_out);

  // The network with the layers that were added and changed, without those that nobody needs now.
  Network Take();

 private:
  ValueId AddValue(ValueId whole, int32_t length);
  void AddLayer(size_t at, ValueId output, std::shared_ptr<const LayerOp> op);
  std::optional<ValueId> Compute(ValueId whole, int32_t context, int32_t length);
  // The walk over the first columns. Operands that have them are read as narrow values where they
  // can be made; else where they stand in the whole ones.
  std::optional<Walk> NarrowWalk(const Walk& walk, std::vector<WalkOperand>& operands,
                                 int32_t context, int32_t length);
  std::shared_ptr<const LayerOp> ComputeElementwise(const LayerOp& op, int32_t context,
                                                    int32_t length);
  struct Reading {
    int32_t context;
    int32_t length;
    std::map<size_t, std::shared_ptr<const LayerOp>> changes;  // by layer, what they become
    std::set<ValueId> values;                                  // each is looked at once
  };
  // The products that add up the first terms alone; nullptr if the layer is something else, or the
  // others are some.
  std::shared_ptr<const LayerOp> CutDepth(size_t layer, ValueId whole, ValueId narrow,
                                          const Bounds& left_out, const Reading& reading) const;
  bool PlanReading(ValueId whole, const Bounds& left_out, Reading& reading);

  Network network_;
  std::vector<int32_t> writer_;               // ValueLinks
  std::vector<std::vector<size_t>> readers_;  // layers, by value
  std::vector<std::vector<ValueId>> views_;   // by value
  std::vector<std::vector<Layer>> added_;     // by layer before which they stand
  std::map<ValueId, std::optional<ValueId>> narrow_;
  int depth_ = 0;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_NARROWING_H_

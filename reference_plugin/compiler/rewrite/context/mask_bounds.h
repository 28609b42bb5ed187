// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of an attention mask before it is computed: comparisons of positions with columns,
// tables by position, selections.
//
// Every element is bounded twice, for tokens whose positions are in [0, length): those of the columns
// from `length` on, and of each row the one in the column that is the row's own position.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_MASK_BOUNDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_MASK_BOUNDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/context/bounds.h"

namespace acme::compiler {

struct Gather;

class MaskBounds {
 public:
  // Rows of masks have `context` columns; 0 < length < context.
  // `writers` are the network's (ValueLinks); both outlive it.
  MaskBounds(const Network& network, const std::vector<int32_t>& writers, int32_t context,
             int32_t length);

  struct Parts {
    Bounds tail;  // of all rows, columns [length, context)
    Bounds own;   // of all rows, the column of the row's position
  };
  // Nothing if it is computed in a way that is not known.
  std::optional<Parts> Of(ValueId mask);

  // Inputs whose elements the bounds rely on to be in [0, length).
  const std::set<ValueId>& positions() const { return positions_; }

 private:
  enum class Part : uint8_t { kTail, kOwn };
  // Of some elements; with of_position their differences from their row's position.
  struct Found {
    Bounds bounds;
    bool of_position = false;
  };

  // Each once, and no deeper than masks are.
  std::optional<Found> Find(ValueId id, Part part, bool by_column);
  std::optional<Found> FindAnew(ValueId id, Part part, bool by_column);
  std::optional<Found> Compute(const Layer& layer, Part part, bool by_column);
  std::optional<Found> OfOperand(ValueId id, const Walk& walk, size_t operand, Part part,
                                 bool by_column);
  std::optional<Found> OfInput(ValueId id, Part part, bool by_column);
  std::optional<Found> OfBinary(const Layer& layer, Part part, bool by_column);
  std::optional<Found> OfCompare(const Layer& layer, Part part, bool by_column);
  std::optional<Found> OfSelect(const Layer& layer, Part part, bool by_column);
  std::optional<Found> OfMap(const Layer& layer, Part part, bool by_column);
  std::optional<Found> Cast(const Map& op, const Found& x) const;
  std::optional<Found> OfMove(const Layer& layer, Part part, bool by_column);
  std::optional<Found> OfGather(const Gather& gather, Part part, bool by_column);
  Found OfConstant(const Value& value, Part part, bool by_column) const;
  // Its elements, whatever the position.
  Bounds Widened(const Found& found) const;
  bool IsWanted(int64_t column, Part part) const;

  const Network& network_;
  const std::vector<int32_t>& writers_;
  const int32_t context_;
  const int32_t length_;
  int64_t rows_ = 0;                 // of the mask that is looked at
  ValueId own_position_ = kNoValue;  // the input that says where its rows stand
  std::set<ValueId> positions_;
  std::map<std::tuple<ValueId, Part, bool>, std::optional<Found>> found_;
  int depth_ = 0;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_MASK_BOUNDS_H_

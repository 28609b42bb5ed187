// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a softmax's columns behind the first ones are hidden, and what that rests on.
//
// Of float32 hidden columns have a share of 0. Of int16, TFLite's tables give to differences at and
// below -10 one small share that is not 0: it is known, and part of the sum (v.softmax adds it).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_HIDDEN_TAIL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_HIDDEN_TAIL_H_

#include <cstdint>
#include <set>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/context/bounds.h"
#include "reference_plugin/compiler/rewrite/context/mask_bounds.h"
#include "simulator/module/module.h"

namespace acme::compiler {

// Float32 scores differ by less: a mask that lowers a position by so much hides it, and leaves it no
// share of a softmax whose exponents are those differences.
inline constexpr float kHidingMargin = 4096;

// Whether it is one of which columns can be hidden.
bool CanHide(const Softmax& softmax);

// What a hidden column's share may be, as it is stored. Of one that can hide.
Bounds HiddenShares(const Softmax& softmax);

class HiddenTail {
 public:
  // Of the columns from `length` on. `writers` are the network's (ValueLinks); all outlive it.
  HiddenTail(const Network& network, const std::vector<int32_t>& writers, const Softmax& softmax,
             int32_t length);

  // Of the softmax's operand: a mask is added, or selects.
  bool IsBehind(ValueId scores);

  std::vector<ModuleGuard> Guards() const;

 private:
  ModuleGuard GuardOf(ModuleGuard::Kind kind, ValueId input) const;
  ValueId InputOf(ValueId mask, Dtype dtype) const;
  bool IsBehindSum(const Binary& sum, Dtype dtype);
  bool IsAdded(ValueId mask);
  bool IsAddedTo(const Binary& sum, const Binary::Operand& scores, const Binary::Operand& mask);
  bool IsSelected(const Select& select);
  bool IsLow(ValueId id) const;

  const Network& network_;
  const std::vector<int32_t>& writers_;
  const int32_t context_;
  const int32_t length_;
  const double margin_;  // hidden is what is so much below another, as it is stored
  MaskBounds bounds_;
  std::vector<ModuleGuard> guards_;
  std::set<ValueId> seen_;  // each is looked at once
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_HIDDEN_TAIL_H_

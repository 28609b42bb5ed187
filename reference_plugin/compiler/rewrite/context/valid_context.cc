// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/valid_context.h"

#include <algorithm>
#include <utility>

#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/context/hidden_tail.h"
#include "reference_plugin/compiler/rewrite/context/narrowing.h"
#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

namespace acme::compiler {
namespace {

// Partial sums of a softmax are those of the whole one where the length is a multiple of theirs.
constexpr int32_t kShortestLength = 64;
constexpr int32_t kLengthFactor = 2;

bool IsOfContext(const Softmax& softmax) {
  return softmax.depth > kShortestLength && CanHide(softmax);
}

}  // namespace

std::vector<int32_t> ContextLengths(const Network& network) {
  int32_t longest = 0;
  for (const Layer& layer : network.layers) {
    const auto* softmax = layer.As<Softmax>();
    if (softmax != nullptr && IsOfContext(*softmax)) longest = std::max(longest, softmax->depth);
  }
  std::vector<int32_t> lengths;
  for (int32_t length = kShortestLength; length < longest; length *= kLengthFactor)
    lengths.push_back(length);
  return lengths;
}

std::optional<ShorterContext> CutContext(const Network& network, int32_t length) {
  const std::vector<int32_t> writers = ValueLinks(network).writer;
  std::optional<Narrowing> narrowing;  // a copy of the network, for those that are cut
  std::vector<ModuleGuard> guards;
  bool is_cut = false;
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto* softmax = network.layers[i].As<Softmax>();
    if (softmax == nullptr || !IsOfContext(*softmax) || softmax->depth <= length) continue;
    HiddenTail tail(network, writers, *softmax, length);
    if (!tail.IsBehind(softmax->x)) continue;
    if (!narrowing) narrowing.emplace(network);
    if (!narrowing->ColumnsOfSoftmax(i, length)) continue;
    // What was narrowed rests on them, read or not.
    for (const ModuleGuard& guard : tail.Guards()) {
      if (std::find(guards.begin(), guards.end(), guard) == guards.end()) guards.push_back(guard);
    }
    is_cut |= narrowing->ReadColumns(network.layers[i].output, softmax->depth, length,
                                     HiddenShares(*softmax));
  }
  if (!is_cut) return std::nullopt;
  return ShorterContext{narrowing->Take(), std::move(guards)};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/valid_context.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/rewrite/context/mask_bounds.h"
#include "reference_plugin/compiler/rewrite/context/narrowing.h"
#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

namespace acme::compiler {
namespace {

// Partial sums of a softmax are those of the whole one where the length is a multiple of theirs.
constexpr int32_t kShortestLength = 64;
constexpr int32_t kLengthFactor = 2;

bool IsOfContext(const Softmax& softmax) {
  return softmax.in == Dtype::kF32 && softmax.out == Dtype::kF32 &&
         softmax.depth > kShortestLength && std::bit_cast<float>(softmax.a.mult) > 0;
}

// Whether the columns behind the first ones are hidden from a softmax.
class HiddenTail {
 public:
  HiddenTail(const Network& network, const std::vector<int32_t>& producers, const Softmax& softmax,
             int32_t length)
      : network_(network),
        producers_(producers),
        context_(softmax.depth),
        length_(length),
        margin_(kHidingMargin / std::bit_cast<float>(softmax.a.mult)),
        bounds_(network, producers, softmax.depth, length) {}

  // Of its operand: a mask is added, or selects.
  bool IsBehind(ValueId scores) {
    constexpr size_t kMostValues = 64;
    if (seen_.size() == kMostValues || !seen_.insert(scores).second) return false;
    const Value& value = network_.value(scores);
    if (IsWholeView(value, network_)) return IsBehind(value.base);
    const int32_t at = producers_[static_cast<size_t>(scores)];
    if (at < 0) return false;
    const Layer& producer = network_.layers[static_cast<size_t>(at)];
    if (const auto* select = producer.As<Select>()) return IsSelected(*select);
    const auto* sum = producer.As<Binary>();
    // A limit would lift what is hidden.
    if (sum == nullptr || sum->op != BinaryOp::kAdd || sum->then || sum->y_pitch != 0 ||
        sum->clamp != OpenRange(Dtype::kF32))
      return false;
    const Walk walk = WalkOf(*sum);
    for (size_t i = 0; i < 2; ++i) {
      const Binary::Operand& side = i == 0 ? sum->a : sum->b;
      if (IsByColumn(walk, i, context_) == true && side.base_elems == 0 &&
          (IsAdded(side.value) || IsBehind(side.value)))
        return true;
    }
    return false;
  }

  // What that rests on.
  std::vector<ModuleGuard> Guards() const {
    std::vector<ModuleGuard> guards = guards_;
    for (ValueId input : bounds_.positions())
      guards.push_back(GuardOf(ModuleGuard::Kind::kBelow, input));
    return guards;
  }

 private:
  ModuleGuard GuardOf(ModuleGuard::Kind kind, ValueId input) const {
    const auto at = std::find(network_.inputs.begin(), network_.inputs.end(), input);
    return {.kind = kind,
            .binding = static_cast<uint32_t>(at - network_.inputs.begin()),
            .limit = static_cast<uint32_t>(length_),
            .row_elems = kind == ModuleGuard::Kind::kBelow ? 0 : static_cast<uint32_t>(context_),
            .margin = kind == ModuleGuard::Kind::kHidden ? margin_ : 0};
  }

  // The input that it is another name for; kNoValue if it is none of that type, in rows.
  ValueId InputOf(ValueId mask, Dtype dtype) const {
    while (IsWholeView(network_.value(mask), network_)) mask = network_.value(mask).base;
    const Value& value = network_.value(mask);
    const bool is_input = value.input_index >= 0 && value.dtype == dtype && value.Elems() > 0 &&
                          value.Elems() % context_ == 0;
    return is_input ? mask : kNoValue;
  }

  bool IsAdded(ValueId mask) {
    const ValueId input = InputOf(mask, Dtype::kF32);
    if (input != kNoValue) {
      guards_.push_back(GuardOf(ModuleGuard::Kind::kHidden, input));
      return true;
    }
    const std::optional<MaskBounds::Parts> parts = bounds_.Of(mask);
    return parts && parts->own.lo - parts->tail.hi >= margin_;
  }

  bool IsSelected(const Select& select) {
    if (IsByColumn(select.walk, 0, context_) != true ||
        select.base_elems != decltype(select.base_elems){})
      return false;
    const ValueId input = InputOf(select.mask, Dtype::kBool);
    if (input != kNoValue) {
      if (!IsLow(select.no)) return false;
      guards_.push_back(GuardOf(ModuleGuard::Kind::kUnset, input));
      return true;
    }
    const std::optional<MaskBounds::Parts> parts = bounds_.Of(select.mask);
    constexpr Bounds kSet = {1, 1};
    constexpr Bounds kUnset = {0, 0};
    return parts && ((parts->own == kSet && parts->tail == kUnset && IsLow(select.no)) ||
                     (parts->own == kUnset && parts->tail == kSet && IsLow(select.yes)));
  }

  // Whether it is a number below all scores.
  bool IsLow(ValueId id) const {
    const Value& value = network_.value(id);
    if (!value.is_constant() || value.dtype != Dtype::kF32 || value.Elems() != 1) return false;
    float number = 0;
    std::copy_n(value.constant.data(), sizeof(number), reinterpret_cast<uint8_t*>(&number));
    return number <= -margin_;
  }

  const Network& network_;
  const std::vector<int32_t>& producers_;
  const int32_t context_;
  const int32_t length_;
  const float margin_;
  MaskBounds bounds_;
  std::vector<ModuleGuard> guards_;
  std::set<ValueId> seen_;  // each is looked at once
};

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
  const std::vector<int32_t> producers = ProducersOf(network);
  std::optional<Narrowing> narrowing;  // a copy of the network, for those that are cut
  std::vector<ModuleGuard> guards;
  bool is_cut = false;
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto* softmax = network.layers[i].As<Softmax>();
    if (softmax == nullptr || !IsOfContext(*softmax) || softmax->depth <= length) continue;
    HiddenTail tail(network, producers, *softmax, length);
    if (!tail.IsBehind(softmax->x)) continue;
    if (!narrowing) narrowing.emplace(network);
    if (!narrowing->ColumnsOfSoftmax(i, length)) continue;
    // What was narrowed rests on them, read or not.
    for (const ModuleGuard& guard : tail.Guards()) {
      if (std::find(guards.begin(), guards.end(), guard) == guards.end()) guards.push_back(guard);
    }
    is_cut |= narrowing->ReadColumns(network.layers[i].output, softmax->depth, length);
  }
  if (!is_cut) return std::nullopt;
  return ShorterContext{narrowing->Take(), std::move(guards)};
}

}  // namespace acme::compiler

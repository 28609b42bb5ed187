// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/hidden_tail.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

namespace acme::compiler {
namespace {

// What one step of an operand's difference is of the table's range, which has 2^16 steps.
double TableSteps(const Softmax& softmax) {
  return RealOf({std::bit_cast<int32_t>(softmax.a.mult), softmax.a.shift});
}

// Of int16: so that differences keep within 32 bits, and so that the largest element's exponential
// is half of 1 at least.
bool HasUsualTables(const Softmax& softmax) {
  constexpr int kLargestShift = 14;
  constexpr size_t kEntries = 513;
  constexpr int32_t kHalf = 1 << 14;
  return softmax.tables.size() >= kEntries * sizeof(int16_t) &&
         std::bit_cast<int32_t>(softmax.a.mult) > 0 && softmax.a.shift <= kLargestShift &&
         softmax.Exponential(0) >= 0 && softmax.Exponential(kEntries - 2) >= kHalf &&
         softmax.Exponential(kEntries - 1) >= kHalf;
}

double MarginOf(const Softmax& softmax) {
  // The table's range, and what rounding takes.
  constexpr double kTableRange = 65535 + 2;
  if (softmax.in == Dtype::kI16) return kTableRange / TableSteps(softmax);
  return kHidingMargin / std::bit_cast<float>(softmax.a.mult);
}

}  // namespace

bool CanHide(const Softmax& softmax) {
  if (softmax.in != softmax.out) return false;
  if (softmax.in == Dtype::kF32) return std::bit_cast<float>(softmax.a.mult) > 0;
  return softmax.in == Dtype::kI16 && HasUsualTables(softmax);
}

Bounds HiddenShares(const Softmax& softmax) {
  if (softmax.in == Dtype::kF32) return {0, 0};
  // A sum of half of 1 at least: shares are at most twice the exponentials.
  return {0, 2.0 * softmax.Exponential(0)};
}

HiddenTail::HiddenTail(const Network& network, const std::vector<int32_t>& writers,
                       const Softmax& softmax, int32_t length)
    : network_(network),
      writers_(writers),
      context_(softmax.depth),
      length_(length),
      margin_(MarginOf(softmax)),
      bounds_(network, writers, softmax.depth, length) {}

bool HiddenTail::IsBehind(ValueId scores) {
  constexpr size_t kMostValues = 64;
  if (seen_.size() == kMostValues || !seen_.insert(scores).second) return false;
  const Value& value = network_.value(scores);
  if (IsWholeView(value, network_)) return IsBehind(value.base);
  const int32_t at = writers_[static_cast<size_t>(scores)];
  if (at < 0) return false;
  const Layer& writer = network_.layers[static_cast<size_t>(at)];
  if (const auto* select = writer.As<Select>()) return IsSelected(*select);
  const auto* sum = writer.As<Binary>();
  return sum != nullptr && IsBehindSum(*sum, value.dtype);
}

bool HiddenTail::IsBehindSum(const Binary& sum, Dtype dtype) {
  if (sum.op != BinaryOp::kAdd || sum.then || sum.y_pitch != 0 || sum.ComputedIn(dtype) != dtype)
    return false;
  // A limit would lift what is hidden.
  if (dtype == Dtype::kF32 && sum.clamp != OpenRange(Dtype::kF32)) return false;
  const Walk walk = WalkOf(sum);
  for (size_t i = 0; i < 2; ++i) {
    const Binary::Operand& mask = i == 0 ? sum.a : sum.b;
    if (IsByColumn(walk, i, context_) != true || mask.base_elems != 0) continue;
    const bool is_hidden = dtype == Dtype::kF32 ? IsAdded(mask.value) || IsBehind(mask.value)
                                                : IsAddedTo(sum, i == 0 ? sum.b : sum.a, mask);
    if (is_hidden) return true;
  }
  return false;
}

std::vector<ModuleGuard> HiddenTail::Guards() const {
  std::vector<ModuleGuard> guards = guards_;
  for (ValueId input : bounds_.positions())
    guards.push_back(GuardOf(ModuleGuard::Kind::kBelow, input));
  return guards;
}

ModuleGuard HiddenTail::GuardOf(ModuleGuard::Kind kind, ValueId input) const {
  const auto at = std::find(network_.inputs.begin(), network_.inputs.end(), input);
  return {.kind = kind,
          .binding = static_cast<uint32_t>(at - network_.inputs.begin()),
          .limit = static_cast<uint32_t>(length_),
          .row_elems = kind == ModuleGuard::Kind::kBelow ? 0 : static_cast<uint32_t>(context_),
          .margin = kind == ModuleGuard::Kind::kHidden ? static_cast<float>(margin_) : 0};
}

// The input that it is another name for; kNoValue if it is none of that type, in rows.
ValueId HiddenTail::InputOf(ValueId mask, Dtype dtype) const {
  while (IsWholeView(network_.value(mask), network_)) mask = network_.value(mask).base;
  const Value& value = network_.value(mask);
  const bool is_input = value.input_index >= 0 && value.dtype == dtype && value.Elems() > 0 &&
                        value.Elems() % context_ == 0;
  return is_input ? mask : kNoValue;
}

// A float32 mask that hides, whatever it is added to.
bool HiddenTail::IsAdded(ValueId mask) {
  const ValueId input = InputOf(mask, Dtype::kF32);
  if (input != kNoValue) {
    guards_.push_back(GuardOf(ModuleGuard::Kind::kHidden, input));
    return true;
  }
  const std::optional<MaskBounds::Parts> parts = bounds_.Of(mask);
  return parts && parts->own.lo - parts->tail.hi >= margin_;
}

// A quantised mask that hides, whatever the scores are.
bool HiddenTail::IsAddedTo(const Binary& sum, const Binary::Operand& scores,
                           const Binary::Operand& mask) {
  const Dtype dtype = network_.value(scores.value).dtype;
  const Bounds range = LimitsOf(TypeRange(dtype), dtype);
  const std::optional<MaskBounds::Parts> parts = bounds_.Of(mask.value);
  if (!parts || scores.scale.mult <= 0 || mask.scale.mult <= 0 || sum.out_scale.mult <= 0)
    return false;
  // Each of three roundings moves the result by less than a step.
  constexpr Bounds kRounding = {-3, 3};
  const double out = std::ldexp(RealOf(sum.out_scale), static_cast<int>(sum.left_shift));
  const auto steps = [out](const Binary::Operand& operand, const Bounds& elems) {
    const double zero = operand.zero_point;
    const double real = RealOf(operand.scale) * out;
    return Product(Difference(elems, {zero, zero}), {real, real});
  };
  const auto result = [&](const Bounds& of_mask) {
    const double zero = sum.out_zp;
    const Bounds real = Sum(steps(scores, range), steps(mask, of_mask));
    return Clamped(Sum(Sum(real, kRounding), {zero, zero}), LimitsOf(sum.clamp, dtype));
  };
  return result(parts->own).lo - result(parts->tail).hi >= margin_;
}

bool HiddenTail::IsSelected(const Select& select) {
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

// Whether it is a number below all scores: int16 has none.
bool HiddenTail::IsLow(ValueId id) const {
  const Value& value = network_.value(id);
  if (!value.is_constant() || value.dtype != Dtype::kF32 || value.Elems() != 1) return false;
  float number = 0;
  std::memcpy(&number, value.constant.data(), sizeof(number));
  return number <= -margin_;
}

}  // namespace acme::compiler

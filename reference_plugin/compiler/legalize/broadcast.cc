// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/broadcast.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {
namespace {

// A row of a few hundred elements fills any chip's lanes.
constexpr int32_t kMostRepeatedElems = 1024;

enum class Walked { kDense, kOneNumber, kRow, kOther };

// Of a walk over rows of elements.
Walked HowWalked(const Walk& walk, size_t operand) {
  const int32_t inner = walk[0].stride_elems[operand];
  const int32_t outer = walk[1].stride_elems[operand];
  if (inner == 1 && outer == walk[0].extent) return Walked::kDense;
  if (inner == 0 && outer == 0) return Walked::kOneNumber;
  return inner == 1 && outer == 0 ? Walked::kRow : Walked::kOther;
}

ValueId RepeatedConstant(ValueId id, int32_t elems, int32_t times, NetworkBuilder& builder) {
  const Value row = builder.network().value(id);
  std::vector<uint8_t> bytes;
  for (int32_t i = 0; i < times; ++i)
    bytes.insert(bytes.end(), row.constant.begin(), row.constant.end());
  return builder.AddConstant(row.name, row.dtype, {elems * times}, std::move(bytes));
}

}  // namespace

Walk RepeatConstantRows(const Walk& walk, std::span<ValueId* const> operands,
                        const std::vector<int32_t>& result, NetworkBuilder& builder) {
  if (walk.size() != 2 || result.size() < 2 || result.back() != walk[0].extent) return walk;
  const int32_t elems = walk[0].extent;
  const int32_t pixels = result[result.size() - 2];
  // Whole rows of pixels and of the walk alone: a rest would need another constant.
  int32_t times = std::min(pixels, kMostRepeatedElems / elems);
  while (times > 1 && (pixels % times != 0 || walk[1].extent % times != 0)) --times;
  if (times < 2) return walk;
  bool has_rows = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Walked walked = HowWalked(walk, i);
    const Value& value = builder.network().value(*operands[i]);
    if (walked == Walked::kOther ||
        (walked == Walked::kRow && (!value.is_constant() || value.int4 || value.Elems() != elems)))
      return walk;
    has_rows = has_rows || walked == Walked::kRow;
  }
  if (!has_rows) return walk;
  Walk repeated = walk;
  repeated[0].extent = elems * times;
  repeated[1].extent = walk[1].extent / times;
  for (size_t i = 0; i < operands.size(); ++i) {
    repeated[1].stride_elems[i] *= times;
    if (HowWalked(walk, i) == Walked::kRow)
      *operands[i] = RepeatedConstant(*operands[i], elems, times, builder);
  }
  return repeated;
}

Expected<Walk> BroadcastTo(const std::vector<int32_t>& result,
                           std::span<const std::vector<int32_t>> operands) {
  std::vector<int32_t> largest(result.size(), 1);
  for (const std::vector<int32_t>& shape : operands) {
    bool fits = shape.size() <= result.size();
    for (size_t d = 0; fits && d < shape.size(); ++d) {
      const size_t at = result.size() - shape.size() + d;
      fits = shape[d] == 1 || shape[d] == result[at];
      largest[at] = std::max(largest[at], shape[d]);
    }
    if (!fits)
      return Unsupported(fmt::format("operand {} does not broadcast to the result {}",
                                     ShapeName(shape), ShapeName(result)));
  }
  if (largest != result)
    return Unsupported(fmt::format("the result {} is larger than its operands", ShapeName(result)));
  return PlanWalk(operands, result);
}

int32_t DimFromBack(const std::vector<int32_t>& shape, size_t d) {
  return d < shape.size() ? shape[shape.size() - 1 - d] : 1;
}

BroadcastPlan PlanBroadcast(const std::vector<int32_t>& a, const std::vector<int32_t>& b,
                            const std::vector<int32_t>& y) {
  std::vector<OuterDimension> merged;  // innermost first
  int32_t a_elems = 1;
  int32_t b_elems = 1;
  bool a_last = false;  // whether the dimension before was walked by a, by b
  bool b_last = false;
  for (size_t d = 0; d < y.size(); ++d) {
    const int32_t extent = DimFromBack(y, d);
    if (extent == 1) continue;
    const bool a_walks = DimFromBack(a, d) != 1;
    const bool b_walks = DimFromBack(b, d) != 1;
    // Both go on as they did, so the two dimensions are one loop for both.
    if (!merged.empty() && a_walks == a_last && b_walks == b_last) {
      merged.back().extent *= extent;
    } else {
      merged.push_back({extent, a_walks ? a_elems : 0, b_walks ? b_elems : 0});
    }
    if (a_walks) a_elems *= extent;
    if (b_walks) b_elems *= extent;
    a_last = a_walks;
    b_last = b_walks;
  }
  BroadcastPlan plan;
  for (size_t d = 0; d < merged.size() && d < kVectorRank; ++d) {
    plan.extent[d] = merged[d].extent;
    plan.a_stride[d] = merged[d].a_stride_elems;
    plan.b_stride[d] = merged[d].b_stride_elems;
  }
  if (merged.size() > kVectorRank) plan.outer.assign(merged.begin() + kVectorRank, merged.end());
  return plan;
}

}  // namespace acme::compiler

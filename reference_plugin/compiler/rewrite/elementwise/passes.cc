// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/passes.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary_instruction.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/instruction.h"
#include "simulator/timing/vector_cost.h"

namespace acme::compiler {
namespace {

constexpr int64_t kStayingPercent = 20;

void SetStrides(const Extent4& stride_elems, int64_t elem_bytes, Strides& strides) {
  for (size_t d = 0; d < strides.size(); ++d) strides[d] = stride_elems[d] * elem_bytes;
}

}  // namespace

const Binary* PassOf(const Layer& layer) {
  const auto* binary = layer.As<Binary>();
  if (binary == nullptr) return nullptr;
  const bool plain = binary->outer.empty() && binary->y_pitch == 0 && binary->row_elems == 0;
  return plain ? binary : nullptr;
}

bool Stays(int64_t bytes, const Hardware& hardware) {
  return bytes <= hardware.scratchpad_bytes * kStayingPercent / 100;
}

std::optional<Extent4> CommonExtent(const Extent4& a, const Extent4& b) {
  std::set<int64_t> ends;
  for (const Extent4* extent : {&a, &b}) {
    int64_t end = 1;
    for (int32_t elems : *extent) ends.insert(end *= elems);
  }
  Extent4 common = {1, 1, 1, 1};
  size_t rank = 0;
  int64_t begin = 1;
  for (int64_t end : ends) {
    if (end == begin) continue;
    if (end % begin != 0 || rank == common.size()) return std::nullopt;
    common[rank++] = static_cast<int32_t>(end / begin);
    begin = end;
  }
  return common;
}

Binary WithExtent(const Binary& op, const Extent4& extent) {
  Binary walked = op;
  walked.extent = extent;
  const std::vector<Binary::Operand*> sides = walked.Sides();
  size_t whole = 0;         // the dimension of the operation's own
  int64_t whole_begin = 1;  // elements before it
  int64_t begin = 1;
  std::vector<std::array<int32_t, 4>> strides(sides.size());
  for (size_t d = 0; d < extent.size(); ++d) {
    while (whole + 1 < extent.size() && begin >= whole_begin * op.extent[whole])
      whole_begin *= op.extent[whole++];
    for (size_t side = 0; side < sides.size(); ++side) {
      strides[side][d] =
          extent[d] == 1
              ? 0
              : static_cast<int32_t>(sides[side]->stride_elems[whole] * begin / whole_begin);
    }
    begin *= extent[d];
  }
  for (size_t side = 0; side < sides.size(); ++side) sides[side]->stride_elems = strides[side];
  return walked;
}

int64_t PassCycles(const Binary& op, Dtype result, const Hardware& hardware) {
  constexpr std::array kViews = {View::kA, View::kB, View::kC};
  EngineState state;
  VectorState& vector = state.vector;
  for (size_t d = 0; d < op.extent.size(); ++d) vector.shape[d] = op.extent[d];
  SetStrides(op.ResultStrides(), SizeBytes(result), vector.stride[static_cast<size_t>(View::kDst)]);
  const std::vector<const Binary::Operand*> sides = op.Sides();
  for (size_t side = 0; side < sides.size(); ++side) {
    SetStrides(sides[side]->stride_elems, SizeBytes(op.StoredAs(*sides[side], result)),
               vector.stride[static_cast<size_t>(kViews[side])]);
  }
  if (op.then) {
    const isa::VChain chain{.op = op.op, .then = op.then->op, .convert_dst = op.converts_result};
    return EstimateVector(chain, state, hardware).cycles;
  }
  return EstimateVector(BinaryInstruction(op, result), state, hardware).cycles;
}

bool IsWrittenBetween(ValueId value, size_t first, size_t last, const Network& network) {
  const ValueId root = network.RootOf(value).value;
  for (size_t i = first + 1; i < last; ++i) {
    if (network.RootOf(network.layers[i].output).value == root) return true;
  }
  return false;
}

bool IsOperandWrittenBetween(size_t first, size_t last, const Network& network) {
  return std::ranges::any_of(network.layers[first].Inputs(), [&](ValueId operand) {
    return IsWrittenBetween(operand, first, last, network);
  });
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/chains.h"

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/instruction.h"
#include "simulator/timing/vector_cost.h"

namespace acme::compiler {
namespace {

// Of the scratchpad: larger values may not stay there. One layer that reads and writes them is nothing
// that can be computed by columns (columns/), which keeps what is between two.
constexpr int64_t kStayingPercent = 20;
// Of the cycles that full lanes take.
constexpr int64_t kFullPercent = 125;

// The layer's operation if it may be one of a chain's two.
const Binary* LinkOf(const Layer& layer, const Network& network) {
  const auto* binary = layer.As<Binary>();
  if (binary == nullptr || network.value(layer.output).dtype != Dtype::kF32) return nullptr;
  const bool plain = binary->outer.empty() && binary->y_pitch == 0 && binary->row_elems == 0;
  return plain && !binary->then && IsChained(binary->op) ? binary : nullptr;
}

// Extents that both are walks over, with dimensions of one joined in the other; nothing if there are
// none.
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

// The operation as a walk over those extents.
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

// Cycles of a pass over values that stand in the scratchpad without gaps.
int64_t PassCycles(const Binary& op, const Hardware& hardware) {
  constexpr int64_t kElemBytes = SizeBytes(Dtype::kF32);
  constexpr std::array kViews = {View::kA, View::kB, View::kC};
  EngineState state;
  VectorState& vector = state.vector;
  int64_t dense = kElemBytes;
  for (size_t d = 0; d < op.extent.size(); ++d) {
    vector.shape[d] = op.extent[d];
    vector.stride[static_cast<size_t>(View::kDst)][d] = dense;
    dense *= op.extent[d];
  }
  const std::vector<const Binary::Operand*> sides = op.Sides();
  for (size_t side = 0; side < sides.size(); ++side) {
    Strides& stride = vector.stride[static_cast<size_t>(kViews[side])];
    for (size_t d = 0; d < stride.size(); ++d)
      stride[d] = sides[side]->stride_elems[d] * kElemBytes;
  }
  return EstimateVector(isa::VChain{.op = op.op, .then = op.then->op}, state, hardware).cycles;
}

// Both operations in one; nothing if they can't be, or had better not.
std::shared_ptr<const LayerOp> Chained(const Binary& first, ValueId between, const Binary& second,
                                       const Hardware& hardware) {
  const bool is_a = second.a.value == between;
  if (is_a == (second.b.value == between)) return nullptr;
  const std::optional<Extent4> extent = CommonExtent(first.extent, second.extent);
  if (!extent) return nullptr;
  const Binary last = WithExtent(second, *extent);
  if (!IsWhole(is_a ? last.a : last.b, *extent)) return nullptr;
  auto chain = std::make_shared<Binary>(WithExtent(first, *extent));
  chain->then = Binary::Then{.op = last.op, .reversed = !is_a, .c = is_a ? last.b : last.a};
  chain->clamp = last.clamp;
  // Where rows leave lanes empty, another order of the dimensions fills them (dimension_order.h), which
  // three operands suit less often than two.
  const int64_t full =
      hardware.vector_startup_cycles + BoxElems(*extent) / hardware.vector_lanes_32;
  return PassCycles(*chain, hardware) <= full * kFullPercent / 100 ? chain : nullptr;
}

class ChainFusion {
 public:
  ChainFusion(Network& network, const Hardware& hardware)
      : network_(network), hardware_(hardware), uses_(network), is_gone_(network.layers.size()) {}

  bool Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Binary* second = LinkOf(network_.layers[i], network_);
      if (second == nullptr) continue;
      for (ValueId between : {second->b.value, second->a.value}) {
        if (TakeMaker(between, i, *second)) break;
      }
    }
    size_t at = 0;
    return std::erase_if(network_.layers, [&](const Layer&) { return is_gone_[at++]; }) > 0;
  }

 private:
  // Whether layer `reader` now computes what made its operand, too.
  bool TakeMaker(ValueId between, size_t reader, const Binary& second) {
    const int32_t producer = uses_.producer[static_cast<size_t>(between)];
    if (producer < 0 || is_gone_[static_cast<size_t>(producer)]) return false;
    const auto maker = static_cast<size_t>(producer);
    const Binary* first = LinkOf(network_.layers[maker], network_);
    // What is between two operations of a chain is a finite number or a NaN.
    const bool finite = first != nullptr && first->clamp == FloatActivationRange(Activation::kNone);
    if (!finite || network_.layers[maker].output != between ||
        network_.value(between).Bytes() > hardware_.scratchpad_bytes * kStayingPercent / 100 ||
        !uses_.AreLayersAlone(network_, between) ||
        uses_.readers[static_cast<size_t>(between)].size() != 1 ||
        IsWrittenBetween(*first, maker, reader))
      return false;
    std::shared_ptr<const LayerOp> chain = Chained(*first, between, second, hardware_);
    if (chain == nullptr) return false;
    network_.layers[reader].op = std::move(chain);
    is_gone_[maker] = true;
    return true;
  }

  // Whether some layer after `maker` and before `reader` writes where an operand stands.
  bool IsWrittenBetween(const Binary& first, size_t maker, size_t reader) const {
    for (ValueId operand : first.Operands()) {
      const ValueId root = network_.RootOf(operand).value;
      for (size_t i = maker + 1; i < reader; ++i) {
        if (network_.RootOf(network_.layers[i].output).value == root) return true;
      }
    }
    return false;
  }

  Network& network_;
  const Hardware& hardware_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

}  // namespace

bool FuseChains(Network& network, const Hardware& hardware) {
  return ChainFusion(network, hardware).Run();
}

}  // namespace acme::compiler

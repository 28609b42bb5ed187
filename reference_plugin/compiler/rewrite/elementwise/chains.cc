// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/chains.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"

namespace acme::compiler {
namespace {

// Of the cycles that full lanes take.
constexpr int64_t kFullPercent = 125;

// The layer's operation if it may be one of a chain's two: the first, or the second, which may convert
// its result.
const Binary* LinkOf(const Layer& layer, bool is_second, const Network& network) {
  const Binary* pass = PassOf(layer);
  if (pass == nullptr || pass->then || !IsChained(pass->op)) return nullptr;
  if (pass->ComputedIn(network.value(layer.output).dtype) != Dtype::kF32) return nullptr;
  const bool converts_operand = pass->a.is_converted || pass->b.is_converted;
  return converts_operand || (pass->converts_result && !is_second) ? nullptr : pass;
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
  chain->converts_result = last.converts_result;
  chain->out_zp = last.out_zp;
  chain->out_scale = last.out_scale;
  // Where rows leave lanes empty, another order of the dimensions fills them (dimension_order.h), which
  // three operands suit less often than two.
  const int64_t full =
      hardware.vector_startup_cycles + BoxElems(*extent) / hardware.vector_lanes_32;
  const Dtype result = chain->converts_result ? Dtype::kI8 : Dtype::kF32;
  return PassCycles(*chain, result, hardware) <= full * kFullPercent / 100 ? chain : nullptr;
}

class ChainFusion {
 public:
  ChainFusion(Network& network, const Hardware& hardware)
      : network_(network), hardware_(hardware), uses_(network), is_gone_(network.layers.size()) {}

  bool Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Binary* second = LinkOf(network_.layers[i], /*is_second=*/true, network_);
      if (second == nullptr) continue;
      for (ValueId between : {second->b.value, second->a.value}) {
        if (TakeMaker(between, i, *second)) break;
      }
    }
    return EraseLayers(is_gone_, network_) > 0;
  }

 private:
  // Whether layer `reader` now computes what made its operand, too.
  bool TakeMaker(ValueId between, size_t reader, const Binary& second) {
    // Under whatever name: a reshape is none of an elementwise operation's business.
    const Network::Storage made = network_.RootOf(between);
    const int32_t writer = uses_.writer[static_cast<size_t>(made.value)];
    if (writer < 0 || is_gone_[static_cast<size_t>(writer)]) return false;
    const auto maker = static_cast<size_t>(writer);
    const Binary* first = LinkOf(network_.layers[maker], /*is_second=*/false, network_);
    // What is between two operations of a chain is a finite number or a NaN.
    const bool finite = first != nullptr && first->clamp == FloatActivationRange(Activation::kNone);
    if (!finite || network_.layers[maker].output != made.value || !IsAll(between, made) ||
        !(second.converts_result || Stays(network_.value(between).Bytes(), hardware_)) ||
        uses_.readers[static_cast<size_t>(made.value)].size() != 1 ||
        IsOperandWrittenBetween(maker, reader, network_))
      return false;
    std::shared_ptr<const LayerOp> chain = Chained(*first, between, second, hardware_);
    if (chain == nullptr) return false;
    network_.layers[reader].op = std::move(chain);
    is_gone_[maker] = true;
    return true;
  }

  // Whether a value that is no output is all of the storage.
  bool IsAll(ValueId value, const Network::Storage& storage) const {
    return network_.value(storage.value).output_index < 0 && storage.offset_bytes == 0 &&
           network_.value(value).Elems() == network_.value(storage.value).Elems();
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

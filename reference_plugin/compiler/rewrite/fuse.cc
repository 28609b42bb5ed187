// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/fuse.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/activations.h"
#include "reference_plugin/compiler/rewrite/byte_functions.h"

namespace acme::compiler {
namespace {

// Makes the layer's result a name of its operand's storage, or the other way round. False if it
// must be copied: inputs and outputs are buffers of the host's, so two of them never share storage,
// and a constant stands among the module's constants.
bool ShareStorage(ValueId operand, ValueId result, Network& network) {
  Value& to = network.values[static_cast<size_t>(result)];
  if (network.value(operand).is_constant() || to.base != kNoValue) return false;
  if (to.output_index < 0) {
    to.base = operand;
    return true;
  }
  // An output is a buffer of the host's, so it can't be a part of another value: that becomes a
  // part of it, which takes all of its storage.
  const Network::Storage storage = network.RootOf(operand);
  Value& root = network.values[static_cast<size_t>(storage.value)];
  if (root.input_index >= 0 || root.output_index >= 0 || root.Bytes() != to.Bytes()) return false;
  root.base = result;
  return true;
}

// What the layer squares, all of it in its order; kNoValue if it does something else.
ValueId SquaredBy(const Layer& layer, const Network& network) {
  const ClampRange open = FloatActivationRange(Activation::kNone);
  const Value& result = network.value(layer.output);
  if (result.dtype != Dtype::kF32) return kNoValue;
  if (const auto* map = layer.As<Map>()) {
    const auto* function = std::get_if<UnaryOp>(&map->function);
    const bool is_square = function != nullptr && *function == UnaryOp::kSquare;
    const bool is_open = ClampRange{map->clamp.lo, map->clamp.hi} == open;
    return is_square && is_open ? map->x : kNoValue;
  }
  const auto* binary = layer.As<Binary>();
  if (binary == nullptr || binary->op != BinaryOp::kMul || binary->a.value != binary->b.value ||
      !binary->outer.empty() || binary->clamp != open)
    return kNoValue;
  const Extent4 dense = DenseStrides(binary->extent);
  for (size_t d = 0; d < dense.size(); ++d) {
    if (binary->extent[d] == 1) continue;
    if (binary->a.stride_elems[d] != dense[d] || binary->b.stride_elems[d] != dense[d])
      return kNoValue;
  }
  return binary->a.value;
}

// Only where nobody else sees the squares.
void FuseSquares(Network& network) {
  const ValueUses uses(network);
  std::vector<bool> is_gone(network.layers.size());
  for (Layer& layer : network.layers) {
    const auto* reduce = layer.As<Reduce>();
    if (reduce == nullptr || (reduce->op != ReduceOp::kSum && reduce->op != ReduceOp::kMean))
      continue;
    const int32_t maker = uses.WriterForOne(network, reduce->x);
    if (maker < 0) continue;
    const ValueId x = SquaredBy(network.layers[static_cast<size_t>(maker)], network);
    if (x == kNoValue || network.value(x).Elems() != network.value(reduce->x).Elems()) continue;
    auto squares = std::make_shared<Reduce>(*reduce);
    squares->x = x;
    squares->op = reduce->op == ReduceOp::kSum ? ReduceOp::kSumSquares : ReduceOp::kMeanSquares;
    layer.op = std::move(squares);
    is_gone[static_cast<size_t>(maker)] = true;
  }
  EraseLayers(is_gone, network);
}

void FuseReshapes(Network& network) {
  std::erase_if(network.layers, [&](const Layer& layer) {
    const auto* move = layer.As<Move>();
    return move != nullptr && move->IsReshape(network) &&
           ShareStorage(move->pieces[0].from, layer.output, network);
  });
}

}  // namespace

Network Fuse(const Network& network) {
  Network fused = network;
  // Reshapes come last: the others look for readers and makers by value, and a value with a second
  // name has some of them under that.
  FusePrelu(fused);
  FuseClamps(fused);
  FuseByteFunctions(fused);
  FuseSquares(fused);
  FuseReshapes(fused);
  return fused;
}

}  // namespace acme::compiler

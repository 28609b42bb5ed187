// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/moved_elems.h"

#include <algorithm>

#include "reference_plugin/compiler/lower/movement/resize.h"

namespace acme::compiler {

std::optional<int64_t> MovedElems(const Layer& layer, const Network& network) {
  const auto* move = layer.As<Move>();
  if (move == nullptr && AsNearest(layer) == nullptr) return std::nullopt;
  if (move != nullptr && move->IsReshape(network)) return 0;
  int64_t elems = network.value(layer.output).Elems();
  for (ValueId operand : layer.Inputs())
    elems += static_cast<int64_t>(layer.op->ElemsRead(network, layer.output, operand));
  return elems;
}

std::vector<uint32_t> FillsOf(const Layer& layer) {
  std::vector<uint32_t> fills;
  const auto* move = layer.As<Move>();
  if (move == nullptr) return fills;
  for (const MovePiece& piece : move->pieces) {
    if (piece.from == kNoValue && std::find(fills.begin(), fills.end(), piece.fill) == fills.end())
      fills.push_back(piece.fill);
  }
  return fills;
}

std::shared_ptr<const LayerOp> MoveOf(const Layer& layer, Dtype dtype,
                                      const std::function<ValueId(ValueId)>& operand,
                                      const std::function<void(MovePiece&)>& fill) {
  if (const Resize* nearest = AsNearest(layer)) {
    auto resize = std::make_shared<Resize>(*nearest);
    resize->x = operand(nearest->x);
    resize->dtype = ResampledAs(dtype).value_or(Dtype::kF32);
    return resize;
  }
  auto move = std::make_shared<Move>(*layer.As<Move>());
  for (MovePiece& piece : move->pieces) {
    if (piece.from != kNoValue) {
      piece.from = operand(piece.from);
    } else {
      fill(piece);
    }
  }
  return move;
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/never_negative.h"

#include <algorithm>
#include <bit>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"

namespace acme::compiler {
namespace {

// Layers between a ReLU and what asks for it; networks have few.
constexpr int kMostLayers = 8;

bool IsNumberNotBelowZero(int32_t bits) { return std::bit_cast<float>(bits) >= 0.0f; }

// The clamp also makes a number of a NaN.
bool IsClamped(int32_t lo) { return IsNumberNotBelowZero(lo); }

class Signs {
 public:
  explicit Signs(const Network& network) : network_(network) {}

  bool IsNeverNegative(ValueId value, int layers_left) const {
    if (layers_left == 0 || network_.value(value).dtype != Dtype::kF32) return false;
    const Layer* writer = network_.WriterOf(value);
    return writer != nullptr && (EndsInClamp(*writer) || Keeps(*writer, layers_left - 1));
  }

 private:
  static bool EndsInClamp(const Layer& layer) {
    if (const auto* conv = layer.As<Conv>()) return IsClamped(conv->requantize.clamp.lo);
    if (const auto* depthwise = layer.As<Depthwise>())
      return IsClamped(depthwise->requantize.clamp.lo);
    if (const auto* binary = layer.As<Binary>()) return IsClamped(binary->clamp.lo);
    if (const auto* map = layer.As<Map>()) return IsClamped(map->clamp.lo);
    if (const auto* pool = layer.As<Pool>()) return IsClamped(pool->clamp.lo);
    return false;
  }

  // Whether it gives nothing below 0 of what is not.
  bool Keeps(const Layer& layer, int layers_left) const {
    if (const auto* move = layer.As<Move>()) {
      const bool fills =
          std::all_of(move->pieces.begin(), move->pieces.end(), [](const MovePiece& piece) {
            return piece.from != kNoValue || IsNumberNotBelowZero(static_cast<int32_t>(piece.fill));
          });
      return fills && HasOnly(layer, layers_left);
    }
    if (const auto* binary = layer.As<Binary>())
      return binary->op == BinaryOp::kAdd && !binary->Converts() && !binary->then &&
             HasOnly(layer, layers_left);
    return (layer.As<Pool>() != nullptr || layer.As<Resize>() != nullptr) &&
           HasOnly(layer, layers_left);
  }

  bool HasOnly(const Layer& layer, int layers_left) const {
    const std::vector<ValueId> inputs = layer.Inputs();
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](ValueId input) { return IsNeverNegative(input, layers_left); });
  }

  const Network& network_;
};

}  // namespace

bool IsNeverNegative(const Network& network, ValueId value) {
  return Signs(network).IsNeverNegative(value, kMostLayers);
}

}  // namespace acme::compiler

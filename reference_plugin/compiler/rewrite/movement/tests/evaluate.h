// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a network of moves and of convolutions of single pixels computes, element by element: sums are not requantised.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_TESTS_EVALUATE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_TESTS_EVALUATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

using Elements = std::vector<int64_t>;

inline void EvaluatePiece(const MovePiece& piece, const Elements& from, Elements& to) {
  std::vector<int32_t> at(piece.dims.size());
  for (bool more = true; more;) {
    int64_t source = piece.from_base_elems;
    int64_t target = piece.to_base_elems;
    for (size_t d = 0; d < at.size(); ++d) {
      source += at[d] * piece.dims[d].from_stride_elems;
      target += at[d] * piece.dims[d].to_stride_elems;
    }
    to.at(static_cast<size_t>(target)) =
        piece.from == kNoValue ? piece.fill : from.at(static_cast<size_t>(source));
    more = false;
    for (size_t d = 0; d < at.size() && !more; ++d) {
      more = ++at[d] < piece.dims[d].extent;
      if (!more) at[d] = 0;
    }
  }
}

// The weights and the bias are bytes.
inline Elements EvaluateConv(const Conv& conv, const Network& network, const Elements& x,
                             size_t results) {
  const auto weights = network.value(conv.w).constant;
  const auto in = static_cast<size_t>(conv.in_c);
  const auto out = static_cast<size_t>(conv.out_c);
  const auto x_channels =
      static_cast<size_t>(conv.part.x_channels > 0 ? conv.part.x_channels : conv.in_c);
  Elements y(results);
  for (size_t i = 0; i < results; ++i) {
    const size_t pixel = i / out;
    const size_t channel = i % out;
    if (conv.bias != kNoValue) y[i] = network.value(conv.bias).constant[channel];
    for (size_t c = 0; c < in; ++c)
      y[i] += x.at(pixel * x_channels + static_cast<size_t>(conv.part.first_x_channel) + c) *
              static_cast<int8_t>(weights[channel * in + c]);
    // Another function of each channel, as its scale would be.
    if (!conv.requantize.scales.empty()) y[i] = y[i] * conv.requantize.scales[channel].mult % 251;
  }
  return y;
}

// By output. `inputs`: by value.
inline std::map<ValueId, Elements> Evaluate(const Network& network,
                                            std::map<ValueId, Elements> values) {
  // Another name for all of it is the only one that there is.
  const auto read = [&](ValueId id) -> const Elements& {
    return values.at(network.RootOf(id).value);
  };
  for (const Layer& layer : network.layers) {
    const auto elems = static_cast<size_t>(network.value(layer.output).Elems());
    if (const auto* move = layer.As<Move>()) {
      Elements to(elems);
      for (const MovePiece& piece : move->pieces)
        EvaluatePiece(piece, piece.from == kNoValue ? to : read(piece.from), to);
      values[layer.output] = std::move(to);
    } else if (const auto* conv = layer.As<Conv>()) {
      values[layer.output] = EvaluateConv(*conv, network, read(conv->x), elems);
    }
  }
  std::map<ValueId, Elements> outputs;
  for (ValueId id : network.outputs) outputs[id] = values.at(id);
  return outputs;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_TESTS_EVALUATE_H_

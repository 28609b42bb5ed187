// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/compose_moves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/move_walk.h"

namespace acme::compiler {
namespace {

// What a layer moves, if all of it is of one value and not only a change of shape.
const MovePiece* OnlyPiece(const Layer& layer, const Network& network) {
  const auto* move = layer.As<Move>();
  if (move == nullptr || move->pieces.size() != 1 || move->pieces[0].from == kNoValue ||
      move->IsReshape(network))
    return nullptr;
  return &move->pieces[0];
}

// `second` reading `from`, where the walk over its operand takes what it reads from; nothing if no loops do.
std::optional<MovePiece> Through(const MoveWalk& walk, ValueId from, const MovePiece& second) {
  Loops nest;
  for (const MoveDimension& dim : second.dims) {
    if (dim.extent > 1 && dim.from_stride_elems <= 0) return std::nullopt;
    nest.push_back({dim.extent, dim.from_stride_elems});
  }
  const std::optional<std::vector<Loops>> far = walk.FarNest(second.from_base_elems, nest);
  if (!far) return std::nullopt;
  MovePiece piece = second;
  piece.from = from;
  piece.from_base_elems = walk.Far(second.from_base_elems);
  piece.dims.clear();
  for (size_t d = 0; d < far->size(); ++d) {
    int64_t to_stride = second.dims[d].to_stride_elems;
    for (const Loop& loop : (*far)[d]) {
      piece.dims.push_back({static_cast<int32_t>(loop.extent), loop.stride, to_stride});
      to_stride *= loop.extent;
    }
  }
  piece.dims = MergeMoveDimensions(piece.dims);
  return piece;
}

int64_t Elems(const MovePiece& piece) {
  int64_t elems = 1;
  for (const MoveDimension& dim : piece.dims) elems *= dim.extent;
  return elems;
}

class Composer {
 public:
  explicit Composer(Network& network)
      : network_(network), links_(network), is_gone_(network.layers.size()) {}

  void Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) Compose(i);
    EraseLayers(is_gone_, network_);
  }

 private:
  // A layer that reads what another moved, with that other's move in its own.
  struct Reader {
    size_t layer = 0;
    std::shared_ptr<const Move> move;
  };

  void Compose(size_t first) {
    const MovePiece* piece = OnlyPiece(network_.layers[first], network_);
    if (piece == nullptr || network_.value(piece->from).is_constant()) return;
    const ValueId moved = network_.layers[first].output;
    const std::optional<MoveWalk> walk =
        MoveWalk::FromResult(*piece, network_.value(moved).Elems());
    if (!walk) return;
    std::vector<size_t> names = {first};  // the layer, and reshapes of what it moved
    std::vector<Reader> readers;
    int64_t elems = 0;
    for (size_t n = 0; n < names.size(); ++n) {
      const ValueId name = network_.layers[names[n]].output;
      if (network_.value(name).output_index >= 0) return;
      for (int32_t at : links_.readers[static_cast<size_t>(name)]) {
        const auto layer = static_cast<size_t>(at);
        const auto* move = network_.layers[layer].As<Move>();
        // A layer is rewritten once: not what reads it under two names.
        const bool is_known = std::ranges::find(readers, layer, &Reader::layer) != readers.end();
        if (move == nullptr || is_known) return;
        if (move->IsReshape(network_)) {
          names.push_back(layer);
          continue;
        }
        std::optional<Reader> reader = Read(*move, layer, name, *walk, piece->from, elems);
        if (!reader) return;
        readers.push_back(std::move(*reader));
      }
    }
    if (readers.empty() || elems > network_.value(moved).Elems()) return;
    Replace(names, piece->from, readers);
  }

  // The move of `layer` with its pieces of `name` read through the walk. Adds what they move to `elems`.
  static std::optional<Reader> Read(const Move& move, size_t layer, ValueId name,
                                    const MoveWalk& walk, ValueId from, int64_t& elems) {
    auto composed = std::make_shared<Move>(move);
    for (MovePiece& piece : composed->pieces) {
      // A border becomes the convolution's padding, unless it is of something that moves.
      if (piece.from == kNoValue) return std::nullopt;
      if (piece.from != name) continue;
      elems += Elems(piece);
      std::optional<MovePiece> through = Through(walk, from, piece);
      if (!through) return std::nullopt;
      piece = std::move(*through);
    }
    return Reader{layer, std::move(composed)};
  }

  void Replace(const std::vector<size_t>& names, ValueId from, std::vector<Reader>& readers) {
    std::vector<int32_t>& of_from = links_.readers[static_cast<size_t>(from)];
    std::erase(of_from, static_cast<int32_t>(names[0]));
    for (Reader& reader : readers) {
      network_.layers[reader.layer].op = std::move(reader.move);
      const auto at = static_cast<int32_t>(reader.layer);
      if (std::ranges::find(of_from, at) == of_from.end()) of_from.push_back(at);
    }
    for (size_t name : names) {
      is_gone_[name] = true;
      links_.readers[static_cast<size_t>(network_.layers[name].output)].clear();
    }
  }

  Network& network_;
  ValueLinks links_;
  std::vector<bool> is_gone_;
};

}  // namespace

void ComposeMoves(Network& network) { Composer(network).Run(); }

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/transpositions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/rewrite/move_walk.h"
#include "reference_plugin/compiler/rewrite/product_loops.h"

namespace acme::compiler {
namespace {

// A move beside a product that may go, and where what it moves stands without it.
struct MoveBeside {
  int32_t layer = 0;
  ValueId value = kNoValue;  // on its far side
  MoveWalk walk;
  int64_t elems = 0;
};

// Those of a product's a, b and y.
struct Sides {
  std::optional<MoveBeside> a;
  std::optional<MoveBeside> b;
  std::optional<MoveBeside> y;
};

// Every way to take some of them, at least one.
std::vector<Sides> SomeOf(const Sides& sides) {
  std::vector<Sides> all = {{}};
  for (const auto side : {&Sides::a, &Sides::b, &Sides::y}) {
    if (!(sides.*side)) continue;
    const size_t count = all.size();
    for (size_t i = 0; i < count; ++i) {
      Sides with = all[i];
      with.*side = sides.*side;
      all.push_back(std::move(with));
    }
  }
  all.erase(all.begin());
  return all;
}

// A product that does without the moves that are fused.
struct Choice {
  MatMul matmul;
  Sides fused;
};

class Transpositions {
 public:
  Transpositions(Network& network, const Hardware& hardware)
      : network_(network),
        hardware_(hardware),
        uses_(network.values.size()),
        gone_(network.layers.size()) {
    for (size_t i = 0; i < network.layers.size(); ++i) {
      UsesOf(network.layers[i].output).writer = static_cast<int32_t>(i);
      for (ValueId id : network.layers[i].Inputs())
        UsesOf(id).readers.push_back(static_cast<int32_t>(i));
    }
    for (ValueId id : network.outputs) UsesOf(id).is_output = true;
  }

  void Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      // Where a move goes another may come to stand beside the product.
      while (network_.layers[i].As<MatMul>() != nullptr && FuseBeside(static_cast<int32_t>(i))) {
      }
    }
    EraseLayers(gone_, network_);
  }

 private:
  // Of a storage, by all its names.
  struct Uses {
    int32_t writer = -1;
    std::vector<int32_t> readers;
    bool is_output = false;
  };

  Uses& UsesOf(ValueId id) { return uses_[static_cast<size_t>(network_.RootOf(id).value)]; }
  Layer& LayerAt(int32_t index) { return network_.layers[static_cast<size_t>(index)]; }

  // The only piece of a move of computed values.
  const MovePiece* OnlyPiece(int32_t layer) {
    const auto* move = LayerAt(layer).As<Move>();
    if (move == nullptr || move->pieces.size() != 1) return nullptr;
    const MovePiece& piece = move->pieces.front();
    return piece.from == kNoValue || network_.value(piece.from).is_constant() ? nullptr : &piece;
  }

  // What writes the operand, if nothing else reads it.
  std::optional<MoveBeside> Before(ValueId operand) {
    const Network::Storage storage = network_.RootOf(operand);
    const Uses& uses = UsesOf(operand);
    if (uses.is_output || uses.readers.size() != 1 || uses.writer < 0) return std::nullopt;
    const MovePiece* piece = OnlyPiece(uses.writer);
    const Value& moved = network_.value(storage.value);
    if (piece == nullptr || storage.offset_bytes != 0 ||
        LayerAt(uses.writer).output != storage.value)
      return std::nullopt;
    const std::optional<MoveWalk> walk = MoveWalk::FromResult(*piece, moved.Elems());
    if (!walk) return std::nullopt;
    return MoveBeside{uses.writer, piece->from, *walk, moved.Elems()};
  }

  // What alone reads the result.
  std::optional<MoveBeside> After(ValueId result) {
    const Uses& uses = UsesOf(result);
    if (network_.RootOf(result).value != result || uses.is_output || uses.readers.size() != 1)
      return std::nullopt;
    const MovePiece* piece = OnlyPiece(uses.readers.front());
    if (piece == nullptr || network_.RootOf(piece->from).offset_bytes != 0) return std::nullopt;
    const int64_t elems = network_.value(result).Elems();
    const std::optional<MoveWalk> walk = MoveWalk::FromOperand(*piece, elems);
    if (!walk) return std::nullopt;
    return MoveBeside{uses.readers.front(), LayerAt(uses.readers.front()).output, *walk, elems};
  }

  bool IsLoaded(ValueId id) const {
    const Value& root = network_.value(network_.RootOf(id).value);
    return root.is_constant() || root.input_index >= 0;
  }

  int64_t MatMulCycles(const MatMul& matmul) const {
    return EstimateMatMul(matmul, IsLoaded(matmul.b), hardware_) +
           PartCycles(matmul, hardware_);  // many small products are no better than a move
  }

  // Elements that are not side by side are moved a word each, and every other meets a bank that is
  // taken.
  int64_t MoveCycles(const std::optional<MoveBeside>& move) const {
    return move ? 2 * move->elems / hardware_.vector_write_words : 0;
  }

  int64_t MoveCycles(const Sides& sides) const {
    return MoveCycles(sides.a) + MoveCycles(sides.b) + MoveCycles(sides.y);
  }

  std::optional<Choice> Best(const MatMul& matmul, const Sides& sides) const {
    std::optional<Choice> best;
    // Each way against leaving all as it is: cycles of the product less those of the moves that go.
    int64_t fewest = MatMulCycles(matmul);
    for (const Sides& fused : SomeOf(sides)) {
      MatMul without = matmul;
      ProductWalks walks;
      if (fused.a) {
        walks.a = fused.a->walk;
        without.a = fused.a->value;
      }
      if (fused.b) {
        walks.b = fused.b->walk;
        without.b = fused.b->value;
      }
      if (fused.y) walks.y = fused.y->walk;
      const std::optional<ProductLoops> loops = LoopsOf(matmul, walks);
      if (!loops) continue;
      for (MatMul& candidate : MatMulsOf(*loops, without)) {
        const int64_t cycles = MatMulCycles(candidate) - MoveCycles(fused);
        if (cycles >= fewest || !MatMulFits(candidate, hardware_)) continue;
        fewest = cycles;
        best = Choice{std::move(candidate), fused};
      }
    }
    return best;
  }

  void Remove(const MoveBeside& move) {
    gone_[static_cast<size_t>(move.layer)] = true;
    for (ValueId id : LayerAt(move.layer).Inputs()) std::erase(UsesOf(id).readers, move.layer);
  }

  bool FuseBeside(int32_t index) {
    const MatMul matmul = *LayerAt(index).As<MatMul>();
    // A move that makes both operands is as good as one that others read.
    const bool is_square = matmul.a == matmul.b;
    const Sides sides{is_square ? std::nullopt : Before(matmul.a),
                      is_square ? std::nullopt : Before(matmul.b), After(LayerAt(index).output)};
    const std::optional<Choice> choice = Best(matmul, sides);
    if (!choice) return false;
    for (const std::optional<MoveBeside>* const operand : {&choice->fused.a, &choice->fused.b}) {
      if (!*operand) continue;
      Remove(**operand);
      UsesOf((*operand)->value).readers.push_back(index);
    }
    if (const std::optional<MoveBeside>& result = choice->fused.y) {
      Remove(*result);
      LayerAt(index).output = result->value;
      UsesOf(result->value).writer = index;
    }
    LayerAt(index).op = std::make_shared<MatMul>(choice->matmul);
    return true;
  }

  Network& network_;
  const Hardware& hardware_;
  std::vector<Uses> uses_;  // by storage
  std::vector<bool> gone_;  // by layer
};

}  // namespace

void FuseTranspositions(Network& network, const Hardware& hardware) {
  Transpositions(network, hardware).Run();
}

}  // namespace acme::compiler

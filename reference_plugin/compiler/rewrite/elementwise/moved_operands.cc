// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/moved_operands.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"
#include "reference_plugin/compiler/rewrite/move_walk.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// What a move takes at least: its elements through the lanes.
int64_t MoveCycles(const Value& moved, const Hardware& hardware) {
  return hardware.vector_startup_cycles + moved.Elems() / LanesFor(moved.dtype, hardware);
}

// The piece's extents on the result's side, innermost first; nothing if they are more than a walk's.
std::optional<Extent4> ResultExtent(const MovePiece& piece) {
  std::vector<MoveDimension> dims = MergeMoveDimensions(piece.dims);
  if (dims.size() > kVectorRank) return std::nullopt;
  std::sort(dims.begin(), dims.end(), [](const MoveDimension& a, const MoveDimension& b) {
    return a.to_stride_elems < b.to_stride_elems;
  });
  Extent4 extent = {1, 1, 1, 1};
  for (size_t d = 0; d < dims.size(); ++d) extent[d] = dims[d].extent;
  return extent;
}

// The walk's first dimensions, as far as so many elements go: what reads a part of a value walks no
// further.
Extent4 Within(int64_t elems, const Extent4& extent) {
  Extent4 within = {1, 1, 1, 1};
  int64_t walked = 1;
  for (size_t d = 0; d < extent.size() && walked * extent[d] <= elems; ++d) {
    within[d] = extent[d];
    walked *= extent[d];
  }
  return within;
}

// Reads the operand on the far side of the walk. False if no strides do.
bool Follow(const MoveWalk& walk, const Extent4& extent, Binary::Operand& operand) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  Extent4 far = {};
  int64_t last_near = operand.base_elems;
  int64_t last_far = walk.Far(operand.base_elems);
  for (size_t d = 0; d < extent.size(); ++d) {
    const int64_t step = operand.stride_elems[d];
    if (extent[d] == 1 || step == 0) continue;
    const std::optional<Loops> loops = walk.FarLoops(operand.base_elems, step, extent[d]);
    if (!loops || loops->size() != 1) return false;
    const int64_t stride = loops->front().stride;
    if (stride < 0 || stride > kMost) return false;
    far[d] = static_cast<int32_t>(stride);
    last_near += step * (extent[d] - 1);
    last_far += stride * (extent[d] - 1);
  }
  // Where the last element is where it should be, none of the dimensions ran into another's.
  if (walk.Far(last_near) != last_far) return false;
  operand.base_elems = walk.Far(operand.base_elems);
  operand.stride_elems = far;
  return true;
}

class MovedOperands {
 public:
  MovedOperands(Network& network, const Hardware& hardware)
      : network_(network), hardware_(hardware), uses_(network), is_gone_(network.layers.size()) {}

  void Run() {
    // Of a move of what was moved the last one goes first.
    for (size_t i = network_.layers.size(); i-- > 0;) {
      const auto* move = network_.layers[i].As<Move>();
      if (move != nullptr && move->pieces.size() == 1) is_gone_[i] = Skip(i, move->pieces.front());
    }
    EraseLayers(is_gone_, network_);
  }

 private:
  // Whether all that reads what the layer moves now reads what it moves it from.
  bool Skip(size_t mover, const MovePiece& piece) {
    const ValueId moved = network_.layers[mover].output;
    if (piece.from == kNoValue || !uses_.AreLayersAlone(network_, moved)) return false;
    const ValueId root = network_.RootOf(piece.from).value;
    const std::optional<MoveWalk> walk = MoveWalk::FromResult(piece, network_.value(moved).Elems());
    if (network_.value(piece.from).is_constant() ||
        !Stays(network_.value(root).Bytes(), hardware_) || !walk)
      return false;
    const std::vector<int32_t> readers = uses_.readers[static_cast<size_t>(moved)];
    int64_t saved = MoveCycles(network_.value(moved), hardware_);
    std::vector<std::shared_ptr<const LayerOp>> ops;
    for (int32_t reader : readers) {
      const Layer& layer = network_.layers[static_cast<size_t>(reader)];
      const Binary* pass = PassOf(layer);
      if (pass == nullptr ||
          IsWrittenBetween(piece.from, mover, static_cast<size_t>(reader), network_))
        return false;
      std::shared_ptr<const Binary> op = Reading(*pass, moved, piece, *walk);
      if (op == nullptr) return false;
      const Dtype result = network_.value(layer.output).dtype;
      saved += PassCycles(*pass, result, hardware_) - PassCycles(*op, result, hardware_);
      ops.push_back(std::move(op));
    }
    if (saved < 0) return false;
    std::vector<int32_t>& left = uses_.readers[static_cast<size_t>(root)];
    std::erase(left, static_cast<int32_t>(mover));
    for (size_t i = 0; i < readers.size(); ++i) {
      network_.layers[static_cast<size_t>(readers[i])].op = std::move(ops[i]);
      left.push_back(readers[i]);
    }
    return true;
  }

  // The operation without the move; nothing if it can't do without.
  static std::shared_ptr<const Binary> Reading(const Binary& pass, ValueId moved,
                                               const MovePiece& piece, const MoveWalk& walk) {
    std::vector<Binary> forms = {pass};
    const std::optional<Extent4> moves = ResultExtent(piece);
    const auto common =
        moves ? CommonExtent(pass.extent, Within(BoxElems(pass.extent), *moves)) : std::nullopt;
    if (common) forms.push_back(WithExtent(pass, *common));
    for (const Binary& form : forms) {
      auto op = std::make_shared<Binary>(form);
      bool follows = true;
      for (Binary::Operand* side : op->Sides()) {
        if (side->value != moved) continue;
        follows = follows && Follow(walk, op->extent, *side);
        side->value = piece.from;
      }
      if (follows) return op;
    }
    return nullptr;
  }

  Network& network_;
  const Hardware& hardware_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

class JoinedResults {
 public:
  JoinedResults(Network& network, const Hardware& hardware)
      : network_(network), hardware_(hardware), uses_(network) {}

  void Run() {
    std::vector<bool> is_gone;
    for (const Layer& layer : network_.layers) is_gone.push_back(Skip(layer));
    EraseLayers(is_gone, network_);
  }

 private:
  // What makes a piece, as it writes it into the whole.
  struct Writer {
    size_t layer = 0;
    ValueId value = kNoValue;
    int64_t base_elems = 0;
    std::shared_ptr<const Binary> op;
  };

  // Whether what the layer joins is now made where it belongs.
  bool Skip(const Layer& joiner) {
    const auto* move = joiner.As<Move>();
    const Value& whole = network_.value(joiner.output);
    if (move == nullptr || move->pieces.size() < 2 || whole.output_index >= 0 ||
        whole.base != kNoValue || !Stays(whole.Bytes(), hardware_))
      return false;
    int64_t saved = 0;
    std::vector<Writer> writers;
    for (const MovePiece& piece : move->pieces) {
      const std::optional<Writer> writer = WriterOf(piece);
      const auto is_same = [&](const Writer& other) { return other.value == piece.from; };
      if (!writer || std::any_of(writers.begin(), writers.end(), is_same)) return false;
      const Value& part = network_.value(writer->value);
      const auto* before = network_.layers[writer->layer].As<Binary>();
      saved += MoveCycles(part, hardware_) + PassCycles(*before, part.dtype, hardware_) -
               PassCycles(*writer->op, part.dtype, hardware_);
      writers.push_back(*writer);
    }
    if (saved < 0) return false;
    for (Writer& writer : writers) {
      Value& part = network_.values[static_cast<size_t>(writer.value)];
      part.base = joiner.output;
      part.base_offset_bytes = writer.base_elems * SizeBytes(part.dtype);
      network_.layers[writer.layer].op = std::move(writer.op);
    }
    return true;
  }

  std::optional<Writer> WriterOf(const MovePiece& piece) const {
    if (piece.from == kNoValue || network_.value(piece.from).is_constant()) return std::nullopt;
    const int32_t maker = uses_.WriterForOne(network_, piece.from);
    if (maker < 0) return std::nullopt;
    const auto layer = static_cast<size_t>(maker);
    const Binary* pass = PassOf(network_.layers[layer]);
    const int64_t elems = network_.value(piece.from).Elems();
    const std::optional<MovedRows> rows = RowsInResult(piece, elems);
    if (pass == nullptr || !rows) return std::nullopt;
    std::shared_ptr<const Binary> op;
    if (rows->cols == elems) {
      op = std::make_shared<Binary>(*pass);
    } else if (const auto apart = pass->WithPitch(static_cast<int32_t>(rows->cols),
                                                  static_cast<int32_t>(rows->pitch))) {
      op = std::make_shared<Binary>(*apart);
    }
    if (op == nullptr) return std::nullopt;
    return Writer{layer, piece.from, rows->begin, std::move(op)};
  }

  Network& network_;
  const Hardware& hardware_;
  ValueUses uses_;
};

}  // namespace

void ReadMovedOperands(Network& network, const Hardware& hardware) {
  MovedOperands(network, hardware).Run();
}

void WriteJoinedResults(Network& network, const Hardware& hardware) {
  JoinedResults(network, hardware).Run();
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/residuals.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"
#include "reference_plugin/compiler/rewrite/move_walk.h"

namespace acme::compiler {
namespace {

// The layer's operation if it adds two computed values, element by element.
const Binary* SumOf(const Layer& layer, const Network& network) {
  const Binary* pass = PassOf(layer);
  if (pass == nullptr || pass->op != BinaryOp::kAdd || pass->then || pass->Converts())
    return nullptr;
  for (const Binary::Operand* side : pass->Sides()) {
    const Value& value = network.value(side->value);
    if (value.is_constant() || side->base_elems != 0 || !IsWhole(*side, pass->extent) ||
        value.shape != network.value(layer.output).shape)
      return nullptr;
  }
  return pass;
}

// Whether results of the convolution can be added to as they are drained. What is one row of pixels
// is a product of matrices, which is computed by columns where that is better (columns/).
bool TakesResidual(const Conv& conv) {
  return conv.part.is_whole() && conv.end_out == 0 && conv.geometry.h.out > 1 &&
         !conv.ScalesSums() && !conv.residual;
}

// What the move's result is with further channels; nothing if it is something else, or if what they
// hold is not `zero`, an element's bytes.
std::optional<ValueId> FindNarrower(const Layer& mover, uint32_t zero, const Network& network) {
  const auto* move = mover.As<Move>();
  if (move == nullptr) return std::nullopt;
  const Value& result = network.value(mover.output);
  const std::vector<int32_t>& wide = result.shape;
  const uint32_t mask = UINT32_MAX >> (8 * (sizeof(zero) - SizeBytes(result.dtype)));
  std::optional<ValueId> narrower;
  for (const MovePiece& piece : move->pieces) {
    if (piece.from == kNoValue) {
      if (((piece.fill ^ zero) & mask) != 0) return std::nullopt;
      continue;
    }
    const Value& from = network.value(piece.from);
    std::vector<int32_t> shape = wide;
    shape.back() = from.shape.empty() ? 0 : from.shape.back();
    if (narrower || from.is_constant() || from.shape != shape ||
        RowsInResult(piece, from.Elems()) != MovedRows{0, shape.back(), wide.back()})
      return std::nullopt;
    narrower = piece.from;
  }
  return narrower;
}

class ResidualFusion {
 public:
  explicit ResidualFusion(Network& network)
      : network_(network), uses_(network), is_gone_(network.layers.size()) {}

  bool Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Binary* sum = SumOf(network_.layers[i], network_);
      if (sum == nullptr) continue;
      // Of two convolutions the later one, whose results need not wait for the other's.
      const bool b_is_later = MakerOf(sum->b.value) > MakerOf(sum->a.value);
      for (const bool conv_is_b : {b_is_later, !b_is_later}) {
        if (TakeMaker(i, *sum, conv_is_b)) break;
      }
    }
    return EraseLayers(is_gone_, network_) > 0;
  }

 private:
  int32_t MakerOf(ValueId value) const { return uses_.writer[static_cast<size_t>(value)]; }

  // Whether layer `at`, the sum, is now the convolution that made one of its operands.
  bool TakeMaker(size_t at, const Binary& sum, bool conv_is_b) {
    const ValueId between = (conv_is_b ? sum.b : sum.a).value;
    const int32_t maker = uses_.WriterForOne(network_, between);
    if (maker < 0 || is_gone_[static_cast<size_t>(maker)] || sum.a.value == sum.b.value)
      return false;
    const auto* conv = network_.layers[static_cast<size_t>(maker)].As<Conv>();
    if (conv == nullptr || !TakesResidual(*conv) ||
        IsWrittenBetween(conv->x, static_cast<size_t>(maker), at, network_))
      return false;
    auto fused = std::make_shared<Conv>(*conv);
    fused->residual = sum;
    if (conv_is_b) std::swap(fused->residual->a, fused->residual->b);
    fused->residual->a.value = kNoValue;
    ReadNarrower(at, *fused);
    network_.layers[at].op = std::move(fused);
    is_gone_[static_cast<size_t>(maker)] = true;
    return true;
  }

  // Of what is added no channels that hold nothing, if a move alone has made them for layer `at`.
  void ReadNarrower(size_t at, Conv& fused) {
    Binary::Operand& added = fused.residual->b;
    const int32_t mover = uses_.WriterForOne(network_, added.value);
    if (mover < 0) return;
    const auto move = static_cast<size_t>(mover);
    const uint32_t zero = fused.dtype == Dtype::kF32 ? 0 : static_cast<uint32_t>(added.zero_point);
    const std::optional<ValueId> narrower = FindNarrower(network_.layers[move], zero, network_);
    if (!narrower || IsWrittenBetween(*narrower, move, at, network_)) return;
    added.value = *narrower;
    fused.residual_c = network_.value(*narrower).shape.back();
    is_gone_[move] = true;
  }

  Network& network_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

}  // namespace

bool FuseResiduals(Network& network) { return ResidualFusion(network).Run(); }

}  // namespace acme::compiler

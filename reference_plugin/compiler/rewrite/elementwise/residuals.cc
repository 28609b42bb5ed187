// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/residuals.h"

#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

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
         conv.sum_scales == kNoValue && !conv.residual;
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
  int32_t MakerOf(ValueId value) const { return uses_.producer[static_cast<size_t>(value)]; }

  // Whether layer `at`, the sum, is now the convolution that made one of its operands.
  bool TakeMaker(size_t at, const Binary& sum, bool conv_is_b) {
    const ValueId between = (conv_is_b ? sum.b : sum.a).value;
    const int32_t maker = uses_.MakerForOne(network_, between);
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
    network_.layers[at].op = std::move(fused);
    is_gone_[static_cast<size_t>(maker)] = true;
    return true;
  }

  Network& network_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

}  // namespace

bool FuseResiduals(Network& network) { return ResidualFusion(network).Run(); }

}  // namespace acme::compiler

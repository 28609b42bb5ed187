// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/hybrid_product.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/packed_int4.h"
#include "reference_plugin/compiler/legalize/products/rounded_activations.h"
#include "reference_plugin/compiler/lower/products/blocks/block_product.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"

namespace acme::compiler {
namespace {

class HybridProduct {
 public:
  HybridProduct(std::string name, int32_t rows, int32_t depth, int32_t units,
                NetworkBuilder& builder)
      : layers_(std::move(name), rows, {}, builder), depth_(depth), units_(units) {}

  // The rows in steps of their scales, these scales, and if asymmetric their zero points.
  void RoundActivations(ValueId x, RoundedRange range) {
    rounded_ = RoundRows(x, depth_, range, layers_);
  }
  const RoundedRows& rounded() const { return rounded_; }

  // w_scales: one, or one a unit.
  Conv Product(std::vector<float> w_scales) {
    if (w_scales.size() == 1) w_scales.resize(static_cast<size_t>(units_), w_scales.front());
    Conv product;
    product.sum_scales = layers_.Constant(w_scales);
    product.in_c = depth_;
    product.out_c = units_;
    product.geometry.w = {.in = layers_.rows(), .out = layers_.rows()};
    product.requantize.clamp = FloatActivationRange(Activation::kNone);
    return product;
  }
  BlockProduct ProductInBlocks(const TensorInfo& w) {
    BlockProduct product;
    product.rows = layers_.rows();
    product.depth = depth_;
    product.units = units_;
    product.block = w.block_elems;
    product.scales = layers_.Constant(w.block_scales);
    return product;
  }

  // The products of what was rounded and the weights, in units of the weights' scales.
  template <class Product>
  void Multiply(Product product, ValueId w) {
    product.x = rounded_.stored;
    product.w = w;
    sums_ = layers_.AddLayer(Dtype::kF32, units_, std::make_shared<Product>(std::move(product)));
  }

  // The same times the rows' scales, as a layer that gives `result`, if the drain can do it.
  bool MultiplyAndScale(const Conv& product, ValueId w, ValueId bias, const ClampRange& clamp,
                        ValueId result, const Hardware& hardware) {
    NetworkBuilder& builder = layers_.builder();
    const bool known = bias == kNoValue || builder.network().value(bias).is_constant();
    if (rounded_.zero_points != kNoValue || !known) return false;
    // Without a bias its place in the records is moved in vain, and it is the DRAM that few rows wait
    // for, most of the time.
    // Of each unit: 4 bytes are 4 / dram_bytes_per_cycle cycles of the DRAM, the pass of float32
    // that they save is rows / vector_lanes_32 cycles.
    constexpr int64_t kDramWeight = 3;
    const int64_t dram = kDramWeight * SizeBytes(Dtype::kF32) * hardware.vector_lanes_32;
    if (bias == kNoValue && dram > layers_.rows() * hardware.dram_bytes_per_cycle) return false;
    auto scaled = std::make_shared<Conv>(product);
    scaled->x = rounded_.stored;
    scaled->w = w;
    scaled->bias = bias;
    scaled->row_factors = rounded_.scales;
    scaled->factor_a_pixel = true;
    scaled->requantize.clamp = clamp;
    builder.AddLayer(result, std::move(scaled));
    return true;
  }

  // Takes away what zero points added; w_sums: of each unit's real weights.
  void TakeZeroPoints(const std::vector<float>& w_sums) {
    const ValueId added = layers_.Add(BinaryOp::kMul, {rounded_.zero_points, 0, 1},
                                      {layers_.Constant(w_sums), 1, 0}, units_);
    sums_ = layers_.Add(BinaryOp::kSub, {sums_, 1, units_}, {added, 1, units_}, units_);
  }

  // Sums times the rows' scales; the last layer, which gives `result`.
  void Scale(ValueId bias, const ClampRange& clamp, ValueId result) {
    auto scaled = layers_.Op(BinaryOp::kMul, {sums_, 1, units_}, {rounded_.scales, 0, 1}, units_);
    if (bias == kNoValue) {
      scaled->clamp = clamp;
      layers_.builder().AddLayer(result, std::move(scaled));
      return;
    }
    const ValueId product = layers_.AddLayer(Dtype::kF32, units_, std::move(scaled));
    auto sum = layers_.Op(BinaryOp::kAdd, {product, 1, units_}, {bias, 1, 0}, units_);
    sum->clamp = clamp;
    layers_.builder().AddLayer(result, std::move(sum));
  }

 private:
  RowLayers layers_;
  int32_t depth_;
  int32_t units_;
  RoundedRows rounded_;
  ValueId sums_ = kNoValue;  // in steps of the rows' scales
};

// kNoValue: there is none.
Expected<ValueId> ReadBias(const litert::Op& op, int32_t units, NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  if (inputs.size() < 3) return kNoValue;
  ACME_ASSIGN_OR_RETURN(const TensorInfo bias, ReadTensor(inputs[2]));
  const bool known = bias.value.is_constant() || builder.of_partition();
  if (bias.value.dtype != Dtype::kF32 || !known || bias.value.Elems() != units) {
    return Unsupported(fmt::format("the bias must be a constant of {} float32 elements", units));
  }
  return builder.AddTensor(inputs[2]);
}

// Of each unit, the sum of its weights times their scales.
std::vector<float> SumsOfWeights(const TensorInfo& w) {
  const auto depth = static_cast<size_t>(w.value.shape[1]);
  const size_t block = w.block_elems > 0 ? static_cast<size_t>(w.block_elems) : depth;
  const auto weight_at = [&](size_t index) -> int {
    if (w.value.int4) return Int4At(w.value.constant, static_cast<int64_t>(index));
    return static_cast<int8_t>(w.value.constant[index]);
  };
  std::vector<float> sums;
  for (size_t begin = 0; begin < static_cast<size_t>(w.value.Elems()); begin += depth) {
    double unit = 0;
    for (size_t i = begin; i < begin + depth; i += block) {
      int64_t sum = 0;
      for (size_t k = i; k < i + block; ++k) sum += weight_at(k);
      const float scale = w.block_elems > 0     ? w.block_scales[i / block]
                          : w.scales.size() > 1 ? w.scales[begin / depth]
                                                : w.scales[0];
      unit += static_cast<double>(sum) * static_cast<double>(scale);
    }
    sums.push_back(static_cast<float>(unit));
  }
  return sums;
}

}  // namespace

Expected<void> AddHybridProduct(const litert::Op& op, const TensorInfo& x, const TensorInfo& w,
                                Activation activation, const Hardware& hardware,
                                NetworkBuilder& builder) {
  bool asymmetric = false;
  if (LiteRtGetFullyConnectedAsymmetricQuantizeInputOption(op.Get(), &asymmetric) !=
      kLiteRtStatusOk)
    return Unsupported("the op has no FullyConnectedOptions");
  const int32_t units = w.value.shape[0];
  const int32_t depth = w.value.shape[1];
  const auto rows = static_cast<int32_t>(x.value.Elems() / depth);
  ACME_ASSIGN_OR_RETURN(const ValueId bias, ReadBias(op, units, builder));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const ValueId result, builder.AddTensor(op.Outputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId activations, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId weights, builder.AddTensor(inputs[1], Int4::kTakenInBlocks));
  HybridProduct hybrid(builder.network().value(result).name, rows, depth, units, builder);
  if (w.block_elems > 0) {
    BlockProduct product = hybrid.ProductInBlocks(w);
    if (!BlockProductFits(product, hardware)) return DoesNotFit(hardware);
    // TFLite knows no other way.
    hybrid.RoundActivations(activations, RoundedRange::kAsymmetric);
    hybrid.Multiply(std::move(product), weights);
  } else {
    Conv product = hybrid.Product(w.scales);
    if (!ConvFits(product, hardware)) return DoesNotFit(hardware);
    hybrid.RoundActivations(activations, RangeOf(activations, asymmetric, builder.network()));
    product.act_zp = hybrid.rounded().zero_point;
    const ClampRange clamp = FloatActivationRange(activation);
    if (hybrid.MultiplyAndScale(product, weights, bias, clamp, result, hardware)) return {};
    hybrid.Multiply(std::move(product), weights);
  }
  if (hybrid.rounded().zero_points != kNoValue) hybrid.TakeZeroPoints(SumsOfWeights(w));
  hybrid.Scale(bias, FloatActivationRange(activation), result);
  return {};
}

}  // namespace acme::compiler

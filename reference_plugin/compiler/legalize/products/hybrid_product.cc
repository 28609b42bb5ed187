// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/hybrid_product.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/packed_int4.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/blocks/block_product.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

constexpr float kSteps = 127.0f;            // of the larger half of a symmetric range
constexpr float kAsymmetricSteps = 255.0f;  // of a whole range
// In the place of 0 for a row of zeros: large enough that its inverse is a number.
constexpr float kLeastRange = 0x1p-100f;

// A matrix of rows, or one number a row (cols 1 and the stride 0 along columns), or one a column.
struct Side {
  ValueId value = kNoValue;
  int32_t col_stride = 1;
  int32_t row_stride = 0;
};

class HybridProduct {
 public:
  HybridProduct(std::string name, int32_t rows, int32_t depth, int32_t units,
                NetworkBuilder& builder)
      : name_(std::move(name)), rows_(rows), depth_(depth), units_(units), builder_(builder) {}

  // The rows in steps of their scales, these scales, and if asymmetric their zero points.
  void RoundRows(ValueId x, bool asymmetric) {
    const auto shared = [&](const char* what) -> ValueId& {
      return builder_.Shared(
          fmt::format("{}{} of v{} by {}", asymmetric ? "asymmetric " : "", what, x, depth_));
    };
    ValueId& stored = shared("rows");
    ValueId& scales = shared("scales of rows");
    ValueId& zero_points = shared("zero points of rows");
    if (stored == kNoValue)
      stored = asymmetric ? RoundToRange(x, scales, zero_points) : RoundToReach(x, scales);
    stored_ = stored;
    row_scales_ = scales;
    row_zero_points_ = zero_points;
  }

  // w_scales: one, or one a unit.
  Conv Product(std::vector<float> w_scales) {
    if (w_scales.size() == 1) w_scales.resize(static_cast<size_t>(units_), w_scales.front());
    Conv product;
    product.sum_scales = Constant(w_scales);
    product.in_c = depth_;
    product.out_c = units_;
    product.geometry.w = {.in = rows_, .out = rows_};
    product.requantize.clamp = FloatActivationRange(Activation::kNone);
    return product;
  }
  BlockProduct ProductInBlocks(const TensorInfo& w) {
    BlockProduct product;
    product.rows = rows_;
    product.depth = depth_;
    product.units = units_;
    product.block = w.block_elems;
    product.scales = Constant(w.block_scales);
    return product;
  }

  // The products of what RoundRows made and the weights, in units of the weights' scales.
  template <class Product>
  void Multiply(Product product, ValueId w) {
    product.x = stored_;
    product.w = w;
    sums_ = AddLayer(Dtype::kF32, units_, std::make_shared<Product>(std::move(product)));
  }

  // Takes away what zero points added; w_sums: of each unit's real weights.
  void TakeZeroPoints(const std::vector<float>& w_sums) {
    const ValueId added =
        Add(BinaryOp::kMul, {row_zero_points_, 0, 1}, {Constant(w_sums), 1, 0}, units_);
    sums_ = Add(BinaryOp::kSub, {sums_, 1, units_}, {added, 1, units_}, units_);
  }

  // Sums times the rows' scales; the last layer, which gives `result`.
  void Scale(ValueId bias, const ClampRange& clamp, ValueId result) {
    auto scaled = Op(BinaryOp::kMul, {sums_, 1, units_}, {row_scales_, 0, 1}, units_);
    if (bias == kNoValue) {
      scaled->clamp = clamp;
      builder_.AddLayer(result, std::move(scaled));
      return;
    }
    const ValueId product = AddLayer(Dtype::kF32, units_, std::move(scaled));
    auto sum = Op(BinaryOp::kAdd, {product, 1, units_}, {bias, 1, 0}, units_);
    sum->clamp = clamp;
    builder_.AddLayer(result, std::move(sum));
  }

 private:
  // To 127 steps of the largest magnitude.
  ValueId RoundToReach(ValueId x, ValueId& scales) {
    std::shared_ptr<Map> magnitude = MapOf(Dtype::kF32, Dtype::kF32);
    magnitude->function = UnaryOp::kAbs;
    magnitude->x = x;
    const ValueId reach =
        Add(BinaryOp::kMax,
            {Extreme(ReduceOp::kMax, AddLayer(Dtype::kF32, depth_, std::move(magnitude))), 0, 1},
            Number(kLeastRange), 1);
    scales = Add(BinaryOp::kDiv, {reach, 0, 1}, Number(kSteps), 1);
    const ValueId inverse = Add(BinaryOp::kDiv, Number(kSteps), {reach, 0, 1}, 1);
    const ValueId steps = Add(BinaryOp::kMul, {x, 1, depth_}, {inverse, 0, 1}, depth_);
    return Rounded(steps, depth_, -static_cast<int32_t>(kSteps));
  }

  // To 255 steps from the least number, or 0, to the largest. A row of zeros has the scale 0: what
  // its zero point adds is not taken away to the last bit.
  ValueId RoundToRange(ValueId x, ValueId& scales, ValueId& zero_points) {
    const ValueId low = Add(BinaryOp::kMin, {Extreme(ReduceOp::kMin, x), 0, 1}, Number(0), 1);
    const ValueId high = Add(BinaryOp::kMax, {Extreme(ReduceOp::kMax, x), 0, 1}, Number(0), 1);
    const ValueId range = Add(BinaryOp::kSub, {high, 0, 1}, {low, 0, 1}, 1);
    scales = Add(BinaryOp::kDiv, {range, 0, 1}, Number(kAsymmetricSteps), 1);
    const ValueId divisor =
        Add(BinaryOp::kMax, {scales, 0, 1}, Number(kLeastRange / kAsymmetricSteps), 1);
    const ValueId inverse = Add(BinaryOp::kDiv, Number(1), {divisor, 0, 1}, 1);
    const ValueId low_steps = Add(BinaryOp::kMul, {low, 0, 1}, {inverse, 0, 1}, 1);
    const ValueId exact = Add(BinaryOp::kSub, Number(INT8_MIN), {low_steps, 0, 1}, 1);
    std::shared_ptr<Map> to_float = MapOf(Dtype::kI8, Dtype::kF32);
    to_float->function = ConvertOp::kDequantize;
    to_float->x = Rounded(exact, 1, INT8_MIN);
    to_float->a.mult = std::bit_cast<uint32_t>(1.0f);
    zero_points = AddLayer(Dtype::kF32, 1, std::move(to_float));
    const ValueId steps = Add(BinaryOp::kMul, {x, 1, depth_}, {inverse, 0, 1}, depth_);
    return Rounded(Add(BinaryOp::kAdd, {steps, 1, depth_}, {zero_points, 0, 1}, depth_), depth_,
                   INT8_MIN);
  }

  ValueId Rounded(ValueId steps, int32_t cols, int32_t least) {
    std::shared_ptr<Map> rounding = MapOf(Dtype::kF32, Dtype::kI8);
    rounding->function = ConvertOp::kQuantize;
    rounding->x = steps;
    rounding->dst.mult = std::bit_cast<uint32_t>(1.0f);
    rounding->clamp = {.lo = least, .hi = INT8_MAX};
    return AddLayer(Dtype::kI8, cols, std::move(rounding));
  }

  // Of each row.
  ValueId Extreme(ReduceOp op, ValueId x) {
    auto extreme = std::make_shared<Reduce>();
    extreme->x = x;
    extreme->op = op;
    extreme->in = Dtype::kF32;
    extreme->out = Dtype::kF32;
    extreme->dims = MergeReduceDimensions({rows_, depth_}, {false, true});
    return AddLayer(Dtype::kF32, 1, std::move(extreme));
  }

  ValueId Constant(const std::vector<float>& numbers) {
    std::vector<uint8_t> bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return builder_.AddConstant(name_, Dtype::kF32, {static_cast<int32_t>(numbers.size())},
                                std::move(bytes));
  }
  Side Number(float number) { return {Constant({number}), 0, 0}; }

  std::shared_ptr<Binary> Op(BinaryOp op, const Side& a, const Side& b, int32_t cols) const {
    auto binary = std::make_shared<Binary>();
    binary->op = op;
    binary->extent = {cols, rows_, 1, 1};
    binary->a.value = a.value;
    binary->a.stride_elems = {a.col_stride, a.row_stride, 0, 0};
    binary->b.value = b.value;
    binary->b.stride_elems = {b.col_stride, b.row_stride, 0, 0};
    binary->clamp = FloatActivationRange(Activation::kNone);
    return binary;
  }
  ValueId Add(BinaryOp op, const Side& a, const Side& b, int32_t cols) {
    return AddLayer(Dtype::kF32, cols, Op(op, a, b, cols));
  }
  ValueId AddLayer(Dtype dtype, int32_t cols, std::shared_ptr<const LayerOp> op) {
    const ValueId id = builder_.AddValue(name_, dtype, {rows_, cols});
    builder_.AddLayer(id, std::move(op));
    return id;
  }

  std::string name_;
  int32_t rows_;
  int32_t depth_;
  int32_t units_;
  NetworkBuilder& builder_;
  ValueId stored_ = kNoValue;
  ValueId row_scales_ = kNoValue;
  ValueId row_zero_points_ = kNoValue;
  ValueId sums_ = kNoValue;  // in steps of the rows' scales
};

// kNoValue: there is none.
Expected<ValueId> ReadBias(const litert::Op& op, int32_t units, NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  if (inputs.size() < 3) return kNoValue;
  ACME_ASSIGN_OR_RETURN(const TensorInfo bias, ReadTensor(inputs[2]));
  if (bias.value.dtype != Dtype::kF32 || !bias.value.is_constant() || bias.value.Elems() != units) {
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
  // Of weights in blocks TFLite knows no other way.
  asymmetric = asymmetric || w.block_elems > 0;
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
    hybrid.RoundRows(activations, asymmetric);
    hybrid.Multiply(std::move(product), weights);
  } else {
    Conv product = hybrid.Product(w.scales);
    if (!ConvFits(product, hardware)) return DoesNotFit(hardware);
    hybrid.RoundRows(activations, asymmetric);
    hybrid.Multiply(std::move(product), weights);
  }
  if (asymmetric) hybrid.TakeZeroPoints(SumsOfWeights(w));
  hybrid.Scale(bias, FloatActivationRange(activation), result);
  return {};
}

}  // namespace acme::compiler

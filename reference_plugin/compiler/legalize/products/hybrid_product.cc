// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/hybrid_product.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

constexpr float kSteps = 127.0f;
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
  // w_scales: one, or one a unit.
  HybridProduct(std::string name, int32_t rows, int32_t depth, int32_t units,
                std::vector<float> w_scales, NetworkBuilder& builder)
      : name_(std::move(name)), rows_(rows), depth_(depth), units_(units), builder_(builder) {
    if (w_scales.size() == 1) w_scales.resize(static_cast<size_t>(units), w_scales.front());
    w_scales_ = Constant(w_scales);
  }

  // The rows in steps of their scales, and these scales.
  void RoundRows(ValueId x) {
    ValueId& stored = builder_.Shared(fmt::format("rows of v{} by {}", x, depth_));
    ValueId& scales = builder_.Shared(fmt::format("scales of rows of v{} by {}", x, depth_));
    if (stored == kNoValue) {
      const ValueId range = AddRange(x);
      scales = Add(BinaryOp::kDiv, {range, 0, 1}, Number(kSteps), 1);
      const ValueId inverse = Add(BinaryOp::kDiv, Number(kSteps), {range, 0, 1}, 1);
      const ValueId steps = Add(BinaryOp::kMul, {x, 1, depth_}, {inverse, 0, 1}, depth_);
      std::shared_ptr<Map> rounding = MapOf(Dtype::kF32, Dtype::kI8);
      rounding->function = ConvertOp::kQuantize;
      rounding->x = steps;
      rounding->dst.mult = std::bit_cast<uint32_t>(1.0f);
      rounding->clamp = {.lo = -static_cast<int32_t>(kSteps), .hi = static_cast<int32_t>(kSteps)};
      stored = AddLayer(Dtype::kI8, depth_, std::move(rounding));
    }
    stored_ = stored;
    row_scales_ = scales;
  }

  Conv Product() const {
    Conv product;
    product.sum_scales = w_scales_;
    product.in_c = depth_;
    product.out_c = units_;
    product.geometry.w = {.in = rows_, .out = rows_};
    product.requantize.clamp = FloatActivationRange(Activation::kNone);
    return product;
  }

  // The products of what RoundRows made and the weights, in units of the weights' scales.
  void Multiply(ValueId w) {
    Conv product = Product();
    product.x = stored_;
    product.w = w;
    sums_ = AddLayer(Dtype::kF32, units_, std::make_shared<Conv>(std::move(product)));
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
  // The largest magnitude of each row.
  ValueId AddRange(ValueId x) {
    std::shared_ptr<Map> magnitude = MapOf(Dtype::kF32, Dtype::kF32);
    magnitude->function = UnaryOp::kAbs;
    magnitude->x = x;
    auto largest = std::make_shared<Reduce>();
    largest->x = AddLayer(Dtype::kF32, depth_, std::move(magnitude));
    largest->op = ReduceOp::kMax;
    largest->in = Dtype::kF32;
    largest->out = Dtype::kF32;
    largest->dims = MergeReduceDimensions({rows_, depth_}, {false, true});
    const ValueId range = AddLayer(Dtype::kF32, 1, std::move(largest));
    return Add(BinaryOp::kMax, {range, 0, 1}, Number(kLeastRange), 1);
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
  ValueId w_scales_ = kNoValue;  // [units]
  ValueId stored_ = kNoValue;
  ValueId row_scales_ = kNoValue;
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

}  // namespace

Expected<void> AddHybridProduct(const litert::Op& op, const TensorInfo& x, const TensorInfo& w,
                                Activation activation, const Hardware& hardware,
                                NetworkBuilder& builder) {
  bool asymmetric = false;
  if (LiteRtGetFullyConnectedAsymmetricQuantizeInputOption(op.Get(), &asymmetric) !=
      kLiteRtStatusOk)
    return Unsupported("the op has no FullyConnectedOptions");
  if (asymmetric) return Unsupported("activations with zero points are not supported");
  const int32_t units = w.value.shape[0];
  const int32_t depth = w.value.shape[1];
  const auto rows = static_cast<int32_t>(x.value.Elems() / depth);
  ACME_ASSIGN_OR_RETURN(const ValueId bias, ReadBias(op, units, builder));
  ACME_ASSIGN_OR_RETURN(const ValueId result, builder.AddTensor(op.Outputs()[0]));
  HybridProduct product(builder.network().value(result).name, rows, depth, units, w.scales,
                        builder);
  if (!ConvFits(product.Product(), hardware)) return DoesNotFit(hardware);
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const ValueId activations, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId weights, builder.AddTensor(inputs[1], Int4::kTaken));
  product.RoundRows(activations);
  product.Multiply(weights);
  product.Scale(bias, FloatActivationRange(activation), result);
  return {};
}

}  // namespace acme::compiler

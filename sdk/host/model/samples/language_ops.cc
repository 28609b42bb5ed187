// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_ops.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace npukit {
namespace {

using Place = LanguageOps::Place;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;

// What TFLite fixes for functions with values from 0 to 1.
Quantization UnitRange(LiteRtElementType type) {
  if (type == kInt8) return PerTensor(1.0f / 256, -128);
  if (type == kInt16) return PerTensor(1.0f / 32768);
  return {};
}

}  // namespace

LiteRtElementType LanguageOps::TypeOf(Place place) const {
  if (!weights_.is_integer()) return kFloat;
  if (place == Place::kBetween || recipe_ == LanguageRecipe::kInt16ByInt8) return kInt16;
  return kInt8;
}

Quantization LanguageOps::QuantizationOf(Place place, float rms) const {
  switch (TypeOf(place)) {
    case kInt8:
      return PerTensor(kInt8Headroom * rms / 127.0f);
    case kInt16:
      return PerTensor(kHeadroom * rms / 32767.0f);
    default:
      return {};
  }
}

Place LanguageOps::PlaceOf(const LanguageValue& x) const {
  return x.tensor->element_type == TypeOf(Place::kBetween) ? Place::kBetween : Place::kProduct;
}

LanguageValue LanguageOps::Value(const std::string& name, Shape shape, Place place, float rms) {
  return {builder_.Value(Full(name), TypeOf(place), std::move(shape), QuantizationOf(place, rms)),
          rms};
}

LanguageValue LanguageOps::Input(const std::string& name, Shape shape, Place place, float rms) {
  return {builder_.Input(name, TypeOf(place), std::move(shape), QuantizationOf(place, rms)), rms};
}

LanguageValue LanguageOps::To(Place place, const LanguageValue& x) {
  if (x.tensor->element_type == TypeOf(place)) return x;
  const Quantization& from = x.tensor->quantization;
  // Of probabilities the range is known.
  const bool is_unit = from == UnitRange(x.tensor->element_type);
  Tensor* y = builder_.Value(
      fmt::format("{}/{}", x.tensor->name, place == Place::kProduct ? "narrow" : "wide"),
      TypeOf(place), x.shape(), is_unit ? UnitRange(TypeOf(place)) : QuantizationOf(place, x.rms));
  builder_.AddOp(kLiteRtOpCodeTflQuantize, {x.tensor}, {y}, 2);
  return {y, x.rms};
}

LanguageValue LanguageOps::ToFloat(const LanguageValue& x) {
  if (x.tensor->element_type == kFloat) return x;
  Tensor* y = builder_.Value(x.tensor->name + "/float", kFloat, x.shape());
  builder_.AddOp(kLiteRtOpCodeTflDequantize, {x.tensor}, {y}, 3);
  return {y, x.rms};
}

LanguageValue LanguageOps::FullyConnected(const std::string& name, const LanguageValue& x,
                                          Tensor* matrix, float rms) {
  Shape shape = x.shape();
  shape.back() = matrix->shape[0];
  const LanguageValue y = Value(name, std::move(shape), Place::kProduct, rms);
  FullyConnectedOptions options;
  options.keep_num_dims = true;
  builder_.AddOp(kLiteRtOpCodeTflFullyConnected, options, {x.tensor, matrix, nullptr}, {y.tensor},
                 5);
  return y;
}

LanguageValue LanguageOps::FullyConnected(const std::string& name, const LanguageValue& x,
                                          int32_t rows, float rms) {
  const int32_t cols = x.shape().back();
  const float weight = rms / (x.rms * std::sqrt(static_cast<float>(cols)));
  return FullyConnected(name, x, weights_.Matrix(Full(name) + "/weights", rows, cols, weight), rms);
}

LanguageValue LanguageOps::MultiplyByTransposed(const std::string& name, const LanguageValue& a,
                                                const LanguageValue& b, float rms) {
  Shape shape = a.shape();
  shape.back() = b.shape()[b.shape().size() - 2];
  const LanguageValue y = Value(name, std::move(shape), Place::kProduct, rms);
  BatchMatMulOptions options;
  options.adj_y = true;
  builder_.AddOp(kLiteRtOpCodeTflBatchMatmul, options, {a.tensor, b.tensor}, {y.tensor}, 2);
  return y;
}

LanguageValue LanguageOps::Binary(LiteRtOpCode code, const std::string& name,
                                  const LanguageValue& a, const LanguageValue& b, float rms) {
  const LanguageValue y = Value(name, a.shape(), PlaceOf(a), rms);
  OpOptions options = DefaultOptions(code);
  // Scales of int16 are any number, as exporters have them, and not powers of two.
  if (code == kLiteRtOpCodeTflAdd) {
    AddOptions add;
    add.pot_scale_int16 = false;
    options = add;
  } else if (code == kLiteRtOpCodeTflSub) {
    SubOptions sub;
    sub.pot_scale_int16 = false;
    options = sub;
  }
  builder_.AddOp(code, std::move(options), {a.tensor, b.tensor}, {y.tensor}, 2);
  return y;
}

LanguageValue LanguageOps::Add(const std::string& name, const LanguageValue& a,
                               const LanguageValue& b, float rms) {
  return Binary(kLiteRtOpCodeTflAdd, name, a, b, rms);
}

LanguageValue LanguageOps::Subtract(const std::string& name, const LanguageValue& a,
                                    const LanguageValue& b, float rms) {
  return Binary(kLiteRtOpCodeTflSub, name, a, b, rms);
}

LanguageValue LanguageOps::Multiply(const std::string& name, const LanguageValue& a,
                                    const LanguageValue& b, float rms) {
  return Binary(kLiteRtOpCodeTflMul, name, a, b, rms);
}

LanguageValue LanguageOps::Unary(LiteRtOpCode code, OpOptions options, const std::string& name,
                                 const LanguageValue& x, Quantization quantization, float rms) {
  Tensor* y =
      builder_.Value(Full(name), x.tensor->element_type, x.shape(), std::move(quantization));
  builder_.AddOp(code, std::move(options), {x.tensor}, {y}, 2);
  return {y, rms};
}

LanguageValue LanguageOps::Gelu(const std::string& name, const LanguageValue& x) {
  GeluOptions options;
  options.approximate = true;
  return Unary(kLiteRtOpCodeTflGelu, options, name, x, QuantizationOf(PlaceOf(x), x.rms), x.rms);
}

LanguageValue LanguageOps::Logistic(const std::string& name, const LanguageValue& x) {
  return Unary(kLiteRtOpCodeTflLogistic, OpOptions(), name, x, UnitRange(x.tensor->element_type),
               0.5f);
}

LanguageValue LanguageOps::Softmax(const std::string& name, const LanguageValue& x) {
  SoftmaxOptions options;
  options.beta = 1.0f;
  return Unary(kLiteRtOpCodeTflSoftmax, options, name, x, UnitRange(x.tensor->element_type), 0.5f);
}

LanguageValue LanguageOps::RmsNorm(const std::string& name, const LanguageValue& x, float base,
                                   Signs signs) {
  const float square_rms = x.rms * x.rms;
  const LanguageValue square = Multiply(name + "/square", x, x, square_rms * kHeadroom);
  Shape one = x.shape();
  const auto last = static_cast<int32_t>(one.size()) - 1;
  one.back() = 1;
  const LanguageValue mean = Value(name + "/mean", one, Place::kBetween, square_rms);
  ReducerOptions keep;
  keep.keep_dims = true;
  builder_.AddOp(kLiteRtOpCodeTflMean, keep,
                 {square.tensor, weights_.Integers(fmt::format("axis_{}", last), {1}, {last})},
                 {mean.tensor}, 2);
  constexpr float kEpsilon = 1e-6f;
  // Of int16 a zero, unless it is no less than half a step.
  const LanguageValue epsilon{
      weights_.Numbers(fmt::format("{}{}/epsilon", scope_, name), {1}, kHeadroom * square_rms,
                       [] { return std::vector<float>{kEpsilon}; }),
      square_rms};
  const LanguageValue shifted = Add(name + "/shifted", mean, epsilon, square_rms);
  const float inverse_rms = 0.5f / x.rms;  // up to four times what is likely
  const LanguageValue inverse =
      Unary(kLiteRtOpCodeTflRsqrt, OpOptions(), name + "/inverse", shifted,
            QuantizationOf(Place::kBetween, inverse_rms), inverse_rms);
  const LanguageValue unit = Multiply(name + "/unit", x, inverse, 1.0f);
  const std::string weights = Full(name) + "/weights";
  const int32_t width = x.shape().back();
  const LanguageValue weight{
      weights_.Numbers(weights, {width}, 2 * base,
                       [&] { return weights_.Around(weights, width, base, signs); }),
      base};
  return Multiply(name, unit, weight, base);
}

LanguageValue LanguageOps::Moved(const std::string& name, const LanguageValue& x, Shape shape) {
  return {
      builder_.Value(Full(name), x.tensor->element_type, std::move(shape), x.tensor->quantization),
      x.rms};
}

LanguageValue LanguageOps::Reshape(const std::string& name, const LanguageValue& x, Shape shape) {
  std::string constant = "shape";
  for (const int32_t dim : shape) constant += fmt::format("_{}", dim);
  Tensor* operand = weights_.Integers(constant, {static_cast<int32_t>(shape.size())}, shape);
  ReshapeOptions options;
  options.new_shape = shape;
  const LanguageValue y = Moved(name, x, std::move(shape));
  builder_.AddOp(kLiteRtOpCodeTflReshape, options, {x.tensor, operand}, {y.tensor});
  return y;
}

LanguageValue LanguageOps::Transpose(const std::string& name, const LanguageValue& x,
                                     const Shape& order) {
  Shape shape;
  for (const int32_t from : order) shape.push_back(x.shape()[static_cast<size_t>(from)]);
  const LanguageValue y = Moved(name, x, std::move(shape));
  Tensor* operand = weights_.Integers(fmt::format("order_{}", fmt::join(order, "_")),
                                      {static_cast<int32_t>(order.size())}, order);
  builder_.AddOp(kLiteRtOpCodeTflTranspose, {x.tensor, operand}, {y.tensor}, 2);
  return y;
}

LanguageValue LanguageOps::Slice(const std::string& name, const LanguageValue& x,
                                 const Shape& begin, const Shape& size) {
  const auto rank = static_cast<int32_t>(size.size());
  const LanguageValue y = Moved(name, x, size);
  Tensor* from = weights_.Integers(fmt::format("begin_{}", fmt::join(begin, "_")), {rank}, begin);
  Tensor* extent = weights_.Integers(fmt::format("size_{}", fmt::join(size, "_")), {rank}, size);
  builder_.AddOp(kLiteRtOpCodeTflSlice, {x.tensor, from, extent}, {y.tensor}, 2);
  return y;
}

LanguageValue LanguageOps::UpdateSlice(const std::string& name, const LanguageValue& x,
                                       const LanguageValue& update, Tensor* begin) {
  const LanguageValue y = Moved(name, x, x.shape());
  builder_.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice, {x.tensor, update.tensor, begin}, {y.tensor});
  return y;
}

LanguageValue LanguageOps::Concatenate(const std::string& name, const LanguageValue& a,
                                       const LanguageValue& b) {
  Shape shape = a.shape();
  shape.back() += b.shape().back();
  ConcatenationOptions options;
  options.axis = static_cast<int32_t>(shape.size()) - 1;
  const LanguageValue y = Moved(name, a, std::move(shape));
  builder_.AddOp(kLiteRtOpCodeTflConcatenation, options, {a.tensor, b.tensor}, {y.tensor}, 2);
  return y;
}

}  // namespace npukit

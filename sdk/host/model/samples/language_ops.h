// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The ops of language models, in a recipe's types, added to a subgraph under construction.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_OPS_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_OPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_weights.h"

namespace npukit {

// Its root-mean-square is in real units; an integer's scale follows from that.
struct LanguageValue {
  Tensor* tensor = nullptr;
  float rms = 1;

  const std::vector<int32_t>& shape() const { return tensor->shape; }
};

// Names of ops' results begin with the scope that is set.
class LanguageOps {
 public:
  using Shape = std::vector<int32_t>;
  // Into and out of products, and of what lies between (LanguageRecipe).
  enum class Place { kProduct, kBetween };
  using Signs = LanguageWeights::Signs;

  // How often the root-mean-square fits into the range of an int16; a number that makes no scale a
  // power of two, for which TFLite has sums of another kind.
  static constexpr float kHeadroom = 7.5f;
  // Into that of an int8: its steps are dear, and clipping costs less than coarse ones.
  static constexpr float kInt8Headroom = 4.5f;

  LanguageOps(ModelBuilder& builder, LanguageWeights& weights, LanguageRecipe recipe)
      : builder_(builder), weights_(weights), recipe_(recipe) {}

  void SetScope(std::string scope) { scope_ = std::move(scope); }
  LanguageWeights& weights() { return weights_; }

  LanguageValue Value(const std::string& name, Shape shape, Place place, float rms);
  LanguageValue Input(const std::string& name, Shape shape, Place place, float rms);
  // In that place's type; the same tensor if it is so already.
  LanguageValue To(Place place, const LanguageValue& x);
  // From integers to float32, if it is not.
  LanguageValue ToFloat(const LanguageValue& x);

  // y[..., rows] = x[..., cols] times the matrix [rows, cols] transposed.
  LanguageValue FullyConnected(const std::string& name, const LanguageValue& x, Tensor* matrix,
                               float rms);
  // The same by weights of the result's name, such that it has the root-mean-square `rms`.
  LanguageValue FullyConnected(const std::string& name, const LanguageValue& x, int32_t rows,
                               float rms);
  // a [1, b, m, k], b [1, b, n, k] -> [1, b, m, n].
  LanguageValue MultiplyByTransposed(const std::string& name, const LanguageValue& a,
                                     const LanguageValue& b, float rms);

  LanguageValue Add(const std::string& name, const LanguageValue& a, const LanguageValue& b,
                    float rms);
  LanguageValue Subtract(const std::string& name, const LanguageValue& a, const LanguageValue& b,
                         float rms);
  // Broadcasts the second.
  LanguageValue Multiply(const std::string& name, const LanguageValue& a, const LanguageValue& b,
                         float rms);
  LanguageValue Gelu(const std::string& name, const LanguageValue& x);
  LanguageValue Logistic(const std::string& name, const LanguageValue& x);
  // Along the last dimension.
  LanguageValue Softmax(const std::string& name, const LanguageValue& x);
  // x / rms(x) along the last dimension, times weights around `base`.
  LanguageValue RmsNorm(const std::string& name, const LanguageValue& x, float base,
                        Signs signs = Signs::kPositive);

  LanguageValue Reshape(const std::string& name, const LanguageValue& x, Shape shape);
  LanguageValue Transpose(const std::string& name, const LanguageValue& x, const Shape& order);
  LanguageValue Slice(const std::string& name, const LanguageValue& x, const Shape& begin,
                      const Shape& size);
  // x with `update` from `begin` on.
  LanguageValue UpdateSlice(const std::string& name, const LanguageValue& x,
                            const LanguageValue& update, Tensor* begin);
  // Along the last dimension.
  LanguageValue Concatenate(const std::string& name, const LanguageValue& a,
                            const LanguageValue& b);

 private:
  LiteRtElementType TypeOf(Place place) const;
  Quantization QuantizationOf(Place place, float rms) const;
  LanguageValue Moved(const std::string& name, const LanguageValue& x, Shape shape);
  LanguageValue Binary(LiteRtOpCode code, const std::string& name, const LanguageValue& a,
                       const LanguageValue& b, float rms);
  // An op of one operand whose result has x's type and shape.
  LanguageValue Unary(LiteRtOpCode code, OpOptions options, const std::string& name,
                      const LanguageValue& x, Quantization quantization, float rms);
  Place PlaceOf(const LanguageValue& x) const;
  std::string Full(const std::string& name) const { return scope_ + name; }

  ModelBuilder& builder_;
  LanguageWeights& weights_;
  LanguageRecipe recipe_;
  std::string scope_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_OPS_H_

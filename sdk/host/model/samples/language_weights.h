// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The constants of a language model under construction: each is made when a subgraph first asks for
// it, and shared by those that ask later.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_WEIGHTS_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_WEIGHTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"

namespace npukit {

class LanguageWeights {
 public:
  LanguageWeights(ModelBuilder& builder, LanguageRecipe recipe, uint32_t seed)
      : builder_(builder), recipe_(recipe), seed_(seed) {}

  // What is asked for twice within a subgraph is one tensor. Call it when the builder begins one.
  void BeginSubgraph() { here_.clear(); }

  // Weights [rows, cols] whose root-mean-square is `rms`, in the recipe's type, with a scale for each
  // row.
  Tensor* Matrix(const std::string& name, int32_t rows, int32_t cols, float rms);
  // int32.
  Tensor* Integers(const std::string& name, std::vector<int32_t> shape,
                   const std::vector<int32_t>& values);
  Tensor* Floats(const std::string& name, std::vector<int32_t> shape,
                 const std::vector<float>& values);
  // Values of at most `range`: float32, or int16 where the recipe's activations are integers.
  Tensor* Numbers(const std::string& name, std::vector<int32_t> shape, float range,
                  const std::function<std::vector<float>()>& values);
  // An input of the current subgraph, of the type that Numbers of that range have.
  Tensor* NumbersInput(const std::string& name, std::vector<int32_t> shape, float range);
  enum class Signs { kPositive, kMixed };
  // For Numbers: `count` of them, within a tenth of `base`, or of that and its negative.
  std::vector<float> Around(const std::string& name, int32_t count, float base, Signs signs) const;

  // Whether activations are integers.
  bool is_integer() const;

 private:
  Quantization QuantizationOf(float range) const;  // of Numbers
  // Of this tensor alone, so that the order in which they are asked for does not matter.
  uint32_t SeedOf(const std::string& name) const;
  // The tensor in the current subgraph, if its bytes are there already.
  Tensor* Again(const std::string& name);
  Tensor* Made(const std::string& name, Tensor* tensor);

  ModelBuilder& builder_;
  LanguageRecipe recipe_;
  uint32_t seed_;
  std::map<std::string, const Tensor*> made_;  // where the bytes were first asked for
  std::map<std::string, Tensor*> here_;        // in the current subgraph
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_WEIGHTS_H_

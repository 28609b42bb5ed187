// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One signature of a language model: what becomes of so many tokens at once.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/samples/language_ops.h"
#include "sdk/host/model/samples/language_weights.h"

namespace npukit {

class LanguageStep {
 public:
  // Of `tokens` tokens, in the builder's current subgraph.
  LanguageStep(ModelBuilder& builder, LanguageWeights& weights, const LanguageModelShape& shape,
               int32_t tokens, bool with_logits);

  // Adds inputs, ops, outputs and the signature.
  void Build(const std::string& signature);

 private:
  struct Cache {
    LanguageValue keys;    // [1, kv_heads, context, head_dim]
    LanguageValue values;  // [1, kv_heads, head_dim, context]
  };

  struct Rope {
    LanguageValue cosines;  // [1, tokens, 1, head_dim / 2]
    LanguageValue sines;
  };

  void SetScope(const std::string& scope);
  void AddInputs();
  void AddPositions();
  LanguageValue Embed();
  // Hides what comes later and, with a window, what lies so far back. [1, 1, tokens, context].
  LanguageValue Mask(const std::string& name, int32_t window);
  // Turns pairs of x [1, tokens, heads, head_dim] by their position.
  LanguageValue Rotate(const std::string& name, const LanguageValue& x, bool is_local);
  // Of the positions.
  LanguageValue Angles(bool is_local, bool is_sine);
  // Queries or keys.
  LanguageValue Project(const std::string& name, const LanguageValue& x, int32_t heads,
                        bool is_local);
  LanguageValue WriteCache(const std::string& name, const LanguageValue& cache,
                           const LanguageValue& update, Tensor* begin);
  void UpdateCache(int32_t layer, const LanguageValue& x);
  LanguageValue Attend(int32_t layer, const LanguageValue& x);
  LanguageValue FeedForward(const LanguageValue& x);
  LanguageValue Layer(int32_t layer, const LanguageValue& x);
  // x + block(x), as the family has it.
  LanguageValue AddBlock(const std::string& name, const LanguageValue& x,
                         const LanguageValue& block);
  void AddLogits(const LanguageValue& x);
  void AddOutputs(const std::string& signature);

  bool IsGemma() const { return shape_.family == LanguageFamily::kGemma; }
  bool IsLocal(int32_t layer) const;
  bool HasAttention(int32_t layer) const;
  bool HasHeadNorms() const { return shape_.family != LanguageFamily::kLlama; }

  ModelBuilder& builder_;
  LanguageWeights& weights_;
  const LanguageModelShape& shape_;
  const int32_t tokens_count_;
  const bool with_logits_;
  LanguageOps ops_;
  Tensor* tokens_ = nullptr;
  Tensor* positions_ = nullptr;
  Tensor* key_begin_ = nullptr;  // where the caches are written, [4]
  Tensor* value_begin_ = nullptr;
  LanguageValue global_mask_;
  LanguageValue local_mask_;
  Rope global_rope_;
  Rope local_rope_;
  std::string scope_;
  std::vector<Cache> given_;
  std::vector<Cache> updated_;
  Tensor* embedding_ = nullptr;
  Tensor* logits_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_

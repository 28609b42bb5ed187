// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The layers of a language model, and the signature of them: what becomes of so many tokens at once.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_inputs.h"
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

  void SetScope(const std::string& scope);
  // What the signature takes: tokens, or what other signatures make of them.
  void AddTokens();
  void AddParts();
  void AddCaches();
  void MakeParts();
  // Turns pairs of x [1, tokens, heads, head_dim] by their position.
  LanguageValue Rotate(const std::string& name, const LanguageValue& x, bool is_local);
  // Queries or keys.
  LanguageValue Project(const std::string& name, const LanguageValue& x, int32_t heads,
                        bool is_local);
  void UpdateCache(int32_t layer, const LanguageValue& x);
  // Of queries [1, kv_heads, group, head_dim] with all keys that there are: [.., columns()].
  LanguageValue Score(int32_t layer, const LanguageValue& queries);
  // Of values by their shares [1, kv_heads, group, columns()].
  LanguageValue Mix(int32_t layer, const LanguageValue& shares);
  LanguageValue Attend(int32_t layer, const LanguageValue& x);
  LanguageValue FeedForward(const LanguageValue& x);
  LanguageValue Layer(int32_t layer, const LanguageValue& x);
  // x + block(x), as the family has it.
  LanguageValue AddBlock(const std::string& name, const LanguageValue& x,
                         const LanguageValue& block);
  void AddLogits(const LanguageValue& x);
  void AddOutputs(const std::string& signature);

  bool IsGemma() const { return shape_.family == LanguageFamily::kGemma; }
  bool IsSplit() const { return shape_.style == LanguageStyle::kSplit; }
  bool IsLocal(int32_t layer) const { return IsLocalLayer(shape_, layer); }
  bool HasAttention(int32_t layer) const;
  bool HasAttention(bool is_local) const;
  // That a token may see: of the context and, behind a cache that is not written yet, the new ones.
  int32_t columns() const { return shape_.context + (IsSplit() ? tokens_count_ : 0); }
  bool HasHeadNorms() const { return shape_.family != LanguageFamily::kLlama; }

  ModelBuilder& builder_;
  LanguageWeights& weights_;
  const LanguageModelShape& shape_;
  const int32_t tokens_count_;
  const bool with_logits_;
  LanguageOps ops_;
  LanguageInputs inputs_;
  Tensor* tokens_ = nullptr;
  Tensor* positions_ = nullptr;
  LanguageInputs::CacheBegins begins_ = {};
  LanguageValue embeddings_;
  LanguageValue global_mask_;
  LanguageValue local_mask_;
  LanguageInputs::Rope global_rope_;
  LanguageInputs::Rope local_rope_;
  std::string scope_;
  std::vector<Cache> given_;
  std::vector<Cache> updated_;  // or, of a split model, what is to be written to them
  Tensor* logits_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_STEP_H_

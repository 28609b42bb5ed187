// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the layers of a language model take besides caches: embeddings, masks and angles, made of tokens and positions;
// and where in the caches they write.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_INPUTS_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_INPUTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/samples/language_ops.h"
#include "sdk/host/model/samples/language_weights.h"

namespace npukit {

// Every third layer of Gemma sees the whole context, the others, "local", a window.
bool IsLocalLayer(const LanguageModelShape& shape, int32_t layer);
bool HasLayer(const LanguageModelShape& shape, bool is_local);

// Names of the signatures' ports.
std::string RopePort(bool is_local, bool is_sine);
std::string MaskPort(bool is_local);
std::string CachePort(int32_t layer, bool is_value);
std::string SlicePort(int32_t layer, bool is_value);

// Added to scores. An integer's range is as wide as this.
inline constexpr float kMaskRange = 112.0f;

// Of the subgraph's `tokens` tokens, in the builder's current subgraph.
class LanguageInputs {
 public:
  LanguageInputs(ModelBuilder& builder, LanguageWeights& weights, LanguageOps& ops,
                 const LanguageModelShape& shape, int32_t tokens)
      : builder_(builder), weights_(weights), ops_(ops), shape_(shape), tokens_count_(tokens) {}

  // [vocabulary, width]; it is the weights of the logits, too.
  Tensor* Table();
  // Of int32 [1, tokens]: float32 [1, tokens, width].
  LanguageValue Embed(Tensor* tokens);
  float embedding_rms() const;

  struct Rope {
    LanguageValue cosines;  // [1, tokens, 1, head_dim / 2]
    LanguageValue sines;
  };
  // Of positions, int32 [tokens].
  Rope Angles(Tensor* positions, bool is_local);

  // Hides what comes later and, for a local layer, what lies a window back. [1, 1, tokens, context].
  LanguageValue Mask(Tensor* positions, bool is_local);
  // The same for a cache of the tokens before `first`, int32 [], with the new ones behind it, of which
  // those below 0 (int32 [1, tokens]) are hidden. [1, 1, tokens, context + tokens].
  LanguageValue SplitMask(Tensor* first, Tensor* tokens, bool is_local);

  struct CacheBegins {
    Tensor* keys;  // [4]
    Tensor* values;
  };
  // Where the caches are written: the first of the positions.
  CacheBegins Begins(Tensor* positions);

 private:
  // Rows of a table by position.
  LanguageValue AngleRows(bool is_local, bool is_sine, Tensor* positions);
  Tensor* Compare(LiteRtOpCode code, const std::string& name, Tensor* a, Tensor* b,
                  std::vector<int32_t> shape);
  // Of the table, whose rows Gemma scales.
  float table_rms() const;
  float HiddenValue() const;
  // `hidden`, or a column up to `last`: what lies a window back.
  Tensor* OrEarlier(const std::string& name, Tensor* hidden, Tensor* columns, Tensor* last,
                    const std::vector<int32_t>& grid);
  // A number that stands for hidden, or for seen.
  Tensor* Shade(bool hidden);
  LanguageValue Chosen(const std::string& name, Tensor* hidden, std::vector<int32_t> shape);
  // Which of the new tokens see each other: a constant. [tokens, tokens].
  LanguageValue Among(const std::string& name, bool is_local);

  ModelBuilder& builder_;
  LanguageWeights& weights_;
  LanguageOps& ops_;
  const LanguageModelShape& shape_;
  const int32_t tokens_count_;
};

// Adds a signature of the current subgraph, whose inputs have their tensors' names.
void AddSignature(ModelBuilder& builder, const std::string& key,
                  const std::vector<std::pair<std::string, Tensor*>>& outputs);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_INPUTS_H_

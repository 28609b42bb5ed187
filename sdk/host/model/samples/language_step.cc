// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_step.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

namespace npukit {
namespace {

using Place = LanguageOps::Place;

constexpr auto kInt32 = kLiteRtElementTypeInt32;

// So that what blocks add outweighs the embedding.
constexpr float kPostNorm = 2.0f;
// How far logits lie apart: sampling is to have something to choose from, and favourites.
constexpr float kLogits = 4.0f;
// Root-mean-squares of scores and of what they mix.
constexpr float kScores = 1.5f;
constexpr float kMixed = 0.75f;

}  // namespace

LanguageStep::LanguageStep(ModelBuilder& builder, LanguageWeights& weights,
                           const LanguageModelShape& shape, int32_t tokens, bool with_logits)
    : builder_(builder),
      weights_(weights),
      shape_(shape),
      tokens_count_(tokens),
      with_logits_(with_logits),
      ops_(builder, weights, shape.recipe),
      inputs_(builder, weights, ops_, shape, tokens) {}

// Without logits nothing of the last layer but its keys and values reaches an output.
bool LanguageStep::HasAttention(int32_t layer) const {
  return with_logits_ || layer + 1 < shape_.layers;
}

bool LanguageStep::HasAttention(bool is_local) const {
  for (int32_t layer = 0; layer < shape_.layers; ++layer) {
    if (IsLocal(layer) == is_local && HasAttention(layer)) return true;
  }
  return false;
}

void LanguageStep::AddTokens() {
  tokens_ = builder_.Input("tokens", kInt32, {1, tokens_count_});
  positions_ = builder_.Input("input_pos", kInt32, {tokens_count_});
}

// Angles of both halves of a head are alike: one is enough.
void LanguageStep::AddParts() {
  embeddings_ = {
      builder_.Input("embeddings", kLiteRtElementTypeFloat32, {1, tokens_count_, shape_.width}),
      inputs_.embedding_rms()};
  const std::vector<int32_t> half = {1, tokens_count_, 1, shape_.head_dim / 2};
  for (const bool is_local : {true, false}) {
    if (!HasLayer(shape_, is_local)) continue;
    LanguageInputs::Rope& rope = is_local ? local_rope_ : global_rope_;
    for (const bool is_sine : {false, true}) {
      const std::string name = RopePort(is_local, is_sine);
      const LanguageValue whole{
          weights_.NumbersInput(name, {1, tokens_count_, 1, shape_.head_dim}, 1.0f)};
      (is_sine ? rope.sines : rope.cosines) = ops_.Slice(name + "/half", whole, {0, 0, 0, 0}, half);
    }
    if (!HasAttention(is_local)) continue;
    const std::vector<int32_t> mask = {1, 1, tokens_count_, columns()};
    LanguageValue& of_layers = is_local ? local_mask_ : global_mask_;
    of_layers.tensor = weights_.NumbersInput(MaskPort(is_local), mask, kMaskRange);
  }
}

void LanguageStep::AddCaches() {
  for (int32_t layer = 0; layer < shape_.layers; ++layer) {
    if (IsSplit() && !HasAttention(layer)) {  // nothing would read them
      given_.emplace_back();
      continue;
    }
    given_.push_back(
        {ops_.Input(CachePort(layer, false), {1, shape_.kv_heads, shape_.context, shape_.head_dim},
                    Place::kProduct, 1),
         ops_.Input(CachePort(layer, true), {1, shape_.kv_heads, shape_.head_dim, shape_.context},
                    Place::kProduct, 1)});
  }
}

LanguageValue LanguageStep::Rotate(const std::string& name, const LanguageValue& x, bool is_local) {
  const int32_t half = shape_.head_dim / 2;
  const std::vector<int32_t> size = {1, tokens_count_, x.shape()[2], half};
  const LanguageValue a = ops_.Slice(name + "/first", x, {0, 0, 0, 0}, size);
  const LanguageValue b = ops_.Slice(name + "/second", x, {0, 0, 0, half}, size);
  const LanguageInputs::Rope& rope = is_local ? local_rope_ : global_rope_;
  const auto times = [&](const char* result, const LanguageValue& half_of_x,
                         const LanguageValue& factor) {
    return ops_.Multiply(name + result, half_of_x, factor, x.rms);
  };
  const LanguageValue left = ops_.Subtract(name + "/left", times("/a_cosine", a, rope.cosines),
                                           times("/b_sine", b, rope.sines), x.rms);
  const LanguageValue right = ops_.Add(name + "/right", times("/b_cosine", b, rope.cosines),
                                       times("/a_sine", a, rope.sines), x.rms);
  return ops_.Concatenate(name, left, right);
}

// [1, tokens, heads * head_dim] -> [1, tokens, heads, head_dim], normed and turned.
LanguageValue LanguageStep::Project(const std::string& name, const LanguageValue& x, int32_t heads,
                                    bool is_local) {
  const LanguageValue flat = ops_.FullyConnected(name, x, heads * shape_.head_dim, 1.0f);
  LanguageValue split =
      ops_.To(Place::kBetween,
              ops_.Reshape(name + "/heads", flat, {1, tokens_count_, heads, shape_.head_dim}));
  if (HasHeadNorms()) split = ops_.RmsNorm(name + "/norm", split, 1.0f);
  return Rotate(name + "/turned", split, is_local);
}

// Of x [1, tokens, width]: a heads' keys and values go to the cache.
void LanguageStep::UpdateCache(int32_t layer, const LanguageValue& x) {
  const Cache& given = given_[static_cast<size_t>(layer)];
  const LanguageValue k =
      ops_.To(Place::kProduct, Project("k", x, shape_.kv_heads, IsLocal(layer)));
  const LanguageValue keys = ops_.Transpose("k/by_head", k, {0, 2, 1, 3});
  const LanguageValue v = ops_.FullyConnected("v", x, shape_.kv_heads * shape_.head_dim, 1.0f);
  const LanguageValue values = ops_.Transpose(
      "v/by_head", ops_.Reshape("v/heads", v, {1, tokens_count_, shape_.kv_heads, shape_.head_dim}),
      {0, 2, 3, 1});
  if (IsSplit()) {
    updated_.push_back({keys, values});
    return;
  }
  updated_.push_back({ops_.UpdateSlice("keys", given.keys, keys, begins_.keys),
                      ops_.UpdateSlice("values", given.values, values, begins_.values)});
}

LanguageValue LanguageStep::Score(int32_t layer, const LanguageValue& queries) {
  const Cache& updated = updated_[static_cast<size_t>(layer)];
  if (!IsSplit()) return ops_.MultiplyByTransposed("scores", queries, updated.keys, kScores);
  const Cache& past = given_[static_cast<size_t>(layer)];
  return ops_.Concatenate("scores",
                          ops_.MultiplyByTransposed("scores/past", queries, past.keys, kScores),
                          ops_.MultiplyByTransposed("scores/new", queries, updated.keys, kScores));
}

LanguageValue LanguageStep::Mix(int32_t layer, const LanguageValue& shares) {
  const Cache& updated = updated_[static_cast<size_t>(layer)];
  if (!IsSplit()) return ops_.MultiplyByTransposed("mixed", shares, updated.values, kMixed);
  const int32_t group = shares.shape()[2];
  const auto part = [&](const std::string& name, int32_t from, int32_t count,
                        const LanguageValue& values) {
    const LanguageValue some =
        ops_.Slice("shares/" + name, shares, {0, 0, 0, from}, {1, shape_.kv_heads, group, count});
    return ops_.MultiplyByTransposed("mixed/" + name, some, values, kMixed);
  };
  return ops_.Add("mixed",
                  part("past", 0, shape_.context, given_[static_cast<size_t>(layer)].values),
                  part("new", shape_.context, tokens_count_, updated.values), kMixed);
}

LanguageValue LanguageStep::Attend(int32_t layer, const LanguageValue& x) {
  const int32_t group = shape_.heads / shape_.kv_heads * tokens_count_;
  const LanguageValue turned = Project("q", x, shape_.heads, IsLocal(layer));
  const float root = std::sqrt(static_cast<float>(shape_.head_dim));
  const LanguageValue factor{weights_.Numbers("attention/factor", {1}, 1.0f,
                                              [&] { return std::vector<float>{1.0f / root}; })};
  const LanguageValue q =
      ops_.To(Place::kProduct, ops_.Multiply("q/scaled", turned, factor, turned.rms / root));
  // Heads that share keys lie one after the other: no key is repeated.
  const LanguageValue queries =
      ops_.Reshape("q/groups", ops_.Transpose("q/by_head", q, {0, 2, 1, 3}),
                   {1, shape_.kv_heads, group, shape_.head_dim});
  const LanguageValue scores = ops_.To(Place::kBetween, Score(layer, queries));
  const LanguageValue by_head =
      ops_.Reshape("scores/by_head", scores, {1, shape_.heads, tokens_count_, columns()});
  const LanguageValue masked =
      ops_.Add("scores/masked", by_head, IsLocal(layer) ? local_mask_ : global_mask_,
               kMaskRange / LanguageOps::kHeadroom);
  const LanguageValue shares = ops_.To(Place::kProduct, ops_.Softmax("shares", masked));
  const LanguageValue mixed =
      Mix(layer, ops_.Reshape("shares/groups", shares, {1, shape_.kv_heads, group, columns()}));
  const LanguageValue by_token = ops_.Transpose(
      "mixed/by_token",
      ops_.Reshape("mixed/by_head", mixed, {1, shape_.heads, tokens_count_, shape_.head_dim}),
      {0, 2, 1, 3});
  const LanguageValue flat =
      ops_.Reshape("mixed/flat", by_token, {1, tokens_count_, shape_.heads * shape_.head_dim});
  return ops_.To(Place::kBetween, ops_.FullyConnected("out", flat, shape_.width, 1.0f));
}

LanguageValue LanguageStep::FeedForward(const LanguageValue& x) {
  const LanguageValue gate = ops_.FullyConnected("gate", x, shape_.hidden, 1.0f);
  const LanguageValue up = ops_.FullyConnected("up", x, shape_.hidden, 1.0f);
  const LanguageValue open =
      IsGemma() ? ops_.Gelu("open", gate)
                : ops_.Multiply("open", gate, ops_.Logistic("logistic", gate), 1.0f);
  LanguageValue gated = ops_.Multiply("gated", open, up, 1.0f);
  // What it is; the range holds more, since products of two reach far.
  gated.rms = 0.6f;
  return ops_.To(Place::kBetween, ops_.FullyConnected("down", gated, shape_.width, 1.0f));
}

LanguageValue LanguageStep::AddBlock(const std::string& name, const LanguageValue& x,
                                     const LanguageValue& block) {
  const LanguageValue added =
      IsGemma() ? ops_.RmsNorm(name + "/post_norm", block, kPostNorm) : block;
  return ops_.Add(name + "/sum", x, added, std::hypot(x.rms, added.rms));
}

LanguageValue LanguageStep::Layer(int32_t layer, const LanguageValue& x) {
  SetScope(fmt::format("layer_{}/attention", layer));
  const LanguageValue normed = ops_.To(Place::kProduct, ops_.RmsNorm("norm", x, 1.0f));
  UpdateCache(layer, normed);
  if (!HasAttention(layer)) return x;
  const LanguageValue y = AddBlock("block", x, Attend(layer, normed));
  SetScope(fmt::format("layer_{}/feed_forward", layer));
  return AddBlock("block", y, FeedForward(ops_.To(Place::kProduct, ops_.RmsNorm("norm", y, 1.0f))));
}

// With weights of one sign a tied table would say the last token again and again: the embedding, which
// x still holds, is the likest to itself.
void LanguageStep::AddLogits(const LanguageValue& x) {
  SetScope("head");
  const LanguageValue normed =
      ops_.To(Place::kProduct, ops_.RmsNorm("norm", x, kLogits, LanguageOps::Signs::kMixed));
  logits_ = ops_.ToFloat(ops_.FullyConnected("logits", normed, inputs_.Table(), kLogits)).tensor;
}

void LanguageStep::AddOutputs(const std::string& key) {
  std::vector<std::pair<std::string, Tensor*>> outputs;
  for (int32_t layer = 0; layer < shape_.layers; ++layer) {
    const auto name = IsSplit() ? SlicePort : CachePort;
    const Cache& updated = updated_[static_cast<size_t>(layer)];
    outputs.emplace_back(name(layer, false), updated.keys.tensor);
    outputs.emplace_back(name(layer, true), updated.values.tensor);
  }
  if (logits_ != nullptr) outputs.emplace_back("logits", logits_);
  AddSignature(builder_, key, outputs);
}

void LanguageStep::MakeParts() {
  begins_ = inputs_.Begins(positions_);
  for (const bool is_local : {true, false}) {
    if (HasLayer(shape_, is_local))
      (is_local ? local_rope_ : global_rope_) = inputs_.Angles(positions_, is_local);
    if (HasAttention(is_local))
      (is_local ? local_mask_ : global_mask_) = inputs_.Mask(positions_, is_local);
  }
  ops_.SetScope("");
  embeddings_ = inputs_.Embed(tokens_);
}

void LanguageStep::Build(const std::string& signature) {
  if (IsSplit()) {
    AddParts();
    AddCaches();
  } else {
    AddTokens();
    AddCaches();
    MakeParts();
  }
  LanguageValue x = ops_.To(Place::kBetween, embeddings_);
  for (int32_t layer = 0; layer < shape_.layers; ++layer) x = Layer(layer, x);
  if (with_logits_) AddLogits(x);
  AddOutputs(signature);
}

void LanguageStep::SetScope(const std::string& scope) {
  scope_ = scope + "/";
  ops_.SetScope(scope_);
}

}  // namespace npukit

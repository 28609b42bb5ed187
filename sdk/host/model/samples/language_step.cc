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

// Every third layer of Gemma sees the whole context.
constexpr int32_t kLayersPerGlobal = 3;
constexpr double kLocalBase = 10'000;
constexpr double kGlobalBase = 1'000'000;
// So that what blocks add outweighs the embedding.
constexpr float kPostNorm = 2.0f;
// How far logits lie apart: sampling is to have something to choose from, and favourites.
constexpr float kLogits = 4.0f;
// Added to what is hidden. An integer's must leave steps for what is not; to a float's, none of a
// hidden column is left in the sum.
constexpr float kHiddenInteger = -100.0f;
constexpr float kHiddenFloat = -10'000.0f;
constexpr float kMaskRange = 112.0f;

}  // namespace

LanguageStep::LanguageStep(ModelBuilder& builder, LanguageWeights& weights,
                           const LanguageModelShape& shape, int32_t tokens, bool with_logits)
    : builder_(builder),
      weights_(weights),
      shape_(shape),
      tokens_count_(tokens),
      with_logits_(with_logits),
      ops_(builder, weights, shape.recipe) {}

bool LanguageStep::IsLocal(int32_t layer) const {
  return IsGemma() && (layer + 1) % kLayersPerGlobal != 0;
}

// Without logits nothing of the last layer but its keys and values reaches an output.
bool LanguageStep::HasAttention(int32_t layer) const {
  return with_logits_ || layer + 1 < shape_.layers;
}

void LanguageStep::AddInputs() {
  tokens_ = builder_.Input("tokens", kInt32, {1, tokens_count_});
  positions_ = builder_.Input("input_pos", kInt32, {tokens_count_});
  for (int32_t layer = 0; layer < shape_.layers; ++layer) {
    given_.push_back(
        {ops_.Input(fmt::format("kv_cache_k_{}", layer),
                    {1, shape_.kv_heads, shape_.context, shape_.head_dim}, Place::kProduct, 1),
         ops_.Input(fmt::format("kv_cache_v_{}", layer),
                    {1, shape_.kv_heads, shape_.head_dim, shape_.context}, Place::kProduct, 1)});
  }
}

// The first position, as begins of slices.
void LanguageStep::AddPositions() {
  const LanguageValue first = ops_.Slice("positions/first", {positions_}, {0}, {1});
  const LanguageValue zero{weights_.Integers("zero", {1}, {0})};
  const LanguageValue zeros{weights_.Integers("zeros", {2}, {0, 0})};
  const LanguageValue before = ops_.Concatenate("positions/before", zeros, first);
  key_begin_ = ops_.Concatenate("positions/keys", before, zero).tensor;
  const LanguageValue none{weights_.Integers("more_zeros", {3}, {0, 0, 0})};
  value_begin_ = ops_.Concatenate("positions/values", none, first).tensor;
}

LanguageValue LanguageStep::Embed() {
  const float table_rms = 1.0f / std::sqrt(static_cast<float>(shape_.width));
  embedding_ = weights_.Matrix("embedding", shape_.vocabulary, shape_.width, table_rms);
  const LanguageValue flat = ops_.Reshape("tokens/flat", {tokens_}, {tokens_count_});
  Tensor* rows =
      builder_.Value("embedding/rows", kLiteRtElementTypeFloat32, {tokens_count_, shape_.width});
  builder_.AddOp(kLiteRtOpCodeTflEmbeddingLookup, {flat.tensor, embedding_}, {rows}, 3);
  LanguageValue x =
      ops_.Reshape("embedding/tokens", {rows, table_rms}, {1, tokens_count_, shape_.width});
  if (IsGemma()) {
    const float root = std::sqrt(static_cast<float>(shape_.width));
    Tensor* factor = weights_.Floats("embedding/factor", {1}, {root});
    Tensor* scaled = builder_.Value("embedding/scaled", kLiteRtElementTypeFloat32, x.shape());
    builder_.AddOp(kLiteRtOpCodeTflMul, {x.tensor, factor}, {scaled});
    x = {scaled, 1.0f};
  }
  return ops_.To(Place::kBetween, x);
}

LanguageValue LanguageStep::Mask(const std::string& name, int32_t window) {
  ops_.SetScope(name + "/");
  std::vector<int32_t> numbers(static_cast<size_t>(shape_.context));
  std::iota(numbers.begin(), numbers.end(), 0);
  Tensor* columns = weights_.Integers("columns", {1, shape_.context}, numbers);
  const LanguageValue rows = ops_.Reshape("rows", {positions_}, {tokens_count_, 1});
  const std::vector<int32_t> grid = {tokens_count_, shape_.context};
  const auto compare = [&](LiteRtOpCode code, const std::string& result, Tensor* a, Tensor* b) {
    Tensor* y = builder_.Value(name + result, kLiteRtElementTypeBool, grid);
    builder_.AddOp(code, {a, b}, {y});
    return y;
  };
  Tensor* hidden = compare(kLiteRtOpCodeTflGreater, "/later", columns, rows.tensor);
  if (window > 0) {
    Tensor* far = builder_.Value(name + "/before", kInt32, {tokens_count_, 1});
    builder_.AddOp(kLiteRtOpCodeTflSub, {rows.tensor, weights_.Integers("window", {1}, {window})},
                   {far});
    Tensor* earlier = compare(kLiteRtOpCodeTflLessEqual, "/earlier", columns, far);
    hidden = compare(kLiteRtOpCodeTflLogicalOr, "/hidden", hidden, earlier);
  }
  const float value = weights_.is_integer() ? kHiddenInteger : kHiddenFloat;
  const auto constant = [&](const std::string& of, float number) {
    return weights_.Numbers(of, {1}, kMaskRange, [=] { return std::vector<float>{number}; });
  };
  Tensor* off = constant("mask/hidden", value);
  Tensor* chosen = builder_.Value(name + "/chosen", off->element_type, grid, off->quantization);
  builder_.AddOp(kLiteRtOpCodeTflSelectV2, {hidden, off, constant("mask/seen", 0)}, {chosen});
  return ops_.Reshape("mask", {chosen}, {1, 1, tokens_count_, shape_.context});
}

LanguageValue LanguageStep::Angles(bool is_local, bool is_sine) {
  const int32_t half = shape_.head_dim / 2;
  const std::string name =
      fmt::format("{}_{}", is_local ? "local" : "global", is_sine ? "sines" : "cosines");
  Tensor* table = weights_.Numbers("rope/" + name, {shape_.context, half}, 1.0f, [&] {
    std::vector<float> values;
    for (int32_t position = 0; position < shape_.context; ++position) {
      for (int32_t i = 0; i < half; ++i) {
        const double angle =
            position * std::pow(is_local ? kLocalBase : kGlobalBase, -double{1} * i / half);
        values.push_back(static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle)));
      }
    }
    return values;
  });
  Tensor* rows = builder_.Value("rope/" + name + "/rows", table->element_type,
                                {tokens_count_, half}, table->quantization);
  builder_.AddOp(kLiteRtOpCodeTflGather, {table, positions_}, {rows}, 2);
  ops_.SetScope("rope/");
  return ops_.Reshape(name, {rows}, {1, tokens_count_, 1, half});
}

LanguageValue LanguageStep::Rotate(const std::string& name, const LanguageValue& x, bool is_local) {
  const int32_t half = shape_.head_dim / 2;
  const std::vector<int32_t> size = {1, tokens_count_, x.shape()[2], half};
  const LanguageValue a = ops_.Slice(name + "/first", x, {0, 0, 0, 0}, size);
  const LanguageValue b = ops_.Slice(name + "/second", x, {0, 0, 0, half}, size);
  const Rope& rope = is_local ? local_rope_ : global_rope_;
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

LanguageValue LanguageStep::WriteCache(const std::string& name, const LanguageValue& cache,
                                       const LanguageValue& update, Tensor* begin) {
  const LanguageValue written{builder_.Value(scope_ + name, cache.tensor->element_type,
                                             cache.shape(), cache.tensor->quantization),
                              cache.rms};
  builder_.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice, {cache.tensor, update.tensor, begin},
                 {written.tensor});
  return written;
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
  updated_.push_back({WriteCache("keys", given.keys, keys, key_begin_),
                      WriteCache("values", given.values, values, value_begin_)});
}

LanguageValue LanguageStep::Attend(int32_t layer, const LanguageValue& x) {
  const Cache& cache = updated_[static_cast<size_t>(layer)];
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
  const LanguageValue scores =
      ops_.To(Place::kBetween, ops_.MultiplyByTransposed("scores", queries, cache.keys, 1.5f));
  const LanguageValue by_head =
      ops_.Reshape("scores/by_head", scores, {1, shape_.heads, tokens_count_, shape_.context});
  const LanguageValue masked =
      ops_.Add("scores/masked", by_head, IsLocal(layer) ? local_mask_ : global_mask_,
               kMaskRange / LanguageOps::kHeadroom);
  const LanguageValue shares = ops_.To(Place::kProduct, ops_.Softmax("shares", masked));
  const LanguageValue mixed = ops_.MultiplyByTransposed(
      "mixed", ops_.Reshape("shares/groups", shares, {1, shape_.kv_heads, group, shape_.context}),
      cache.values, 0.75f);
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
  logits_ = ops_.ToFloat(ops_.FullyConnected("logits", normed, embedding_, kLogits)).tensor;
}

void LanguageStep::AddOutputs(const std::string& key) {
  Subgraph& subgraph = *builder_.model().subgraphs().back();
  auto& signature = *builder_.model().signatures.emplace_back(std::make_unique<Signature>());
  signature.key = key;
  signature.subgraph = &subgraph;
  for (Tensor* input : subgraph.inputs) signature.inputs.push_back({input->name, input});
  const auto output = [&](const std::string& name, Tensor* tensor) {
    builder_.Output(tensor);
    signature.outputs.push_back({name, tensor});
  };
  for (size_t layer = 0; layer < updated_.size(); ++layer) {
    output(given_[layer].keys.tensor->name, updated_[layer].keys.tensor);
    output(given_[layer].values.tensor->name, updated_[layer].values.tensor);
  }
  if (logits_ != nullptr) output("logits", logits_);
}

void LanguageStep::Build(const std::string& signature) {
  AddInputs();
  AddPositions();
  for (const bool is_local : {true, false}) {
    bool has_layer = false;
    bool has_attention = false;
    for (int32_t layer = 0; layer < shape_.layers; ++layer) {
      if (IsLocal(layer) != is_local) continue;
      has_layer = true;
      has_attention = has_attention || HasAttention(layer);
    }
    Rope& rope = is_local ? local_rope_ : global_rope_;
    if (has_layer) rope = {Angles(is_local, false), Angles(is_local, true)};
    if (has_attention && is_local) local_mask_ = Mask("local_mask", shape_.window);
    if (has_attention && !is_local) global_mask_ = Mask("global_mask", 0);
  }
  ops_.SetScope("");
  LanguageValue x = Embed();
  for (int32_t layer = 0; layer < shape_.layers; ++layer) x = Layer(layer, x);
  if (with_logits_) AddLogits(x);
  AddOutputs(signature);
}

void LanguageStep::SetScope(const std::string& scope) {
  scope_ = scope + "/";
  ops_.SetScope(scope_);
}

}  // namespace npukit

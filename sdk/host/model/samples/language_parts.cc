// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_parts.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sdk/host/model/samples/language_inputs.h"
#include "sdk/host/model/samples/language_ops.h"

namespace npukit {
namespace {

using Outputs = std::vector<std::pair<std::string, Tensor*>>;

constexpr auto kInt32 = kLiteRtElementTypeInt32;

std::string_view NameOf(LanguagePart part) {
  switch (part) {
    case LanguagePart::kEmbedder:
      return "embedder";
    case LanguagePart::kMask:
      return "mask";
    case LanguagePart::kRope:
      return "rope";
    case LanguagePart::kCacheUpdate:
      return "cache_update";
  }
  return "";
}

class PartBuilder {
 public:
  PartBuilder(ModelBuilder& builder, LanguageWeights& weights, const LanguageModelShape& shape,
              int32_t tokens)
      : builder_(builder),
        shape_(shape),
        tokens_(tokens),
        ops_(builder, weights, shape.recipe),
        inputs_(builder, weights, ops_, shape, tokens) {}

  Outputs Build(LanguagePart part) {
    switch (part) {
      case LanguagePart::kEmbedder:
        return {{"embeddings",
                 inputs_.Embed(builder_.Input("token_ids", kInt32, {1, tokens_})).tensor}};
      case LanguagePart::kMask:
        return Masks();
      case LanguagePart::kRope:
        return Angles();
      case LanguagePart::kCacheUpdate:
        return Caches();
    }
    return {};
  }

 private:
  Outputs Masks() {
    Tensor* first = builder_.Input("time_step", kInt32, {});
    Tensor* tokens = builder_.Input("input_tokens", kInt32, {1, tokens_});
    Outputs outputs;
    for (const bool is_local : {true, false}) {
      if (HasLayer(shape_, is_local))
        outputs.push_back({MaskPort(is_local), inputs_.SplitMask(first, tokens, is_local).tensor});
    }
    return outputs;
  }

  // The same for both halves of a head, as exporters have it.
  Outputs Angles() {
    Tensor* positions = builder_.Input("input_pos", kInt32, {tokens_});
    Outputs outputs;
    for (const bool is_local : {true, false}) {
      if (!HasLayer(shape_, is_local)) continue;
      const LanguageInputs::Rope rope = inputs_.Angles(positions, is_local);
      for (const bool is_sine : {false, true}) {
        const LanguageValue& half = is_sine ? rope.sines : rope.cosines;
        const std::string name = RopePort(is_local, is_sine);
        outputs.push_back({name, ops_.Concatenate(name, half, half).tensor});
      }
    }
    return outputs;
  }

  // Port by port: all caches stand before all slices, as exporters have it.
  Outputs Caches() {
    struct Port {
      LanguageValue cache;
      LanguageValue slice;
    };
    std::vector<Port> ports;
    const auto for_each = [&](auto&& visit) {
      for (int32_t layer = 0; layer < shape_.layers; ++layer) {
        for (const bool is_value : {false, true}) visit(layer, is_value);
      }
    };
    const auto input = [&](const std::string& name, bool is_value, int32_t positions) {
      const int32_t rows = is_value ? shape_.head_dim : positions;
      const int32_t cols = is_value ? positions : shape_.head_dim;
      return ops_.Input(name, {1, shape_.kv_heads, rows, cols}, LanguageOps::Place::kProduct, 1);
    };
    for_each([&](int32_t layer, bool is_value) {
      ports.push_back({input(CachePort(layer, is_value), is_value, shape_.context)});
    });
    size_t at = 0;
    for_each([&](int32_t layer, bool is_value) {
      ports[at++].slice = input(SlicePort(layer, is_value), is_value, tokens_);
    });
    const auto [keys, values] = inputs_.Begins(builder_.Input("input_pos", kInt32, {tokens_}));
    Outputs outputs;
    for_each([&, keys = keys, values = values](int32_t layer, bool is_value) {
      const Port& port = ports[outputs.size()];
      const std::string name = CachePort(layer, is_value);
      const LanguageValue written =
          ops_.UpdateSlice(name + "/written", port.cache, port.slice, is_value ? values : keys);
      outputs.emplace_back(name, written.tensor);
    });
    return outputs;
  }

  ModelBuilder& builder_;
  const LanguageModelShape& shape_;
  const int32_t tokens_;
  LanguageOps ops_;
  LanguageInputs inputs_;
};

}  // namespace

std::string PartKey(LanguagePart part, std::string_view signature) {
  const size_t underscore = signature.find('_');
  const std::string_view stem = signature.substr(0, underscore);
  const std::string_view length =
      underscore == std::string_view::npos ? "" : signature.substr(underscore);
  return fmt::format("{}_{}{}", stem, NameOf(part), length);
}

void BuildLanguagePart(LanguagePart part, ModelBuilder& builder, LanguageWeights& weights,
                       const LanguageModelShape& shape, int32_t tokens, const std::string& key) {
  const Outputs outputs = PartBuilder(builder, weights, shape, tokens).Build(part);
  AddSignature(builder, key, outputs);
}

}  // namespace npukit

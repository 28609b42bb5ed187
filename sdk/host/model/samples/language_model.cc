// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_parts.h"
#include "sdk/host/model/samples/language_step.h"
#include "sdk/host/model/samples/language_weights.h"

namespace npukit {
namespace {

struct FamilyName {
  LanguageFamily family;
  std::string_view name;
  std::string_view description;
};

constexpr FamilyName kFamilies[] = {
    {LanguageFamily::kGemma, "toy_gemma", "Gemma's layers, two of three with a window of 16"},
    {LanguageFamily::kLlama, "toy_llama", "Llama's layers"},
    {LanguageFamily::kQwen, "toy_qwen", "Qwen's layers"},
};

struct RecipeName {
  LanguageRecipe recipe;
  std::string_view name;
  std::string_view suffix;  // of a sample's name; "-": it has none
  std::string_view description;
};

constexpr std::string_view kNoSample = "-";
constexpr RecipeName kRecipes[] = {
    {LanguageRecipe::kDynamicInt8, "dynamic_int8", "", "int8 weights, float32 activations"},
    {LanguageRecipe::kFloat, "float", "_float", "all float32"},
    {LanguageRecipe::kInt8, "int8", "_int8", "int8 weights and products, else int16"},
    {LanguageRecipe::kInt4, "int4", "_int4", "int4 weights, int8 products, else int16"},
    {LanguageRecipe::kInt16ByInt8, "a16w8", "_a16w8", "int8 weights, int16 activations"},
    {LanguageRecipe::kDynamicInt4, "dynamic_int4", kNoSample, "int4 weights, float32 activations"},
};

litert::Unexpected Wrong(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            "a language model " + std::move(message));
}

litert::Expected<void> CheckShape(const LanguageModelShape& shape) {
  struct Limit {
    const char* what;
    int64_t value;
    int64_t most;
  };
  for (const auto& [what, value, most] :
       {Limit{"layers", shape.layers, 1000}, Limit{"width", shape.width, 1 << 16},
        Limit{"heads", shape.heads, 1024}, Limit{"kv_heads", shape.kv_heads, 1024},
        Limit{"head_dim", shape.head_dim, 1 << 12}, Limit{"hidden", shape.hidden, 1 << 18},
        Limit{"vocabulary", shape.vocabulary, 1 << 20}, Limit{"context", shape.context, 1 << 20},
        Limit{"window", shape.window, 1 << 20}}) {
    if (value < 1 || value > most)
      return Wrong(fmt::format("cannot have {} {}: from 1 to {}", what, value, most));
  }
  if (shape.heads % shape.kv_heads != 0) {
    return Wrong(fmt::format("cannot share {} kv_heads among {} heads: no multiple", shape.kv_heads,
                             shape.heads));
  }
  if (shape.head_dim % 2 != 0)
    return Wrong(fmt::format("cannot turn a head_dim of {} in pairs", shape.head_dim));
  int32_t last = 0;
  for (const int32_t tokens : shape.prefill) {
    if (tokens <= last || tokens > shape.context) {
      return Wrong(fmt::format("needs ascending prefill lengths of at most its context of {}: {}",
                               shape.context, fmt::join(shape.prefill, ", ")));
    }
    last = tokens;
  }
  constexpr int64_t kMostMatrixElems = int64_t{1} << 30;
  for (const int64_t elems :
       {int64_t{shape.vocabulary} * shape.width, int64_t{shape.hidden} * shape.width,
        int64_t{shape.heads} * shape.head_dim * shape.width}) {
    if (elems > kMostMatrixElems)
      return Wrong(
          fmt::format("cannot have a matrix of {} weights: at most {}", elems, kMostMatrixElems));
  }
  return {};
}

}  // namespace

std::optional<LanguageModelShape> FindLanguageModel(std::string_view name) {
  for (const FamilyName& family : kFamilies) {
    for (const RecipeName& recipe : kRecipes) {
      if (recipe.suffix == kNoSample || !name.starts_with(family.name) ||
          name.substr(family.name.size()) != recipe.suffix)
        continue;
      LanguageModelShape shape;
      shape.family = family.family;
      shape.recipe = recipe.recipe;
      return shape;
    }
  }
  return std::nullopt;
}

std::vector<LanguageModelName> LanguageModelNames() {
  std::vector<LanguageModelName> names;
  for (const FamilyName& family : kFamilies) {
    for (const RecipeName& recipe : kRecipes) {
      if (recipe.suffix == kNoSample) continue;
      names.push_back(
          {fmt::format("{}{}", family.name, recipe.suffix),
           fmt::format("language model: {}; {}", family.description, recipe.description)});
    }
  }
  return names;
}

litert::Expected<LanguageRecipe> FindLanguageRecipe(std::string_view name) {
  std::string known;
  for (const RecipeName& recipe : kRecipes) {
    if (recipe.name == name) return recipe.recipe;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", recipe.name);
  }
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("there is no recipe '{}'; there are {}", name, known));
}

litert::Expected<std::unique_ptr<Model>> BuildLanguageModel(const LanguageModelShape& shape) {
  if (auto checked = CheckShape(shape); !checked) return checked.Error();
  ModelBuilder builder;
  LanguageWeights weights(builder, shape.recipe, shape.seed);
  const auto begin = [&](const std::string& signature) {
    if (builder.model().signatures.empty()) {
      builder.model().main_subgraph().name = signature;
    } else {
      builder.BeginSubgraph(signature);
    }
    weights.BeginSubgraph();
  };
  const auto add = [&](const std::string& signature, int32_t tokens, bool with_logits) {
    begin(signature);
    LanguageStep(builder, weights, shape, tokens, with_logits).Build(signature);
    if (shape.style == LanguageStyle::kClassic) return;
    for (const LanguagePart part : kLanguageParts) {
      const std::string key = PartKey(part, signature);
      begin(key);
      BuildLanguagePart(part, builder, weights, shape, tokens, key);
    }
  };
  for (const int32_t tokens : shape.prefill)
    add(fmt::format("prefill_{}", tokens), tokens, shape.prefill_logits);
  add("decode", 1, true);
  return builder.Build();
}

}  // namespace npukit

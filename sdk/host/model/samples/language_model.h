// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Language models that the project makes itself, as exporters lay them out: signatures prefill_N and
// decode over the same weights, each buffer once in the file, with the KV cache as inputs and outputs
// of each. Weights are random, but the same on every machine and for every recipe.
//
//   auto shape = FindLanguageModel("toy_gemma_int8");
//   shape->context = 1024;
//   auto model = BuildLanguageModel(*shape);

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_MODEL_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// What differs between them besides widths:
enum class LanguageFamily {
  kGemma,  // norms before and after each block and of queries and keys, GeGLU, every third layer
           // sees the whole context and the others a window; the embedding times sqrt(width)
  kLlama,  // norms before each block, SwiGLU
  kQwen,   // Llama's, with norms of queries and keys
};

// Types of weights and activations. In the integer ones products (FULLY_CONNECTED, BATCH_MATMUL, with
// the cache) have the named types, what lies between them is int16, and only the embedding and the
// logits are float32.
enum class LanguageRecipe {
  kFloat,        // all float32
  kDynamicInt8,  // int8 weights by channel, float32 activations
  kDynamicInt4,  // int4 weights by channel, float32 activations
  kInt8,         // int8 weights, products of int8
  kInt4,         // int4 weights, products of int8
  kInt16ByInt8,  // int8 weights, products of int16
};

// What a signature takes and gives, as exporters have it.
enum class LanguageStyle {
  // Tokens and positions; the caches go in and come out.
  kClassic,
  // The layers take embeddings, masks and angles and give what is new of the caches. Signatures beside them make the one
  // (embedder, mask, RoPE) and write the other (cache update): what an NPU does not take may run elsewhere.
  kSplit,
};

struct LanguageModelShape {
  LanguageStyle style = LanguageStyle::kClassic;
  LanguageFamily family = LanguageFamily::kGemma;
  LanguageRecipe recipe = LanguageRecipe::kDynamicInt8;
  int32_t layers = 3;
  int32_t width = 128;    // of the embedding
  int32_t heads = 4;      // of the queries
  int32_t kv_heads = 2;   // of keys and values; divides heads
  int32_t head_dim = 32;  // even
  int32_t hidden = 512;   // of the feed-forward block
  int32_t vocabulary = 512;
  int32_t context = 128;                   // positions in the cache
  int32_t window = 16;                     // Gemma's local layers see so many positions
  std::vector<int32_t> prefill = {8, 64};  // tokens of each prefill signature, ascending
  // Prefill signatures give the logits of each of their tokens, too: [1, N, vocabulary].
  bool prefill_logits = false;
  uint32_t seed = 1;
};

// "toy_gemma", "toy_llama" or "toy_qwen", with "_float", "_int8", "_int4", "_a16w8" or nothing
// (float32 activations, int8 weights). nullopt for another name.
std::optional<LanguageModelShape> FindLanguageModel(std::string_view name);

struct LanguageModelName {
  std::string name;
  std::string description;
};
// What FindLanguageModel knows.
std::vector<LanguageModelName> LanguageModelNames();

// The recipe of a name: "float", "dynamic_int8", "dynamic_int4", "int8", "int4", "a16w8".
litert::Expected<LanguageRecipe> FindLanguageRecipe(std::string_view name);

// Errors name the width that cannot be.
//
// Signatures prefill_N, ascending, then decode, each of a subgraph. Inputs: tokens int32 [1, N],
// input_pos int32 [N], kv_cache_k_L [1, kv_heads, context, head_dim] and kv_cache_v_L [1, kv_heads,
// head_dim, context] of each layer. Outputs: the caches with the N new positions, under the same
// names, and of decode logits float32 [1, 1, vocabulary]. A cache holds zeros at first.
//
// Split, prefill_N and decode take embeddings float32 [1, N, width], of global and of local layers pos_emb_cos and _sin
// [1, N, 1, head_dim] and mask_global or mask_local [1, 1, N, context + N], and the caches that they read; they give
// kv_slice_k_L [1, kv_heads, N, head_dim], kv_slice_v_L [1, kv_heads, head_dim, N] and logits. Beside each:
// prefill_embedder_N (token_ids int32 [1, N]), prefill_mask_N (time_step int32 [], input_tokens int32 [1, N], of which those
// below 0 are padding), prefill_rope_N (input_pos int32 [N]) and prefill_cache_update_N (caches, slices, input_pos); of
// decode, decode_embedder and so on.
litert::Expected<std::unique_ptr<Model>> BuildLanguageModel(const LanguageModelShape& shape);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_MODEL_H_

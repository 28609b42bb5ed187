// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The small signatures beside the decoder of a split language model: what makes its inputs of tokens and positions, and
// what writes its results to the caches.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_PARTS_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_PARTS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/samples/language_weights.h"

namespace npukit {

enum class LanguagePart { kEmbedder, kMask, kRope, kCacheUpdate };
// In the order in which they run; the decoder stands before the last.
inline constexpr std::array kLanguageParts = {LanguagePart::kEmbedder, LanguagePart::kMask,
                                              LanguagePart::kRope, LanguagePart::kCacheUpdate};

// "prefill_mask_8" beside "prefill_8", "decode_mask" beside "decode".
std::string PartKey(LanguagePart part, std::string_view signature);

// Adds it, for so many tokens, to the builder's current subgraph.
void BuildLanguagePart(LanguagePart part, ModelBuilder& builder, LanguageWeights& weights,
                       const LanguageModelShape& shape, int32_t tokens, const std::string& key);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_LANGUAGE_PARTS_H_

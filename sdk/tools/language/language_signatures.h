// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The signatures of a language model, found by the names that LiteRT's exporters give.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_SIGNATURES_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_SIGNATURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::tools {

// Takes `tokens` tokens at positions that follow each other.
struct LanguageSignature {
  std::string key;
  int32_t tokens = 0;
  size_t tokens_input = 0;     // int32 [1, tokens]: "tokens" or "token_ids"
  size_t positions_input = 0;  // int32 [tokens]: "input_pos" or "positions"
  // Of a split model, which takes neither but embeddings, angles and masks: the signatures that make them, and the one that
  // writes what it gives to the caches (LanguageStyle::kSplit).
  std::vector<std::string> before;
  std::vector<std::string> after;

  bool is_split() const { return !before.empty(); }
};

struct LanguageSignatures {
  std::vector<LanguageSignature> prefill;  // the longest first; may be empty
  LanguageSignature decode;                // of one token
  size_t logits_output = 0;                // of decode: "logits"
  // Inputs of each signature, or of those behind it, that are outputs of the same name, too.
  std::vector<std::string> caches;
  int32_t context = 0;     // positions in the caches
  int32_t vocabulary = 0;  // logits a token
};

// Keys are "decode" and "prefill" or "prefill_N"; of a split model those of PartKey, too. Errors say what is missing, or which input has a
// name that is not known.
litert::Expected<LanguageSignatures> FindLanguageSignatures(const Model& model);

// What an input of a split model's signatures is made of, by its name.
enum class StepInput : uint8_t {
  kTokens,           // "token_ids", "tokens"
  kTokensOrPadding,  // "input_tokens": those below 0 are padding
  kPositions,        // "input_pos"
  kFirstPosition,    // "time_step"
};
// Nothing for another name.
std::optional<StepInput> FindStepInput(std::string_view name);

// nullptr if none of them has the key.
const LanguageSignature* FindLanguageSignature(const LanguageSignatures& signatures,
                                               const std::string& key);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_SIGNATURES_H_

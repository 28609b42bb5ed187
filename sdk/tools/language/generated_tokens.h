// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A prompt and what a language model says to it, with the times and, if wanted, beside what another
// session computes for the same tokens.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_GENERATED_TOKENS_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_GENERATED_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/sampler.h"
#include "sdk/tools/language/token_generator.h"

namespace npukit::tools {

struct GenerationOptions {
  std::vector<int32_t> prompt;
  int32_t tokens = 0;          // to generate
  bool prefill = true;         // false: the prompt, too, token by token
  std::optional<int32_t> end;  // the token after which nothing more is said
  SamplerOptions sampler;
};

// What another session said to the same tokens.
struct TokenComparison {
  size_t equal_tokens = 0;
  struct Difference {
    size_t step = 0;  // of the generated tokens
    int32_t token = 0;
    int32_t reference = 0;
  };
  std::optional<Difference> first_difference;
  double largest_logit_difference = 0;
  size_t equal_logits = 0;  // steps whose logits are equal bit by bit
};

struct GeneratedTokens {
  std::vector<int32_t> tokens;
  double first_token_ms = 0;    // from the prompt's first run to the first token
  std::vector<double> step_ms;  // of each token behind the first
  std::optional<TokenComparison> comparison;

  double TokensPerSecond() const;  // of those behind the first; 0: there are none
};

// Errors: prompt and tokens do not fit into the context of one of them, or the models do not choose
// from as many tokens. `reference` may be null.
litert::Expected<void> CheckGeneration(const LanguageSignatures& signatures,
                                       const LanguageSignatures* reference,
                                       const GenerationOptions& options);

// `reference` is null, or gets the tokens that `generator` says, so that one that differs does not
// make all behind it differ. Both are at their beginning. Errors: as CheckGeneration, and a run's.
litert::Expected<GeneratedTokens> GenerateTokens(TokenGenerator& generator,
                                                 TokenGenerator* reference,
                                                 const GenerationOptions& options);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_GENERATED_TOKENS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a language model's signatures over one cache, which the session holds once for all of them:
// nothing copies it between runs.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_GENERATOR_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/step_runner.h"

namespace npukit::tools {

// How often a signature ran.
struct SignatureRuns {
  std::string key;
  int32_t tokens = 0;
  int runs = 0;
};

class TokenGenerator {
 public:
  // The session was opened with the signatures' caches as its shared ports, and outlives this.
  static litert::Expected<std::unique_ptr<TokenGenerator>> Create(Session& session,
                                                                  LanguageSignatures signatures);

  // Writes tokens to the cache, from position() on, by the prefill signatures that fit best; what is
  // left over by decode. Where a signature gets fewer tokens than it takes, the cache's rows behind
  // them hold what nothing sees and what the next tokens overwrite.
  litert::Expected<void> Prefill(std::span<const int32_t> tokens);
  // Writes one and gives the logits of what follows, valid until the next call. Errors: the context
  // is full, the token is not in the vocabulary.
  litert::Expected<std::span<const float>> Decode(int32_t token);
  // To the beginning, with a cache as before the first run.
  void Reset();

  int32_t position() const { return position_; }
  const LanguageSignatures& signatures() const { return signatures_; }
  // Prefill signatures, then decode.
  const std::vector<SignatureRuns>& runs() const { return runs_; }
  // Bytes of caches that a run of decode copies since the session could not let it write in place.
  uint64_t copied_bytes() const { return steps_.back().copied_bytes(); }

 private:
  TokenGenerator(Session& session, LanguageSignatures signatures)
      : session_(session), signatures_(std::move(signatures)) {}

  // The one to run next for so many tokens; the last entry of runs_: decode.
  size_t BestFor(size_t count) const;
  litert::Expected<void> Run(size_t index, std::span<const int32_t> tokens);
  litert::Expected<void> CheckRoom(size_t count) const;
  litert::Expected<void> CheckTokens(std::span<const int32_t> tokens) const;

  Session& session_;
  LanguageSignatures signatures_;
  std::vector<StepRunner> steps_;  // as runs_
  std::vector<SignatureRuns> runs_;
  int32_t position_ = 0;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_GENERATOR_H_

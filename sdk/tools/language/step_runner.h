// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs one step of a language model: a signature that takes tokens and positions, or those that a split model does it by, one
// after the other.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_STEP_RUNNER_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_STEP_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/language/language_signatures.h"

namespace npukit::tools {

class StepRunner {
 public:
  // The session was opened with the caches as its shared ports, and outlives this.
  static litert::Expected<StepRunner> Create(Session& session, const LanguageSignature& step,
                                             const std::vector<std::string>& caches);

  // Writes tokens, at most as many as the step takes, to the cache from a position on. Places without a token are filled up
  // with token 0, or padding, at the positions that follow.
  litert::Expected<void> Run(std::span<const int32_t> tokens, int32_t position);

  // Of the signature that the step is named after, valid until the next run.
  std::span<const uint8_t> output(size_t index) const { return main_->output(index); }
  // Bytes of caches that a run copies since the session could not let it write in place.
  uint64_t copied_bytes() const;

 private:
  // An input that is an earlier stage's output.
  struct Link {
    SignatureRunner* from = nullptr;
    size_t output = 0;
    std::span<uint8_t> to;
  };
  struct Fill {
    StepInput with;
    std::span<uint8_t> input;  // int32; as many as it holds
  };
  // A signature, and what its inputs hold before it runs.
  struct Stage {
    std::string key;
    SignatureRunner* runner = nullptr;
    std::vector<Link> links;
    std::vector<Fill> fills;
  };

  explicit StepRunner(LanguageSignature step) : step_(std::move(step)) {}

  litert::Expected<void> Add(Session& session, const std::string& key,
                             const std::vector<std::string>& caches);
  // Of a split model's stage: where its inputs come from.
  void Connect(Stage& stage, const std::vector<std::string>& caches) const;

  LanguageSignature step_;
  std::vector<Stage> stages_;
  SignatureRunner* main_ = nullptr;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_STEP_RUNNER_H_

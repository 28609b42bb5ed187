// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where in its context a measured step of a language model stands: what it costs depends on that.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_PLACE_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_PLACE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/tools/language/language_signatures.h"

namespace npukit::tools {

// A signature of a language model.
struct TokenStep {
  LanguageSignature signature;
  std::vector<std::string> caches;
  int32_t context = 0;  // positions

  // The last position at which all of its tokens are within the context.
  int32_t LastPosition() const { return context - signature.tokens; }
};

// Nothing if the model is no language model, or none of its steps has that key.
std::optional<TokenStep> FindTokenStep(const Model& model, const std::string& key);

// Writes positions that follow each other from one on, beyond the context or not: as many int32 as the input holds.
void WritePositions(std::span<uint8_t> input, int32_t first);
void WritePositions(const LanguageSignature& signature, int32_t first, SignatureRunner& runner);
// kErrorInvalidArgument if the step's tokens, from a position on, reach beyond the context.
litert::Expected<void> CheckPosition(const TokenStep& step, int32_t position);
// The first of the positions that are set.
int32_t PositionOf(const TokenStep& step, SignatureRunner& runner);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_PLACE_H_

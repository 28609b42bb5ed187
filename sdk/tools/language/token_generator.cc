// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit::tools {

litert::Expected<std::unique_ptr<TokenGenerator>> TokenGenerator::Create(
    Session& session, LanguageSignatures signatures) {
  std::unique_ptr<TokenGenerator> made(new TokenGenerator(session, std::move(signatures)));
  std::vector<LanguageSignature> all = made->signatures_.prefill;
  all.push_back(made->signatures_.decode);
  for (const LanguageSignature& step : all) {
    LITERT_ASSIGN_OR_RETURN(StepRunner runner,
                            StepRunner::Create(session, step, made->signatures_.caches));
    made->steps_.push_back(std::move(runner));
    made->runs_.push_back({.key = step.key, .tokens = step.tokens});
  }
  return made;
}

litert::Expected<void> TokenGenerator::CheckRoom(size_t count) const {
  const auto room = static_cast<size_t>(signatures_.context - position_);
  if (count <= room) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("the context is full: {} of its {} positions are taken, {} more are needed",
                  position_, signatures_.context, count));
}

litert::Expected<void> TokenGenerator::CheckTokens(std::span<const int32_t> tokens) const {
  for (const int32_t token : tokens) {
    if (token < 0 || token >= signatures_.vocabulary) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                fmt::format("token {} is not in the model's vocabulary of {}",
                                            token, signatures_.vocabulary));
    }
  }
  return {};
}

// A signature that gets no more than half of its tokens costs more than the next shorter one; and one
// that would reach beyond the context would write over what is there.
size_t TokenGenerator::BestFor(size_t count) const {
  const auto room = static_cast<size_t>(signatures_.context - position_);
  for (size_t i = 0; i + 1 < steps_.size(); ++i) {
    const auto tokens = static_cast<size_t>(runs_[i].tokens);
    if (tokens <= room && count * 2 > tokens) return i;
  }
  return steps_.size() - 1;
}

litert::Expected<void> TokenGenerator::Run(size_t index, std::span<const int32_t> tokens) {
  LITERT_RETURN_IF_ERROR(steps_[index].Run(tokens, position_));
  ++runs_[index].runs;
  position_ += static_cast<int32_t>(tokens.size());
  return {};
}

litert::Expected<void> TokenGenerator::Prefill(std::span<const int32_t> tokens) {
  LITERT_RETURN_IF_ERROR(CheckTokens(tokens));
  LITERT_RETURN_IF_ERROR(CheckRoom(tokens.size()));
  while (!tokens.empty()) {
    const size_t step = BestFor(tokens.size());
    const size_t count = std::min(tokens.size(), static_cast<size_t>(runs_[step].tokens));
    LITERT_RETURN_IF_ERROR(Run(step, tokens.first(count)));
    tokens = tokens.subspan(count);
  }
  return {};
}

litert::Expected<std::span<const float>> TokenGenerator::Decode(int32_t token) {
  const std::span<const int32_t> tokens(&token, 1);
  LITERT_RETURN_IF_ERROR(CheckTokens(tokens));
  LITERT_RETURN_IF_ERROR(CheckRoom(1));
  LITERT_RETURN_IF_ERROR(Run(steps_.size() - 1, tokens));
  const std::span<const uint8_t> bytes = steps_.back().output(signatures_.logits_output);
  // The runner aligns what it holds.
  return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
}

void TokenGenerator::Reset() {
  session_.ResetState();
  position_ = 0;
}

}  // namespace npukit::tools

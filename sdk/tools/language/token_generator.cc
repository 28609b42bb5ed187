// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/language/token_place.h"

namespace npukit::tools {

litert::Expected<std::unique_ptr<TokenGenerator>> TokenGenerator::Create(
    Session& session, LanguageSignatures signatures) {
  std::unique_ptr<TokenGenerator> made(new TokenGenerator(session, std::move(signatures)));
  made->steps_ = made->signatures_.prefill;
  made->steps_.push_back(made->signatures_.decode);
  for (const LanguageSignature& step : made->steps_) {
    LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session.Runner(step.key));
    made->runners_.push_back(runner);
    made->runs_.push_back({.key = step.key, .tokens = step.tokens});
  }
  made->decode_ = made->runners_.back();
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
    const auto tokens = static_cast<size_t>(steps_[i].tokens);
    if (tokens <= room && count * 2 > tokens) return i;
  }
  return steps_.size() - 1;
}

litert::Expected<void> TokenGenerator::Run(size_t index, std::span<const int32_t> tokens) {
  const LanguageSignature& step = steps_[index];
  SignatureRunner& runner = *runners_[index];
  const std::span<uint8_t> given = runner.input(step.tokens_input);
  // Places without a token are filled up with token 0 at the positions that follow; position_ does
  // not count them.
  for (int32_t i = 0; i < step.tokens; ++i) {
    const int32_t token =
        static_cast<size_t>(i) < tokens.size() ? tokens[static_cast<size_t>(i)] : 0;
    std::memcpy(given.data() + static_cast<size_t>(i) * sizeof(token), &token, sizeof(token));
  }
  WritePositions(step, position_, runner);
  if (auto run = runner.Run(); !run) {
    return litert::Unexpected(run.Error().Status(),
                              fmt::format("signature '{}': {}", step.key, run.Error().Message()));
  }
  ++runs_[index].runs;
  position_ += static_cast<int32_t>(tokens.size());
  return {};
}

litert::Expected<void> TokenGenerator::Prefill(std::span<const int32_t> tokens) {
  LITERT_RETURN_IF_ERROR(CheckTokens(tokens));
  LITERT_RETURN_IF_ERROR(CheckRoom(tokens.size()));
  while (!tokens.empty()) {
    const size_t step = BestFor(tokens.size());
    const size_t count = std::min(tokens.size(), static_cast<size_t>(steps_[step].tokens));
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
  const std::span<const uint8_t> bytes = decode_->output(signatures_.logits_output);
  // The runner aligns what it holds.
  return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
}

void TokenGenerator::Reset() {
  session_.ResetState();
  position_ = 0;
}

}  // namespace npukit::tools

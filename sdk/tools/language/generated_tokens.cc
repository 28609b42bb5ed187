// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/generated_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/progress.h"

namespace npukit::tools {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// All of the prompt but its last token, whose logits are wanted: prefill gives none.
litert::Expected<void> Read(TokenGenerator& generator, const GenerationOptions& options) {
  const std::span<const int32_t> prompt(options.prompt);
  const std::span<const int32_t> before = prompt.first(prompt.size() - 1);
  if (options.prefill) return generator.Prefill(before);
  for (const int32_t token : before) {
    LITERT_ASSIGN_OR_RETURN(const auto logits, generator.Decode(token));
    (void)logits;
  }
  return {};
}

void Compare(size_t step, int32_t token, int32_t reference, std::span<const float> logits,
             std::span<const float> expected, TokenComparison& comparison) {
  if (token == reference) {
    ++comparison.equal_tokens;
  } else if (!comparison.first_difference) {
    comparison.first_difference = {.step = step, .token = token, .reference = reference};
  }
  if (std::memcmp(logits.data(), expected.data(), logits.size_bytes()) == 0) {
    ++comparison.equal_logits;
    return;
  }
  for (size_t i = 0; i < logits.size(); ++i) {
    const double difference = std::fabs(double{logits[i]} - double{expected[i]});
    // A NaN on one side alone is as far as can be.
    const double gap = std::isnan(difference) && !(std::isnan(logits[i]) && std::isnan(expected[i]))
                           ? INFINITY
                           : difference;
    if (gap > comparison.largest_logit_difference) comparison.largest_logit_difference = gap;
  }
}

// `model`: "the model" or the one that it is compared with.
litert::Expected<void> CheckFits(std::string_view model, const LanguageSignatures& signatures,
                                 const GenerationOptions& options) {
  // The last token that is said is not written any more.
  const int64_t needed = static_cast<int64_t>(options.prompt.size()) + options.tokens - 1;
  if (needed <= signatures.context) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("a prompt of {} tokens and {} more do not fit: {}'s context has {} "
                  "positions, {} are needed",
                  options.prompt.size(), options.tokens, model, signatures.context, needed));
}

}  // namespace

litert::Expected<void> CheckGeneration(const LanguageSignatures& signatures,
                                       const LanguageSignatures* reference,
                                       const GenerationOptions& options) {
  for (const int32_t token : options.prompt) {
    if (token >= 0 && token < signatures.vocabulary) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--prompt: token {}: expected 0 to {}", token, signatures.vocabulary - 1));
  }
  LITERT_RETURN_IF_ERROR(CheckFits("the model", signatures, options));
  if (reference == nullptr) return {};
  if (signatures.vocabulary != reference->vocabulary) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format(
            "the models can't be compared: the model has a vocabulary of {} tokens, the one "
            "to compare with {}",
            signatures.vocabulary, reference->vocabulary));
  }
  return CheckFits("the model to compare with", *reference, options);
}

double GeneratedTokens::TokensPerSecond() const {
  const double all_ms = std::accumulate(step_ms.begin(), step_ms.end(), 0.0);
  return all_ms <= 0 ? 0 : 1e3 * static_cast<double>(step_ms.size()) / all_ms;
}

litert::Expected<GeneratedTokens> GenerateTokens(TokenGenerator& generator,
                                                 TokenGenerator* reference,
                                                 const GenerationOptions& options) {
  LITERT_RETURN_IF_ERROR(CheckGeneration(
      generator.signatures(), reference == nullptr ? nullptr : &reference->signatures(), options));
  GeneratedTokens said;
  Progress progress;
  progress.Show("reading the prompt");
  Sampler sampler(options.sampler);
  if (reference != nullptr) {
    said.comparison.emplace();
    LITERT_RETURN_IF_ERROR(Read(*reference, options));
  }
  // The reference has read the prompt by now: the time is that of this model alone.
  Clock::time_point begin = Clock::now();
  LITERT_RETURN_IF_ERROR(Read(generator, options));
  int32_t token = options.prompt.back();
  for (int32_t i = 0; i < options.tokens; ++i) {
    LITERT_ASSIGN_OR_RETURN(const std::span<const float> logits, generator.Decode(token));
    // One draw for both: where the logits are equal, so are the tokens.
    const double draw = sampler.Draw();
    const int32_t next = sampler.Choose(logits, draw);
    if (i == 0) {
      said.first_token_ms = MillisecondsSince(begin);
    } else {
      said.step_ms.push_back(MillisecondsSince(begin));
    }
    if (reference != nullptr) {
      LITERT_ASSIGN_OR_RETURN(const std::span<const float> expected, reference->Decode(token));
      Compare(static_cast<size_t>(i), next, sampler.Choose(expected, draw), logits, expected,
              *said.comparison);
    }
    // The reference goes on with this model's token, too: one difference does not make all that
    // follow differ.
    said.tokens.push_back(next);
    token = next;
    progress.ShowCount(said.tokens.size(), static_cast<size_t>(options.tokens), "tokens");
    if (next == options.end) break;
    begin = Clock::now();
  }
  return said;
}

}  // namespace npukit::tools

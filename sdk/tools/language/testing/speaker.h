// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: language models that are made, opened and asked.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TESTING_SPEAKER_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TESTING_SPEAKER_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/token_generator.h"

namespace npukit::tools {

// The message of an error; empty if there is none.
inline std::string WhyNot(const auto& result) { return result ? "" : result.Error().Message(); }

struct Speaker {
  std::unique_ptr<Session> session;
  std::unique_ptr<TokenGenerator> generator;
};

inline Speaker Open(const LanguageModelShape& shape) {
  Speaker speaker;
  auto model = BuildLanguageModel(shape);
  EXPECT_TRUE(model) << model.Error().Message();
  auto signatures = FindLanguageSignatures(**model);
  EXPECT_TRUE(signatures) << signatures.Error().Message();
  auto session = Session::Create(std::move(*model), {.shared_ports = signatures->caches});
  EXPECT_TRUE(session) << session.Error().Message();
  speaker.session = std::move(*session);
  auto generator = TokenGenerator::Create(*speaker.session, *signatures);
  EXPECT_TRUE(generator) << generator.Error().Message();
  speaker.generator = std::move(*generator);
  return speaker;
}

inline std::vector<int32_t> Prompt(size_t count) {
  std::vector<int32_t> prompt;
  for (size_t i = 0; i < count; ++i) prompt.push_back(static_cast<int32_t>((i * 37 + 5) % 512));
  return prompt;
}

inline std::vector<float> LogitsAfter(Speaker& speaker, const std::vector<int32_t>& prompt,
                                      bool prefill) {
  const std::span<const int32_t> all(prompt);
  const auto before = all.first(all.size() - 1);
  if (prefill) {
    EXPECT_TRUE(speaker.generator->Prefill(before));
  } else {
    for (const int32_t token : before) EXPECT_TRUE(speaker.generator->Decode(token));
  }
  const auto logits = speaker.generator->Decode(prompt.back());
  EXPECT_TRUE(logits) << logits.Error().Message();
  return {logits->begin(), logits->end()};
}

inline std::vector<std::string> SampleNames() {
  std::vector<std::string> names;
  for (const auto& sample : LanguageModelNames()) names.push_back(sample.name);
  return names;
}

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TESTING_SPEAKER_H_

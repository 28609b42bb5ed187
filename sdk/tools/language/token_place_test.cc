// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/session/session.h"

namespace npukit::tools {
namespace {

TEST(TokenPlace, IsOfTheStepsOfLanguageModels) {
  const auto model = BuildLanguageModel(*FindLanguageModel("toy_llama_float"));
  ASSERT_TRUE(model);
  const auto decode = FindTokenStep(**model, "decode");
  ASSERT_TRUE(decode);
  EXPECT_EQ(decode->LastPosition(), 127);
  const auto prefill = FindTokenStep(**model, "prefill_8");
  ASSERT_TRUE(prefill);
  EXPECT_EQ(prefill->LastPosition(), 120);
  EXPECT_FALSE(FindTokenStep(**model, "prefill_9"));
  EXPECT_FALSE(FindTokenStep(Model(), "decode"));
}

TEST(TokenPlace, LetsTokensFollowEachOther) {
  auto model = BuildLanguageModel(*FindLanguageModel("toy_llama_float"));
  ASSERT_TRUE(model);
  const auto step = FindTokenStep(**model, "prefill_8");
  ASSERT_TRUE(step);
  auto session = Session::Create(std::move(*model), {.shared_ports = step->caches});
  ASSERT_TRUE(session) << session.Error().Message();
  auto runner = (*session)->Runner("prefill_8");
  ASSERT_TRUE(runner);
  EXPECT_TRUE(CheckPosition(*step, 120));
  WritePositions(step->signature, 120, **runner);
  EXPECT_EQ(PositionOf(*step, **runner), 120);
  const auto bytes = (*runner)->input(step->signature.positions_input);
  std::vector<int32_t> positions(bytes.size() / sizeof(int32_t));
  std::memcpy(positions.data(), bytes.data(), bytes.size());
  EXPECT_THAT(positions, testing::ElementsAre(120, 121, 122, 123, 124, 125, 126, 127));
  for (const int32_t position : {-1, 121}) {
    const auto checked = CheckPosition(*step, position);
    ASSERT_FALSE(checked) << position;
    EXPECT_THAT(checked.Error().Message(), testing::HasSubstr("within the 128 positions"));
  }
}

}  // namespace
}  // namespace npukit::tools

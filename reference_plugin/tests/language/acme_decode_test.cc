// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How near a token comes to the weights' way from the DRAM.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "reference_plugin/tests/model_cycles.h"
#include "sdk/host/model/samples/language_model.h"

namespace npukit {
namespace {

class AcmeDecode : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// Of a model whose weights no scratchpad holds, so that all of them come for each token. docs/language-models.md says so.
TEST_P(AcmeDecode, TakesTheWeightsWayAndLittleMore) {
  const auto& [name, soc] = GetParam();
  auto shape = FindLanguageModel(name);
  ASSERT_TRUE(shape);
  shape->layers = 2;
  shape->width = 1152;
  shape->hidden = 6 * shape->width;
  shape->kv_heads = 1;
  shape->head_dim = 256;
  shape->vocabulary = 4096;
  shape->context = 1024;
  shape->prefill = {};
  const auto model = BuildLanguageModel(*shape);
  ASSERT_TRUE(model) << model.Error().Message();
  const auto timed = TimeModel(**model, soc);
  ASSERT_TRUE(timed) << timed.Error().Message();
  EXPECT_LE(timed->ratio(), 1.25);
  EXPECT_GE(timed->ratio(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Language, AcmeDecode,
                         testing::Combine(testing::Values("toy_gemma_int8", "toy_gemma_int4"),
                                          testing::Values("acme_a0", "acme_a1", "acme_a2")),
                         [](const auto& info) {
                           return fmt::format("{}_on_{}", std::get<0>(info.param),
                                              std::get<1>(info.param));
                         });

}  // namespace
}  // namespace npukit

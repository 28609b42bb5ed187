// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How well prompts fill the array.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "reference_plugin/tests/model_cycles.h"
#include "sdk/host/model/samples/language_model.h"
#include "simulator/hw/hardware.h"

namespace npukit {
namespace {

class AcmePrefill : public testing::TestWithParam<std::tuple<const char*, const char*, int>> {};

// 64 tokens: multiply-accumulates over cycles and the array's size, the whole program with
// DRAM. docs/language-models.md says so.
TEST_P(AcmePrefill, FillsSixtyPercentOfTheArray) {
  const auto& [name, soc, width] = GetParam();
  auto shape = FindLanguageModel(name);
  ASSERT_TRUE(shape);
  shape->width = width;
  shape->hidden = 4 * shape->width;
  shape->prefill = {64};
  const auto model = BuildLanguageModel(*shape);
  ASSERT_TRUE(model) << model.Error().Message();
  const auto timed = TimeModel(**model, soc);
  ASSERT_TRUE(timed) << timed.Error().Message();
  const auto hardware = acme::BuiltinHardware(soc);
  ASSERT_TRUE(hardware);
  const double utilisation = static_cast<double>(timed->macs) /
                             static_cast<double>(timed->cycles * hardware->PeakMacsPerCycle());
  EXPECT_GE(utilisation, 0.6);
  EXPECT_LE(utilisation, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Language, AcmePrefill,
                         testing::Combine(testing::Values("toy_gemma", "toy_llama", "toy_qwen"),
                                          testing::Values("acme_a0", "acme_a1", "acme_a2"),
                                          testing::Values(512, 640, 768)),
                         [](const auto& info) {
                           return fmt::format("{}_on_{}_{}_wide", std::get<0>(info.param),
                                              std::get<1>(info.param), std::get<2>(info.param));
                         });

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/context_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

LiteRtStatus GiveNull(const void*, LiteRtCompilerPlugin*, LiteRtEnvironmentOptions, LiteRtOptions) {
  return kLiteRtStatusOk;
}
LiteRtStatus Fail(const void*, LiteRtCompilerPlugin*, LiteRtEnvironmentOptions, LiteRtOptions) {
  return kLiteRtStatusErrorRuntimeFailure;
}

TEST(ContextProbe, SaysWhatAPluginThatCannotBeMadeGave) {
  const struct {
    CreatePluginWithContext create;
    const char* gave;
  } cases[] = {{GiveNull, "LiteRtCreateCompilerPlugin gave a null plugin"},
               {Fail, "LiteRtCreateCompilerPlugin gave kLiteRtStatusErrorRuntimeFailure"}};
  for (const auto& c : cases) {
    const auto probed = ProbeContextLayout("x.so", c.create, {});
    ASSERT_FALSE(probed) << c.gave;
    EXPECT_THAT(probed.Error().Message(), AllOf(HasSubstr("x.so: "), HasSubstr(c.gave)));
  }
}

}  // namespace
}  // namespace npukit

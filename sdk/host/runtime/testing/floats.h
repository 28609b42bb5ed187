// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Float models in tests.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TESTING_FLOATS_H_
#define NPUKIT_SDK_HOST_RUNTIME_TESTING_FLOATS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "litert/c/litert_model_types.h"

namespace npukit {

inline constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

inline std::vector<float> Floats(std::span<const uint8_t> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Runs a SignatureRunner with these inputs, the others as they are; the first output.
template <typename Runner>
std::vector<float> RunWith(Runner& runner, const std::vector<std::vector<float>>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto set = runner.SetInput(
        i, {reinterpret_cast<const uint8_t*>(inputs[i].data()), inputs[i].size() * sizeof(float)});
    EXPECT_TRUE(set) << set.Error();
  }
  const auto run = runner.Run();
  EXPECT_TRUE(run) << run.Error();
  return Floats(runner.output(0));
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_TESTING_FLOATS_H_

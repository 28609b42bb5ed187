// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model of which the test plugins take this or that, for tests of placing and compiling.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_TESTING_FOUR_OPS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_TESTING_FOUR_OPS_H_

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {

enum class LastReads { kSub, kConstant };

// 0 MUL a = x k, 1 SUB s = a - x, 2 ADD t = s + k, 3 MUL y = t s, or t times a constant of its own,
// `only`.
inline std::unique_ptr<Model> FourOps(LastReads last_reads) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* k = b.Constant<float>("k", {4}, {1, 2, 3, 4});
  Tensor* only = nullptr;
  if (last_reads == LastReads::kConstant) only = b.Constant<float>("only", {4}, {5, 6, 7, 8});
  Tensor* a = b.Value("a", type, {4});
  Tensor* s = b.Value("s", type, {4});
  Tensor* t = b.Value("t", type, {4});
  Tensor* y = b.Value("y", type, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {x, k}, {a});
  b.AddOp(kLiteRtOpCodeTflSub, {a, x}, {s});
  b.AddOp(kLiteRtOpCodeTflAdd, {s, k}, {t});
  b.AddOp(kLiteRtOpCodeTflMul, {t, only != nullptr ? only : s}, {y});
  b.Output(y);
  b.AddSignature("serving_default");
  auto model = b.Build();
  EXPECT_TRUE(model) << (model ? "" : model.Error().Message());
  return model ? std::move(*model) : nullptr;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_TESTING_FOUR_OPS_H_

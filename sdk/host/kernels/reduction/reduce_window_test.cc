// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::ExpectResults;
using testing::Floats;
using testing::kF32;
using testing::kI64;
using testing::kNan;
using testing::Longs;
using testing::NodeBuilder;
using testing::ResultCase;

// Windows of two over a vector of four.
ResultCase Windows(const char* name, ReduceWindowFunction function, const Floats& result) {
  return {.name = name,
          .code = kLiteRtOpCodeTflReduceWindow,
          .options = ReduceWindowOptions{.reduce_function = function},
          .build =
              [](NodeBuilder& n) {
                n.Input(kF32, {4}).Constant(kF32, {}, BytesOf(Floats{1}));
                for (int64_t value : {2, 1, 1}) n.Constant(kI64, {1}, BytesOf(Longs{value}));
                n.Output(kF32);
              },
          .inputs = {BytesOf(Floats{kNan, 2, -3, kNan})},
          .shapes = {{3}},
          .outputs = {BytesOf(result)}};
}

// An extreme of a NaN and another is the other where the NaN came first, as in TFLite.
TEST(ReduceWindow, ExtremesForgetNanBeforeTheLast) {
  ExpectResults({
      Windows("largest", ReduceWindowFunction::kMaximum, {2, 2, kNan}),
      Windows("smallest", ReduceWindowFunction::kMinimum, {2, -3, kNan}),
  });
}

}  // namespace
}  // namespace npukit::kernels

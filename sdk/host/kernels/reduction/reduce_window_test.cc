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
using testing::kBool;
using testing::kF32;
using testing::kI16;
using testing::kI64;
using testing::kNan;
using testing::Longs;
using testing::NodeBuilder;
using testing::ResultCase;
using testing::Shorts;

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

// As TFLite, for which every function is one of every type: what is not 0 is true, and the bytes of bool
// are added and multiplied.
TEST(ReduceWindow, EveryFunctionOfEveryType) {
  const auto of = [](const char* name, ReduceWindowFunction function, LiteRtElementType type,
                     const std::vector<uint8_t>& first, const std::vector<uint8_t>& in,
                     const std::vector<uint8_t>& result) {
    ResultCase c = Windows(name, function, {});
    c.build = [=](NodeBuilder& n) {
      n.Input(type, {4}).Constant(type, {}, first);
      for (int64_t value : {2, 1, 1}) n.Constant(kI64, {1}, BytesOf(Longs{value}));
      n.Output(type);
    };
    c.inputs = {in};
    c.outputs = {result};
    return c;
  };
  ExpectResults({
      of("all of int16", ReduceWindowFunction::kAll, kI16, BytesOf(Shorts{5}),
         BytesOf(Shorts{7, -2, 0, 1}), BytesOf(Shorts{1, 0, 0})),
      of("any of float32", ReduceWindowFunction::kAny, kF32, BytesOf(Floats{0}),
         BytesOf(Floats{0, 0, -3, 0}), BytesOf(Floats{0, 1, 1})),
      of("sum of bool", ReduceWindowFunction::kAdd, kBool, {0}, {0, 1, 1, 0}, {1, 2, 1}),
      of("largest of bool", ReduceWindowFunction::kMaximum, kBool, {0}, {0, 0, 1, 0}, {0, 1, 1}),
  });
}

}  // namespace
}  // namespace npukit::kernels

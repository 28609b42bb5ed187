// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/window.h"

#include <gtest/gtest.h>

#include <vector>

namespace acme::compiler {
namespace {

// Eight inputs, padded by one, seen by four windows of three that are two apart.
constexpr WindowAxis kStrided = {.in = 8, .out = 4, .kernel = 3, .stride = 2, .pad = 1};
// Two taps four apart.
constexpr WindowAxis kDilated = {.in = 6, .out = 2, .kernel = 2, .dilation = 4};
// The first two and the last two outputs see padding alone.
constexpr WindowAxis kPadded = {.in = 4, .out = 8, .pad = 2};
// The first two inputs are not used.
constexpr WindowAxis kCropped = {.in = 6, .out = 4, .pad = -2};

struct SpanCase {
  const char* name;
  WindowAxis axis;
  int32_t begin;
  int32_t count;
  int32_t first;
  int32_t last;
  int32_t origin;  // of the first window, from the first input
};

class InputsOfTest : public testing::TestWithParam<SpanCase> {};

TEST_P(InputsOfTest, AreInsideTheImage) {
  const SpanCase& c = GetParam();
  const WindowAxis::Span span = c.axis.InputsOf(c.begin, c.count);
  EXPECT_EQ(span.first, c.first);
  EXPECT_EQ(span.last, c.last);
  EXPECT_EQ(c.axis.Origin(c.begin, span.first), c.origin);
  EXPECT_EQ(RowsRead(c.axis, {c.begin, c.begin + c.count}), (RowRange{c.first, c.last}));
}

INSTANTIATE_TEST_SUITE_P(Cases, InputsOfTest,
                         testing::ValuesIn(std::vector<SpanCase>{
                             {"FirstSeesPadding", kStrided, 0, 1, 0, 2, -1},
                             {"Inside", kStrided, 1, 2, 1, 6, 0},
                             {"Last", kStrided, 3, 1, 5, 8, 0},
                             {"All", kStrided, 0, 4, 0, 8, -1},
                             {"Whole", {.in = 5, .kernel = 5}, 0, 1, 0, 5, 0},
                             {"Dilated", kDilated, 1, 1, 1, 6, 0},
                             // One input stands for none, so that there is something to point at.
                             {"PaddingBefore", kPadded, 0, 1, 0, 1, -2},
                             {"PaddingBehind", kPadded, 7, 1, 3, 4, 2},
                             {"Cropped", kCropped, 0, 4, 2, 6, 0},
                         }),
                         [](const auto& info) { return info.param.name; });

struct CountCase {
  const char* name;
  WindowAxis axis;
  int64_t most_inputs_of_two;
  int64_t products;
  int64_t inputs_met;
};

class WindowCounts : public testing::TestWithParam<CountCase> {};

TEST_P(WindowCounts, LeavePaddingOut) {
  const CountCase& c = GetParam();
  EXPECT_EQ(c.axis.MostInputs(2), c.most_inputs_of_two);
  EXPECT_EQ(c.axis.Products(), c.products);
  EXPECT_EQ(c.axis.InputsMet(), c.inputs_met);
}

INSTANTIATE_TEST_SUITE_P(Cases, WindowCounts,
                         testing::ValuesIn(std::vector<CountCase>{
                             {"Strided", kStrided, 5, 11, 8},
                             {"Dilated", kDilated, 6, 4, 4},
                             {"Padded", kPadded, 2, 4, 4},
                             {"Cropped", kCropped, 2, 4, 4},
                         }),
                         [](const auto& info) { return info.param.name; });

// The axis over the rows that a strip holds gives the same windows.
TEST(RowsOf, ShiftsThePadding) {
  const WindowAxis rows = RowsOf(kStrided, {1, 3}, {1, 6});
  EXPECT_EQ(rows.in, 5);
  EXPECT_EQ(rows.out, 2);
  EXPECT_EQ(rows.pad, 0);
  EXPECT_EQ(RowsOf(kStrided, {0, 2}, {0, 4}).pad, 1);
  EXPECT_EQ(RowsOf(kStrided, {1, 3}, {0, 6}).pad, -1) << "a row more than it needs";
}

TEST(PaddingProducts, AreThePairsOfPaddingAndKernel) {
  // 12 by 12 pairs, 11 by 11 with an input; of two images.
  EXPECT_EQ(PaddingProducts({2, kStrided, kStrided}), 2u * (144 - 121));
}

}  // namespace
}  // namespace acme::compiler

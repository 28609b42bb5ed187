// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace npukit::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SweepRow Timed(double cycles) {
  return {.cycles = cycles,
          .roofline_cycles = cycles / 2,
          .utilisation = 0.25,
          .energy_pj = 1000,
          .npu_ops = 1,
          .cpu_ops = 0,
          .error = {}};
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

SweepGrid Grid() {
  auto grid = SweepGrid::Parse("base: <x>\naxes: [{a.x: [1, 2, 4]}]\n", "g.yaml");
  EXPECT_TRUE(grid);
  return std::move(*grid);
}

TEST(SweepPage, ShowsEachPointAndJoinsTheFront) {
  const SweepRows rows = {{0, Timed(100)}, {1, Timed(120)}, {2, Timed(50)}};
  const std::string page = SweepPage(Grid(), "a & b.tflite", rows);
  EXPECT_THAT(page, HasSubstr("<title>Sweep of a &amp; b.tflite</title>"));
  EXPECT_THAT(page, HasSubstr("Base &lt;x&gt;; 3 of 3 points, 2 on the Pareto front of cycles"));
  EXPECT_EQ(Count(page, "<circle class=best"), 2);
  EXPECT_EQ(Count(page, "<circle class=point"), 1);
  EXPECT_THAT(page, HasSubstr("<title>point 1: a.x 2: 120 cycles, a.x 2</title>"));
  // Linear in the cost: 1, 2, 4 between 90 and 700; the front from left to right.
  EXPECT_THAT(page, HasSubstr("<polyline class=joined points=\" 90.0,108.6 700.0,330.0\"/>"));
  // The front's rows first, the fastest first.
  EXPECT_LT(page.find("<tr class=front><td>2"), page.find("<tr class=front><td>0"));
  EXPECT_LT(page.find("<tr class=front><td>0"), page.find("<tr><td>1"));
}

// Points that are on the front for another cost are not joined in this one's chart.
TEST(SweepPage, JoinsWhatIsBestInEachChart) {
  auto grid = SweepGrid::Parse("base: b\naxes: [{a.x: [1, 2]}, {a.y: [1, 2]}]\n", "g.yaml");
  ASSERT_TRUE(grid);
  const SweepRows rows = {{0, Timed(100)}, {1, Timed(60)}, {2, Timed(70)}, {3, Timed(50)}};
  const std::string page = SweepPage(*grid, "m.tflite", rows);
  EXPECT_THAT(page, HasSubstr("4 on the Pareto front"));
  EXPECT_THAT(page, HasSubstr("points=\" 90.0,268.0 700.0,330.0\""));
  EXPECT_THAT(page, HasSubstr("points=\" 90.0,206.0 700.0,330.0\""));
}

TEST(SweepPage, NeedsNothingElse) {
  const std::string page = SweepPage(Grid(), "m", {{0, Timed(1)}});
  for (const char* outside : {"http", "src=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(SweepPage, SaysWhyPointsFailed) {
  SweepRow failed;
  failed.error = "no <room>";
  const std::string page = SweepPage(Grid(), "m", {{1, failed}});
  EXPECT_THAT(page, HasSubstr("no &lt;room&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
}

}  // namespace
}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const SweptRun kPlain = {.model = "m", .signature = {}, .position = {}};

SweepGrid GridOf(const std::string& axes) {
  auto grid = SweepGrid::Parse("base: x\naxes: " + axes + "\n", "g.yaml");
  EXPECT_TRUE(grid) << grid.Error().Message();
  return std::move(*grid);
}

SweepRow Timed(double cycles, size_t cpu_ops = 0) {
  return {.cycles = cycles,
          .roofline_cycles = cycles / 4,
          .microseconds = cycles / 1000,
          .utilisation = 0.125,
          .energy_pj = 0.1 + cycles,
          .npu_ops = 5,
          .cpu_ops = cpu_ops,
          .error = {}};
}

TEST(ParetoFront, KeepsWhatNothingBeats) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2]}, {a.y: [10, 20]}]");
  // Point 1 pays more than point 0 for the same cycles; 3 buys nothing over 2.
  SweepRows rows = {{0, Timed(100)}, {1, Timed(100)}, {2, Timed(70)}, {3, Timed(80)}};
  EXPECT_THAT(ParetoFront(grid, rows), ElementsAre(2, 0));
  rows[3] = Timed(60);
  EXPECT_THAT(ParetoFront(grid, rows), ElementsAre(3, 2, 0));
  // Fewer cycles with an op on the CPU, or none at all, are no better.
  rows[0] = Timed(1, 2);
  rows[2] = {.error = "failed"};
  EXPECT_THAT(ParetoFront(grid, rows), ElementsAre(3, 1));
  EXPECT_THAT(ParetoFront(grid, {}), ElementsAre());
}

TEST(ParetoFront, EqualsTheDefinition) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2, 3, 4]}, {a.y: [1, 2, 3, 4]}, {a.z: [1, 2, 3, 4]}]");
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    SweepRows rows;
    for (size_t point = 0; point < grid.size(); ++point) rows[point] = Timed(random() % 20);
    std::vector<size_t> expected;
    for (const auto& [a, row] : rows) {
      bool beaten = false;
      for (const auto& [b, other] : rows) {
        auto mine = grid.CostsAt(a);
        auto theirs = grid.CostsAt(b);
        mine.push_back(*row.cycles);
        theirs.push_back(*other.cycles);
        bool no_worse = true;
        for (size_t i = 0; i < mine.size(); ++i) no_worse = no_worse && theirs[i] <= mine[i];
        beaten = beaten || (no_worse && theirs != mine);
      }
      if (!beaten) expected.push_back(a);
    }
    EXPECT_THAT(ParetoFront(grid, rows), ::testing::UnorderedElementsAreArray(expected));
  }
}

TEST(SweepCsv, FilesOfShardsOneAfterTheOtherAreTheWhole) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2]}, {a.y: ['1', '2']}]");
  SweepRows all = {
      {0, Timed(100)}, {1, Timed(1e9 + 0.5)}, {2, Timed(1)}, {3, {.error = "a, \"b\""}}};
  const SweepRows even = {{0, all[0]}, {2, all[2]}};
  const SweepRows odd = {{1, all[1]}, {3, all[3]}};
  const SweptRun run = {.model = "m,n.tflite", .signature = "de,code", .position = 1023};
  const std::string text = SweepCsv(grid, run, even, true) + SweepCsv(grid, run, odd, false);
  const auto read = ParseSweepCsv(text, "f.csv", grid, run);
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(*read, all);
  EXPECT_EQ(SweepCsv(grid, kPlain, {{0, all[0]}}, true),
            "model,signature,position,point,a.x,a.y,cycles,roofline_cycles,microseconds,tokens_per_"
            "second,"
            "utilisation,energy_pj,npu_ops,cpu_ops,error\n"
            "m,,,0,1,1,100,25,0.1,,0.125,100.1,5,0,\n");
  // Twice the same is once; names of columns may stand in between.
  const std::string twice = SweepCsv(grid, kPlain, all, true);
  const auto once = ParseSweepCsv(twice + twice, "f.csv", grid, kPlain);
  ASSERT_TRUE(once) << once.Error().Message();
  EXPECT_EQ(*once, all);
}

TEST(SweepCsv, MistakesAreToldWithTheirLine) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2]}]");
  struct Case {
    std::string line, says;
  };
  for (const Case& c :
       {Case{"nonsense", "f.csv:2: expected the columns model,signature,position,point,a.x,"},
        Case{"n,,,0,1,5,,,,,,1,0,", "f.csv:2: is of the model 'n', not 'm'"},
        Case{"m,decode,,0,1,5,,,,,,1,0,", "f.csv:2: is of the signature 'decode', not ''"},
        Case{"m,,7,0,1,5,,,,,,1,0,", "f.csv:2: is of the position '7', not ''"},
        Case{"m,,,2,1,5,,,,,,1,0,", "f.csv:2: '2' is no point of the grid"},
        Case{"m,,,x,1,5,,,,,,1,0,", "f.csv:2: 'x' is no point of the grid"},
        Case{"m,,,0,9,5,,,,,,1,0,", "f.csv:2: point 0 has a.x 1 in the grid, 9 here"},
        Case{"m,,,0,1,five,,,,,,1,0,", "f.csv:2: a result is no number"},
        Case{"m,,,0,1,5,,,,,,1,,", "f.csv:2: a result is no number"},
        Case{"m,,,0,1,5,,,,,,1,0,\nm,,,0,1,6,,,,,,1,0,", "f.csv:3: point 0 stands twice"}}) {
    const auto rows =
        ParseSweepCsv(SweepCsv(grid, kPlain, {}, true) + c.line + "\n", "f.csv", grid, kPlain);
    ASSERT_FALSE(rows) << c.line;
    EXPECT_THAT(rows.Error().Message(), HasSubstr(c.says));
  }
}

TEST(SweepReport, TextAndJsonHaveTheFront) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2]}]");
  const SweepRows rows = {{0, Timed(100)}, {1, {.error = "no room"}}};
  const std::string text = SweepText(grid, rows);
  EXPECT_THAT(text, HasSubstr("point 1: no room\n"));
  EXPECT_THAT(text, HasSubstr("Pareto front of cycles against a.x: 1 of 2 points\n"));
  nlohmann::ordered_json json;
  AddSweepJson(grid, rows, json);
  EXPECT_EQ(json["front"], nlohmann::ordered_json::array({0}));
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["points"][0]["values"]["a.x"], "1");
  EXPECT_EQ(json["points"][0]["cycles"], 100);
  EXPECT_EQ(json["points"][0]["front"], true);
  EXPECT_TRUE(json["points"][1]["cycles"].is_null());
  EXPECT_EQ(json["points"][1]["error"], "no room");
  EXPECT_EQ(json["points"][0]["microseconds"], 0.1);
}

TEST(SweepReport, TokensStandWhereThereAreSome) {
  const SweepGrid grid = GridOf("[{a.x: [1, 2]}]");
  SweepRows rows = {{0, Timed(100)}, {1, {.error = "no room"}}};
  EXPECT_THAT(SweepText(grid, rows), testing::Not(HasSubstr("tokens/s")));
  rows[0].tokens_per_second = 19.96;
  const std::string text = SweepText(grid, rows);
  EXPECT_THAT(text, HasSubstr("tokens/s"));
  EXPECT_THAT(text, HasSubstr("20.0"));
  nlohmann::ordered_json json;
  AddSweepJson(grid, rows, json);
  EXPECT_EQ(json["points"][0]["tokens_per_second"], 19.96);
  EXPECT_TRUE(json["points"][1]["tokens_per_second"].is_null());
}

}  // namespace
}  // namespace npukit::tools

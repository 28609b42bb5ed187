// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_grid.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "sdk/tools/flags/shard.h"

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SweepGrid Grid(const std::string& text) {
  auto grid = SweepGrid::Parse(text, "g.yaml");
  EXPECT_TRUE(grid) << grid.Error().Message();
  return grid ? std::move(*grid) : SweepGrid();
}

std::vector<std::string> ValuesAt(const SweepGrid& grid, size_t point) {
  std::vector<std::string> values;
  for (const auto& setting : grid.At(point)) values.push_back(setting.value);
  return values;
}

TEST(SweepGrid, PointsAreAllCombinationsOfTheAxes) {
  const SweepGrid grid =
      Grid("base: acme_a1\naxes:\n  - {a.x: [1, 2], a.y: [3, 4]}\n  - b.z: [5, 6, 7]\n");
  EXPECT_EQ(grid.base(), "acme_a1");
  EXPECT_THAT(grid.keys(), ElementsAre("a.x", "a.y", "b.z"));
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_THAT(ValuesAt(grid, 0), ElementsAre("1", "3", "5"));
  EXPECT_THAT(ValuesAt(grid, 2), ElementsAre("1", "3", "7"));
  EXPECT_THAT(ValuesAt(grid, 3), ElementsAre("2", "4", "5"));
  EXPECT_EQ(grid.At(5)[2].where, "g.yaml:4:17");
  EXPECT_EQ(grid.Settings().size(), 7u);
  EXPECT_THAT(grid.cost_names(), ElementsAre("a.x * a.y", "b.z"));
  EXPECT_THAT(grid.CostsAt(5), ElementsAre(8.0, 7.0));
}

TEST(SweepGrid, CostsMayBeNamed) {
  const SweepGrid grid =
      Grid("base: x\naxes: [{a.x: [2, 3], a.on: [true, false]}, {b: [5]}]\ncost: [[a.x, b]]\n");
  EXPECT_THAT(grid.cost_names(), ElementsAre("a.x * b"));
  EXPECT_THAT(grid.CostsAt(1), ElementsAre(15.0));
  EXPECT_TRUE(Grid("base: x\naxes: [{a.x: [2]}]\ncost: []\n").cost_names().empty());
}

TEST(SweepGrid, ASocFileHasTheSettingsOverTheBase) {
  const SweepGrid grid =
      Grid("base: acme_a1\naxes: [{a.x: [1], a.y: [\"2}\\n\"], top: [3]}]\ncost: []\n");
  const std::string text = grid.SocText(grid.At(0), "point");
  EXPECT_THAT(text, HasSubstr("base: acme_a1\nname: point\na:\n  x: 1\n"));
  EXPECT_THAT(text, HasSubstr("top: 3\n"));
  EXPECT_THAT(text, HasSubstr("y: \"2}\\n\""));  // a value cannot become a key
}

TEST(SweepGrid, MistakesAreToldWithLineAndColumn) {
  struct Case {
    std::string text, says;
  };
  const std::string base = "base: x\n";
  for (const Case& c : {
           Case{"", "g.yaml:1:1: expected a map"},
           Case{"- 1\n", "g.yaml:1:1: expected a map"},
           Case{"base: [\n", "g.yaml:2:1: "},
           Case{std::string(100000, '['), "g.yaml:"},
           Case{"a: *b\n", "g.yaml:1:4: "},
           Case{"axes: []\n", "g.yaml:1:1: base: is missing"},
           Case{base, "g.yaml:1:1: axes: is missing"},
           Case{base + "axes: 3\n", "g.yaml:2:7: axes: expected a list"},
           Case{base + "axes: []\n", "g.yaml:2:7: axes: expected a list"},
           Case{base + "axes: [3]\n", "g.yaml:2:8: axes: expected a map"},
           Case{base + "axes: [{}]\n", "g.yaml:2:8: axes: expected a map"},
           Case{base + "axes: [{a.b: 3}]\n", "g.yaml:2:14: a.b: expected a list of values"},
           Case{base + "axes: [{a.b: []}]\n", "g.yaml:2:14: a.b: expected a list of values"},
           Case{base + "axes: [{a.b: [[1]]}]\n", "g.yaml:2:15: expected a text"},
           Case{base + "axes: [{a.b: [1, 2], a.c: [1]}]\n", "g.yaml:2:27: a.c: expected 2 values"},
           Case{base + "axes: [{a.b: [1]}, {a.b: [2]}]\n", "g.yaml:2:21: the key 'a.b' stands"},
           Case{base + "axes: [{a.b.c: [1]}]\n", "g.yaml:2:9: 'a.b.c' cannot be varied"},
           Case{base + "axes: [{base: [1]}]\n", "g.yaml:2:9: 'base' cannot be varied"},
           Case{base + "axes: [{.b: [1]}]\n", "g.yaml:2:9: '.b' cannot be varied"},
           Case{base + "axes: [{[a]: [1]}]\n", "g.yaml:2:9: expected a text"},
           Case{base + "axes: [{a.b: [x]}]\n", "g.yaml:2:7: cost: a.b is 'x' at g.yaml:2:15"},
           Case{base + "axes: [{a.b: [-1]}]\n", "g.yaml:2:7: cost: a.b is '-1'"},
           Case{base + "axes: [{a.b: [1]}]\ncost: 3\n", "g.yaml:3:7: cost: expected a list"},
           Case{base + "axes: [{a.b: [1]}]\ncost: [a.b]\n", "g.yaml:3:8: cost: expected a list"},
           Case{base + "axes: [{a.b: [1]}]\ncost: [[c]]\n", "g.yaml:3:9: cost: no axis varies 'c'"},
           Case{base + "axes: [{a.b: [1]}]\nsoc: y\n", "g.yaml:3:1: unknown key 'soc'"},
           Case{base + base + "axes: [{a.b: [1]}]\n", "g.yaml:2:1: the key 'base' stands twice"},
       }) {
    const auto grid = SweepGrid::Parse(c.text, "g.yaml");
    ASSERT_FALSE(grid) << c.text;
    EXPECT_EQ(grid.Error().Status(), kLiteRtStatusErrorInvalidArgument);
    EXPECT_THAT(grid.Error().Message(), HasSubstr(c.says));
  }
}

TEST(SweepGrid, AMillionPointsAreTheMost) {
  std::string hundred = "[0";
  for (int i = 1; i < 100; ++i) hundred += fmt::format(", {}", i);
  hundred += "]";
  const std::string cube = "base: x\naxes:\n  - a.a: " + hundred + "\n  - a.b: " + hundred +
                           "\n  - a.c: " + hundred + "\n";
  EXPECT_EQ(Grid(cube).size(), 1000000u);
  const auto more = SweepGrid::Parse(cube + "  - a.d: [1, 2]\n", "g.yaml");
  ASSERT_FALSE(more);
  EXPECT_THAT(more.Error().Message(), HasSubstr("g.yaml:6:5: the grid has more than a million"));
}

TEST(SweepGrid, TheExampleCanBeRead) {
  const auto grid = SweepGrid::Read(NPUKIT_SOURCE_DIR "/docs/examples/sweep.yaml");
  ASSERT_TRUE(grid) << grid.Error().Message();
  EXPECT_EQ(grid->size(), 27u);
  EXPECT_FALSE(SweepGrid::Read(NPUKIT_SOURCE_DIR "/docs"));
}

TEST(ParseShard, CountsFromZeroOrOne) {
  const std::tuple<const char*, int, int> rows[] = {
      {"0/2", 0, 2}, {"1/2", 1, 2}, {"2/2", 0, 2}, {"4/5", 4, 5}, {"0/1", 0, 1}};
  for (const auto& [text, index, count] : rows) {
    const auto shard = ParseShard(text);
    ASSERT_TRUE(shard) << text;
    EXPECT_EQ(shard->index, index) << text;
    EXPECT_EQ(shard->count, count) << text;
  }
  for (const char* wrong :
       {"", "x", "1", "1/", "/2", "3/2", "1/0", "1/2/3", "-1/2", "1/2x", "0/99999999999"})
    EXPECT_FALSE(ParseShard(wrong)) << wrong;
}

}  // namespace
}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/placement_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sdk/tools/flags/compile_spec_flags.h"

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(PlacementFile, EveryKey) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "npukit_spec.bin") << "file";
  const auto file = ParsePlacement(
      "plugins: [B]\n"
      "place:\n"
      "  - {op: [0, 5-9], subgraph: 1, on: A}\n"
      "  - name: \"block*/x\"\n"
      "    on: cpu\n"
      "  - {type: [CONV_2D, odml.rms_norm], on: B}\n"
      "  - {partition: 1-2, on: cpu}\n"
      "otherwise: cpu\n"
      "max_partitions: 3\n"
      "specs:\n"
      "  - {key: a, value: \"4\"}\n"
      "  - {key: b, hex: 00ff, plugin: C, partition: 2}\n"
      "  - {key: c, file: npukit_spec.bin}\n",
      folder + "place.yaml");
  ASSERT_TRUE(file) << file.Error().Message();
  EXPECT_THAT(file->plugins, ElementsAre("B", "A", "C"));
  EXPECT_TRUE(file->request.otherwise_cpu);
  EXPECT_EQ(file->request.max_partitions, 3u);
  const auto& rules = file->request.rules;
  ASSERT_EQ(rules.size(), 4u);
  EXPECT_EQ(rules[0].plugin, "A");
  EXPECT_EQ(rules[0].subgraph, 1u);
  ASSERT_EQ(rules[0].ops.size(), 2u);
  EXPECT_EQ(rules[0].ops[1].last, 9u);
  EXPECT_EQ(rules[0].where, folder + "place.yaml:3:5");
  EXPECT_EQ(rules[1].plugin, "");
  EXPECT_THAT(rules[1].names, ElementsAre("block*/x"));
  EXPECT_THAT(rules[2].types, ElementsAre("CONV_2D", "odml.rms_norm"));
  EXPECT_THAT(rules[3].partitions, ElementsAre(1, 2));
  const auto& specs = file->request.specs;
  ASSERT_EQ(specs.size(), 3u);
  EXPECT_THAT(specs[0].spec.bytes, ElementsAre('4'));
  EXPECT_THAT(specs[1].spec.bytes, ElementsAre(0, 255));
  EXPECT_EQ(specs[1].plugin, "C");
  EXPECT_EQ(specs[1].partition, 2u);
  EXPECT_THAT(specs[2].spec.bytes, ElementsAre('f', 'i', 'l', 'e'));
}

TEST(PlacementFile, ErrorsGiveLineAndColumn) {
  const std::pair<const char*, const char*> kCases[] = {
      {"- a\n", "p.yaml:1:1: expected a map"},
      {"max_partitions: x\n", "p.yaml:1:17: expected a number, found 'x'"},
      {"place:\n  - {op: 1, om: cpu}\n", "p.yaml:2:13: unknown key 'om'"},
      {"place:\n  - {op: 1}\n", "p.yaml:2:5: on: is missing"},
      {"place:\n  - {on: cpu}\n", "p.yaml:2:5: has nothing to match by"},
      {"place:\n  - op: 9-5\n    on: cpu\n", "p.yaml:2:9: expected an op's index"},
      {"place:\n  - op: 1\n    op: 2\n    on: cpu\n", "p.yaml:3:5: the key 'op' stands twice"},
      {"place: {op: 1}\n", "p.yaml:1:8: place: expected a list"},
      {"otherwise: never\n", "p.yaml:1:12: otherwise: expected any or cpu"},
      {"specs:\n  - {key: a, hex: abc}\n", "p.yaml:2:19: hex: expected pairs"},
      {"specs:\n  - {key: a}\n", "p.yaml:2:5: expected one of value, hex and file"},
      {"specs:\n  - {key: a, file: nowhere}\n", "p.yaml:2:20: nowhere: No such file"},
      {"place: [\n", "p.yaml:2:1: "},
  };
  for (const auto& [text, expected] : kCases) {
    const auto file = ParsePlacement(text, "p.yaml");
    ASSERT_FALSE(file) << text;
    EXPECT_THAT(file.Error().Message(), StartsWith(expected));
  }
  EXPECT_FALSE(ReadPlacementFile("/nowhere/p.yaml"));
}

TEST(CompileSpecOption, Forms) {
  const auto plain = ParseCompileSpec("key=a=b");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->spec.key, "key");
  EXPECT_THAT(plain->spec.bytes, ElementsAre('a', '=', 'b'));
  const auto full = ParseCompileSpec("AcmeCorp#3:key=hex:01ff");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->plugin, "AcmeCorp");
  EXPECT_EQ(full->partition, 3u);
  EXPECT_EQ(full->spec.key, "key");
  EXPECT_THAT(full->spec.bytes, ElementsAre(1, 255));
  const auto partition = ParseCompileSpec("#0:key=");
  ASSERT_TRUE(partition);
  EXPECT_EQ(partition->plugin, "");
  EXPECT_EQ(partition->partition, 0u);
  for (const char* wrong : {"key", "=v", "A:=v", "A#x:k=v", "k=hex:1", "k=@/nowhere"}) {
    const auto spec = ParseCompileSpec(wrong);
    EXPECT_FALSE(spec) << wrong;
  }
}

}  // namespace
}  // namespace npukit::tools

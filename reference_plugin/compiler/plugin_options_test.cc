// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/plugin_options.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

TEST(PluginOptionsTest, NumbersTextsAndComments) {
  const auto options = ParsePluginOptions(
      "# stages\n\n  dump_dir = \"/a b/\\\"c\\\\\"  # there\r\noptimization_level=3\n"
      "force_partition_index = 16777215\nenable_just_in_time = true");
  ASSERT_TRUE(options) << options.Error().Message();
  EXPECT_EQ(*options, (PluginOptions{{"dump_dir", "/a b/\"c\\"},
                                     {"optimization_level", "3"},
                                     {"force_partition_index", "16777215"},
                                     {"enable_just_in_time", "true"}}));
  EXPECT_EQ(PluginOptionNumber(options->at("force_partition_index")), 16777215u);
  const auto none = ParsePluginOptions("");
  EXPECT_TRUE(none && none->empty());
}

TEST(PluginOptionsTest, MistakesAreToldWithTheirLine) {
  struct Case {
    const char* toml;
    const char* message;
  };
  const char* const value =
      "optimization_level: expected a number of at least 0, or a text in quotes";
  const std::string on_line_2 = std::string("line 2: ") + value;
  for (const Case& c :
       {Case{"\nnonsense", "line 2: expected KEY = VALUE"},
        Case{"speed = 3", "line 1: there is no option 'speed'"},
        Case{"optimization_level = 4", "line 1: optimization_level: '4' is not in 0 .. 3"},
        Case{"force_partition_index = 16777216",
             "line 1: force_partition_index: '16777216' is not in 0 .. 16777215"},
        Case{"optimization_level = \"x\"", "line 1: optimization_level: 'x' is not in 0 .. 3"},
        Case{"dump_dir = \"\"", "line 1: dump_dir: the name of the folder is empty"},
        Case{"\noptimization_level = -1", on_line_2.c_str()},
        Case{"\noptimization_level = 1 2", on_line_2.c_str()},
        Case{"\noptimization_level =", on_line_2.c_str()},
        Case{"\noptimization_level = \"1", on_line_2.c_str()},
        Case{"\noptimization_level = \"\\n\"", on_line_2.c_str()},
        Case{"enable_just_in_time = yes", "line 1: enable_just_in_time: expected true or false"},
        Case{"enable_just_in_time = 1",
             "line 1: enable_just_in_time: '1' is neither true nor false"},
        Case{"optimization_level = 1\noptimization_level = 1",
             "line 2: optimization_level stands twice"}}) {
    const auto options = ParsePluginOptions(c.toml);
    ASSERT_FALSE(options) << c.toml;
    EXPECT_EQ(options.Error().Message(), c.message);
  }
}

}  // namespace
}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/text_table.h"

#include <gtest/gtest.h>

namespace npukit::tools {
namespace {

TEST(TextTableTest, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table("<>>", "  ");
  EXPECT_TRUE(table.empty());
  table.Add({"class", "passed", "failed"});
  table.Add({"numerics", "10727", "0"});
  EXPECT_EQ(table.Text(),
            "  class     passed  failed\n"
            "  numerics   10727       0\n");
}

TEST(TextTableTest, MissingCellsLeaveNoBlanksAtTheEnd) {
  TextTable table("<<<");
  table.Add({"a", "long text", "c"});
  table.Add({"b"});
  table.Add({});
  EXPECT_EQ(table.Text(), "a  long text  c\nb\n\n");
}

TEST(TextTableTest, WithoutRowsIsEmpty) { EXPECT_EQ(TextTable("<").Text(), ""); }

}  // namespace
}  // namespace npukit::tools

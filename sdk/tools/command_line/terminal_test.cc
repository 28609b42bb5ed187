// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/terminal.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sdk/tools/command_line/progress.h"

namespace npukit::tools {
namespace {

// A terminal of 50 columns, and a variable that is as it was at the end.
class Terminal : public ::testing::Test {
 protected:
  void SetUp() override {
    struct winsize size = {};
    size.ws_col = 50;
    size.ws_row = 10;
    if (openpty(&keyboard_, &screen_, nullptr, nullptr, &size) != 0)
      GTEST_SKIP() << "no terminal can be made: " << std::strerror(errno) << " (no /dev/pts?)";
    stream_ = fdopen(screen_, "w");
    ASSERT_NE(stream_, nullptr);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    unsetenv("COLUMNS");
  }
  void TearDown() override {
    unsetenv("NO_COLOR");
    unsetenv("COLUMNS");
    if (stream_ != nullptr) std::fclose(stream_);
    if (keyboard_ >= 0) close(keyboard_);
  }

  // What was shown, which may come in pieces: until it is as long as expected, or nothing comes for
  // a second.
  std::string ReadAll(size_t expected) const {
    std::string shown;
    pollfd waiting{.fd = keyboard_, .events = POLLIN, .revents = 0};
    while (shown.size() < expected && poll(&waiting, 1, /*timeout=*/1000) > 0) {
      char piece[256];
      const ssize_t bytes = read(keyboard_, piece, sizeof(piece));
      if (bytes <= 0) break;
      shown.append(piece, static_cast<size_t>(bytes));
    }
    return shown;
  }

  std::FILE* stream_ = nullptr;
  int keyboard_ = -1;

 private:
  int screen_ = -1;
};

TEST_F(Terminal, ShowsColours) {
  EXPECT_EQ(Coloured(stream_, Colour::kRed, "no"), "\033[1;31mno\033[0m");
  setenv("NO_COLOR", "", 1);  // set and empty is not set
  EXPECT_EQ(Coloured(stream_, Colour::kGreen, "yes"), "\033[1;32myes\033[0m");
  setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(Coloured(stream_, Colour::kRed, "no"), "no");
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_EQ(Coloured(stream_, Colour::kRed, "no"), "no");
  unsetenv("TERM");
  EXPECT_EQ(Coloured(stream_, Colour::kRed, "no"), "no");
}

TEST_F(Terminal, HasColumns) {
  EXPECT_EQ(ColumnsOf(stream_), 50);
  setenv("COLUMNS", "33", 1);
  EXPECT_EQ(ColumnsOf(stream_), 33);
  for (const char* odd : {"", "0", "-4", "wide", "12x"}) {
    setenv("COLUMNS", odd, 1);
    EXPECT_EQ(ColumnsOf(stream_), 50) << odd;
  }
}

TEST_F(Terminal, ShowsProgressOnOneLine) {
  {
    Progress progress(stream_);
    progress.Show("compiling");
    progress.ShowCount(3, 20, "runs");
    progress.ShowCount(4, 20, "runs");  // too soon
    progress.Show(std::string(60, 'x'));
  }
  const std::string clear = "\r\033[K";
  const std::string expected =
      clear + "compiling" + clear + "3 of 20 runs" + clear + std::string(49, 'x') + clear;
  EXPECT_EQ(ReadAll(expected.size()), expected);
}

TEST_F(Terminal, NoneHasNoProgress) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress(file);
    progress.Show("compiling");
    progress.ShowCount(3, 20, "runs");
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

TEST_F(Terminal, NoneIsPlainAnd80Wide) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(ColumnsOf(file), 80);
  EXPECT_EQ(Coloured(file, Colour::kRed, "no"), "no");
  std::fclose(file);
}

TEST(Wrapped, BreaksAtBlanks) {
  EXPECT_EQ(Wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(Wrapped("one two three", 6), "one\ntwo\nthree");
  EXPECT_EQ(Wrapped("one two three", 13), "one two three");
  EXPECT_EQ(Wrapped("one\ntwo three", 7), "one\ntwo\nthree");
  EXPECT_EQ(Wrapped("extraordinary", 4), "extraordinary");
  EXPECT_EQ(Wrapped("a extraordinary b", 4), "a\nextraordinary\nb");
  EXPECT_EQ(Wrapped("", 4), "");
  EXPECT_EQ(Wrapped("one\n\ntwo\n", 9), "one\n\ntwo\n");
}

}  // namespace
}  // namespace npukit::tools

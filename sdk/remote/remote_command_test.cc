// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Workers that a command starts.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

TEST(RemoteCommandTest, CommandsThatAreNoWorkers) {
  const std::pair<const char*, const char*> kCases[] = {
      {"exit 3", "ended with exit code 3"},
      {"echo hello from a board that prints a banner", "no message of npukit's"},
      {"/no/such/worker", "ended with exit code 127"},
      {"sleep 60", "nothing came for 300 ms"}};
  for (const auto& [command, expected] : kCases) {
    const auto link =
        Link::Start(command, {.silence = milliseconds(300), .start = milliseconds(300)});
    ASSERT_FALSE(link) << command;
    EXPECT_NE(link.Error().Message().find(expected), std::string::npos) << link.Error().Message();
  }
}

// It is not a matter of who is first, the command's end or the greeting.
TEST(RemoteCommandTest, WhatEndedBeforeItWasGreetedIsHeardAllTheSame) {
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  constexpr std::string_view kBanner = "hello from a board that prints a banner\n";
  ASSERT_EQ(write(pair[1], kBanner.data(), kBanner.size()), static_cast<ssize_t>(kBanner.size()));
  close(pair[1]);
  const auto link =
      Link::Adopt(pair[0], pair[0], {.silence = milliseconds(300), .start = milliseconds(300)});
  ASSERT_FALSE(link);
  EXPECT_NE(link.Error().Message().find("no message of npukit's"), std::string::npos)
      << link.Error().Message();
}

TEST(RemoteCommandTest, StartsTheWorkersProgram) {
  auto link = Link::Start(
      fmt::format("exec {}/bin/npukit-worker --cache {}", NPUKIT_BUILD_DIR, CacheFolder()));
  ASSERT_TRUE(link) << link.Error().Message();
  EXPECT_EQ(Script(**link).Run().output, kSum);
}

TEST(RemoteCommandTest, OutputOfTheWorkerThatIsLostIsAFailure) {
  for (const char* argument : {"--help", "--version"}) {
    const int status = std::system(
        fmt::format("{}/bin/npukit-worker {} >/dev/full 2>/dev/null", NPUKIT_BUILD_DIR, argument)
            .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << argument;
  }
}

}  // namespace
}  // namespace npukit::remote

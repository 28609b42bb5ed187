// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Links that share a connection.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sdk/remote/desk/shared_connection.h"
#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {
namespace {

std::string WorkerCommand() {
  return fmt::format("exec {}/bin/npukit-worker --cache {}", NPUKIT_BUILD_DIR, CacheFolder());
}

std::unique_ptr<SharedConnection> Share(const std::string& command) {
  auto connection = Connection::Start(command);
  EXPECT_TRUE(connection);
  auto shared = SharedConnection::Start(std::move(*connection));
  EXPECT_TRUE(shared) << shared.Error().Message();
  return shared ? std::move(*shared) : nullptr;
}

// Each with a library's process of its own, at the same time.
TEST(SharedConnectionTest, LinksDoNotDisturbEachOther) {
  const auto shared = Share(WorkerCommand());
  std::vector<std::unique_ptr<Link>> links;
  for (int i = 0; i < 6; ++i) {
    auto link = shared->OpenLink();
    ASSERT_TRUE(link) << link.Error().Message();
    links.push_back(std::move(*link));
  }
  std::vector<Outcome> outcomes(links.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < links.size(); ++i)
    threads.emplace_back([&, i] { outcomes[i] = Script(*links[i]).Run(); });
  for (std::thread& thread : threads) thread.join();
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_EQ(outcome.output, kSum);
  }
}

TEST(SharedConnectionTest, ALinkThatEndsLeavesTheOthers) {
  const auto shared = Share(WorkerCommand());
  auto stays = shared->OpenLink();
  ASSERT_TRUE(stays);
  for (int i = 0; i < 4; ++i) {
    auto goes = shared->OpenLink();
    ASSERT_TRUE(goes);
    // In the middle of a message.
    ASSERT_EQ(write((*goes)->to_device(), "npuk\5", 5), 5);
  }
  {
    // What is no message ends that link alone.
    auto bad = shared->OpenLink();
    ASSERT_TRUE(bad);
    const std::string noise(100, 'x');
    ASSERT_EQ(write((*bad)->to_device(), noise.data(), noise.size()), 100);
    EXPECT_NE(Script(**bad).Run().trouble, "");
  }
  EXPECT_EQ(Script(**stays).Run().output, kSum);
  auto next = shared->OpenLink();
  ASSERT_TRUE(next);
  EXPECT_EQ(Script(**next).Run().output, kSum);
}

TEST(SharedConnectionTest, AProcessThatInheritsALinkUsesIt) {
  const auto shared = Share(WorkerCommand());
  auto link = shared->OpenLink();
  ASSERT_TRUE(link);
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(Script(**link).Run().output == kSum ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

TEST(SharedConnectionTest, AllAreLostWithTheConnection) {
  const std::string pid_file = CacheFolder() + "/worker.pid";
  const auto shared = Share("echo $$ > " + pid_file + "; " + WorkerCommand());
  auto first = shared->OpenLink();
  auto second = shared->OpenLink();
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  pid_t worker = 0;
  std::ifstream(pid_file) >> worker;
  ASSERT_GT(worker, 0);
  kill(worker, SIGKILL);
  for (auto* link : {&first, &second}) {
    const Outcome outcome = Script(***link).Run();
    EXPECT_EQ(outcome.kind, LinkTrouble::Kind::kLost);
    EXPECT_NE(outcome.trouble, "");
  }
  const auto next = shared->OpenLink({.start = std::chrono::seconds(2)});
  ASSERT_FALSE(next);
  EXPECT_NE(next.Error().Message().find("its command ended by signal 9"), std::string::npos)
      << next.Error().Message();
}

// What counts on a long way: how often something waits for it. Sixteen links at a time wait together.
TEST(SharedConnectionTest, LinksWaitTogether) {
  const std::string count = CacheFolder() + "/count";
  constexpr int kLinks = 16;
  constexpr int kRuns = 4;
  uint64_t round_trips = 0;
  {
    const auto shared =
        Share(fmt::format("exec {}/test_bin/npukit_test_slow_link --delay-ms 50 "
                          "--count {} '{}'",
                          NPUKIT_BUILD_DIR, count, WorkerCommand()));
    std::vector<std::unique_ptr<Link>> links;
    for (int i = 0; i < kLinks; ++i) {
      auto link = shared->OpenLink();
      ASSERT_TRUE(link) << link.Error().Message();
      links.push_back(std::move(*link));
    }
    std::vector<std::thread> threads;
    for (const auto& link : links) {
      threads.emplace_back([&] {
        for (int run = 0; run < kRuns; ++run) EXPECT_EQ(Script(*link).Run().output, kSum);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& link : links) round_trips += link->round_trips();
  }
  int windows = 0;
  std::ifstream(count) >> windows;
  EXPECT_GT(windows, 0);
  // A machine that is busy with other things lets some come late.
  EXPECT_LT(static_cast<uint64_t>(windows), kLinks + round_trips / 4)
      << round_trips << " round trips";
}

}  // namespace
}  // namespace npukit::remote

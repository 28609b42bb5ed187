// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Workers that are brought to their device: by the script alone, and through an sshd of the test's own.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/ssh_bootstrap.h"
#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/testing/test_sshd.h"
#include "tests/support/temporary_folder.h"

namespace npukit::remote {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const std::string kLibFolder = NPUKIT_BUILD_DIR "/lib";

template <typename T>
T Of(litert::Expected<T> expected) {
  EXPECT_TRUE(expected);
  return expected ? std::move(*expected) : T();
}

// Processes that work in the folder or below it.
std::vector<std::string> ProcessesIn(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  const std::string place = fs::weakly_canonical(folder, error).string();
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const fs::path cwd = fs::read_symlink(entry.path() / "cwd", error);
    if (!error && cwd.string().starts_with(place)) found.push_back(entry.path().string());
  }
  return found;
}

bool IsSoon(const std::function<bool()>& condition) {
  for (int waited_ms = 0; waited_ms < 30'000; waited_ms += 20) {
    if (condition()) return true;
    usleep(20'000);
  }
  return condition();
}

std::vector<std::string> HalfFiles(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(".coming")) found.push_back(entry.path());
  }
  return found;
}

const WorkerFiles& Files() {
  static const WorkerFiles files = Of(FindWorkerFiles(kLibFolder));
  return files;
}

// The script, run by this machine's shell in the place of ssh.
TEST(SshBootstrapTest, BringsTheWorkerOnce) {
  ASSERT_EQ(Files().files.size(), 2U);
  const TemporaryFolder board;
  const std::string folder = board.path() + "/new/one";
  const std::string worker = folder + "/" + Files().digest + "/npukit-worker";
  fs::file_time_type first;
  for (int time = 0; time < 2; ++time) {
    auto connection = Connection::Start(BootstrapCommand(folder));
    ASSERT_TRUE(connection);
    const auto begun = Bootstrap((*connection)->fd(), Files(), milliseconds(20'000));
    ASSERT_TRUE(begun) << begun.Error().Message();
    auto link = Link::Greet(std::move(*connection));
    ASSERT_TRUE(link) << link.Error().Message();
    EXPECT_EQ(Script(**link).Run().output, kSum);
    EXPECT_GE(ProcessesIn(folder).size(), 2U);
    if (time == 0) first = fs::last_write_time(worker);
    EXPECT_EQ(fs::last_write_time(worker), first) << "it was sent again";
  }
  EXPECT_TRUE(IsSoon([&] { return ProcessesIn(folder).empty(); }));
  EXPECT_EQ(HalfFiles(folder), std::vector<std::string>());
}

TEST(SshBootstrapTest, SendsAnewWhatIsNotWhole) {
  const TemporaryFolder board;
  const std::string& folder = board.path();
  const std::string place = folder + "/" + Files().digest;
  fs::create_directory(place);
  std::ofstream(place + "/npukit-worker") << "half of it";
  auto connection = Connection::Start(BootstrapCommand(folder));
  ASSERT_TRUE(connection);
  ASSERT_TRUE(Bootstrap((*connection)->fd(), Files(), milliseconds(20'000)));
  auto link = Link::Greet(std::move(*connection));
  ASSERT_TRUE(link) << link.Error().Message();
}

TEST(SshBootstrapTest, ABannerIsPassedOver) {
  const TemporaryFolder board;
  const std::string& folder = board.path();
  auto connection =
      Connection::Start("echo Welcome; echo; echo npukit is not here; " + BootstrapCommand(folder));
  ASSERT_TRUE(connection);
  ASSERT_TRUE(Bootstrap((*connection)->fd(), Files(), milliseconds(20'000)));
  EXPECT_TRUE(Link::Greet(std::move(*connection)));
}

TEST(SshBootstrapTest, WhatGoesWrongIsSaid) {
  const TemporaryFolder board;
  const std::string& folder = board.path();
  std::ofstream(folder + "/file") << "x";
  const WorkerFiles none;
  const struct {
    std::string command;
    const WorkerFiles& files;
    const char* expected;
    milliseconds silence = milliseconds(20'000);
  } kRows[] = {
      {"exit 1", Files(), "the connection ended"},
      {"yes | head -c 100000", Files(), "is no shell that can start a worker"},
      {"exec sleep 60", Files(), "nothing came for 300 ms", milliseconds(300)},
      {BootstrapCommand(folder + "/file"), Files(), "no folder"},
      {BootstrapCommand(folder + "/empty"), none, "there is no "},
      // A disk that takes no more: files may have 100 blocks.
      {"ulimit -f 100; trap '' XFSZ; " + BootstrapCommand(folder + "/small"), Files(),
       "did not arrive whole"},
  };
  for (const auto& row : kRows) {
    auto connection = Connection::Start(row.command);
    ASSERT_TRUE(connection);
    const auto begun = Bootstrap((*connection)->fd(), row.files, row.silence);
    ASSERT_FALSE(begun) << row.command;
    EXPECT_NE(begun.Error().Message().find(row.expected), std::string::npos)
        << begun.Error().Message();
  }
  EXPECT_EQ(HalfFiles(folder), std::vector<std::string>());
}

// The connection ends in the middle of a file, as by a Ctrl-C or a lost link.
TEST(SshBootstrapTest, LeavesNothingHalf) {
  const TemporaryFolder board;
  const std::string& folder = board.path();
  {
    auto connection = Connection::Start(BootstrapCommand(folder));
    ASSERT_TRUE(connection);
    const std::string half = "put abc 1000000 npukit-worker\n" + std::string(300'000, 'x');
    ASSERT_EQ(write((*connection)->fd(), half.data(), half.size()),
              static_cast<ssize_t>(half.size()));
  }
  EXPECT_TRUE(IsSoon([&] { return ProcessesIn(folder).empty(); }));
  EXPECT_EQ(HalfFiles(folder), std::vector<std::string>());
}

class RemoteSshTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = TestSshd::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    sshd_ = std::make_unique<TestSshd>();
    folder_ = sshd_->folder() + "/board";
    address_ = Of(ParseDeviceAddress("ssh:board:" + folder_));
  }

  std::unique_ptr<TestSshd> sshd_;
  std::string folder_;
  DeviceAddress address_;
};

TEST_F(RemoteSshTest, RunsAFunction) {
  {
    auto connection = Connect(address_, kLibFolder);
    ASSERT_TRUE(connection) << connection.Error().Message();
    auto link = Link::Greet(std::move(*connection));
    ASSERT_TRUE(link) << link.Error().Message();
    EXPECT_EQ(Script(**link).Run().output, kSum);
  }
  EXPECT_TRUE(IsSoon([&] { return ProcessesIn(folder_).empty(); }));
}

TEST_F(RemoteSshTest, AnInterruptedDeskLeavesNothing) {
  const pid_t desk = fork();
  if (desk == 0) {
    auto connection = Connect(address_, kLibFolder);
    if (!connection) _exit(1);
    auto link = Link::Greet(std::move(*connection));
    if (!link) _exit(1);
    LinkTrouble trouble;
    LibraryFacts facts;
    if (!(*link)->SendFile(TestLibrary().digest, TestLibrary().bytes, trouble) ||
        !(*link)->Open(TestLibrary().digest, TestLibrary().name, facts, trouble)) {
      _exit(1);
    }
    pause();
    _exit(0);
  }
  // The worker and the library's process.
  EXPECT_TRUE(IsSoon([&] { return ProcessesIn(folder_).size() >= 2; }));
  kill(desk, SIGKILL);  // harder than a Ctrl-C
  waitpid(desk, nullptr, 0);
  EXPECT_TRUE(IsSoon([&] { return ProcessesIn(folder_).empty(); }));
  EXPECT_EQ(HalfFiles(folder_), std::vector<std::string>());
}

TEST_F(RemoteSshTest, AHostThatRefusesIsNamed) {
  setenv("NPUKIT_SSH", "ssh -F /dev/null -p 1 -o StrictHostKeyChecking=no", 1);
  const auto connection = Connect(Of(ParseDeviceAddress("ssh:127.0.0.1")), kLibFolder);
  ASSERT_FALSE(connection);
  EXPECT_NE(connection.Error().Message().find("127.0.0.1: no worker starts"), std::string::npos)
      << connection.Error().Message();
  EXPECT_NE(connection.Error().Message().find("exit code 255"), std::string::npos);
}

}  // namespace
}  // namespace npukit::remote

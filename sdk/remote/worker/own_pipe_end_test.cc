// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/own_pipe_end.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "sdk/remote/wire/frame.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

// Both ends of a pipe, each opened anew as the worker opens those that it was started with.
class OwnPipe {
 public:
  OwnPipe() {
    EXPECT_EQ(pipe2(given_, O_CLOEXEC), 0);
    reader_ = OpenOwnPipeEnd(given_[0], O_RDONLY);
    writer_ = OpenOwnPipeEnd(given_[1], O_WRONLY);
  }
  ~OwnPipe() {
    for (const int fd : {given_[0], given_[1], reader_, writer_}) {
      if (fd >= 0) close(fd);
    }
  }
  int given_reader() const { return given_[0]; }
  int given_writer() const { return given_[1]; }
  int reader() const { return reader_; }
  int writer() const { return writer_; }

 private:
  int given_[2];
  int reader_ = -1;
  int writer_ = -1;
};

bool NeverBlocks(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

TEST(OwnPipeEndTest, NeverBlocksAndLeavesTheGivenOneAsItIs) {
  const OwnPipe pipe;
  EXPECT_TRUE(NeverBlocks(pipe.reader()));
  EXPECT_TRUE(NeverBlocks(pipe.writer()));
  EXPECT_FALSE(NeverBlocks(pipe.given_reader()));
  EXPECT_FALSE(NeverBlocks(pipe.given_writer()));
  EXPECT_GE(fcntl(pipe.writer(), F_GETPIPE_SZ), 1 << 20);
}

TEST(OwnPipeEndTest, OfASocketIsACopy) {
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  const int own = OpenOwnPipeEnd(pair[0], O_RDONLY);
  EXPECT_GT(own, 2);
  EXPECT_FALSE(NeverBlocks(own));
  for (const int fd : {pair[0], pair[1], own}) close(fd);
}

TEST(OwnPipeEndTest, LongMessagesPass) {
  const OwnPipe pipe;
  const Frame sent{.kind = MessageKind::kAnswer, .payload = std::vector<uint8_t>(5'000'000, 7)};
  std::thread writer([&] { EXPECT_TRUE(SendFrame(pipe.writer(), sent, milliseconds(2000))); });
  const auto received = ReceiveFrame(pipe.reader(), milliseconds(2000));
  writer.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->payload, sent.payload);
  // One that nobody takes.
  EXPECT_FALSE(SendFrame(pipe.writer(), sent, milliseconds(20)));
}

}  // namespace
}  // namespace npukit::remote

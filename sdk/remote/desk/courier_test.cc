// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/courier.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "sdk/remote/wire/frame.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

double ProcessorSecondsOf(std::thread& thread) {
  clockid_t clock;
  timespec time = {};
  EXPECT_EQ(pthread_getcpuclockid(thread.native_handle(), &clock), 0);
  EXPECT_EQ(clock_gettime(clock, &time), 0);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// A link that ended while the device takes nothing has to wait, as what it has sent is not read; and
// so has the courier, instead of looking again and again.
TEST(CourierTest, WaitsForADeviceThatTakesNothing) {
  int control[2];
  int device[2];
  int link[2];
  for (int* const pair : {control, device, link})
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  std::thread courier([&] { RunCourier(control[1], device[1]); });
  ASSERT_TRUE(HandToCourier(control[0], link[1]));
  close(link[1]);
  // Until the courier reads no more of them.
  const Frame frame{.kind = MessageKind::kCall, .payload = std::vector<uint8_t>(4 << 20)};
  size_t num_sent = 0;
  while (SendFrame(link[0], frame, milliseconds(300))) ++num_sent;
  EXPECT_GE(num_sent, 4U);
  EXPECT_LT(num_sent, 8U);
  close(link[0]);
  std::this_thread::sleep_for(milliseconds(100));
  const double before = ProcessorSecondsOf(courier);
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_LT(ProcessorSecondsOf(courier) - before, 0.1);
  // Once it takes something, all that was whole arrives, and the end of the channel.
  for (size_t i = 0; i <= num_sent; ++i) {
    const auto came = ReceiveFrame(device[0], std::chrono::seconds(10));
    ASSERT_TRUE(came) << came.Error().Message();
    EXPECT_EQ(came->kind, i < num_sent ? MessageKind::kCall : MessageKind::kClose);
    EXPECT_EQ(came->channel, 1);
  }
  close(control[0]);
  courier.join();
  for (const int fd : {control[1], device[0], device[1]}) close(fd);
}

}  // namespace
}  // namespace npukit::remote

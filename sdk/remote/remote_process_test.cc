// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The worker and its libraries' processes, of which one does wrong: the others go on.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

LibraryFile Variant(const std::string& name) {
  return ReadLibrary(NPUKIT_BUILD_DIR "/test_plugins/dispatch/" + name +
                     "/libLiteRtDispatch_TestDevice.so");
}

// A desk by hand, with a channel for each of several libraries.
class ProcessTest : public testing::Test {
 protected:
  void SetUp() override { fd_ = worker_.TakeFd(); }
  void TearDown() override { close(fd_); }

  // Has the library's process started, and waits for nothing.
  void SendOpen(uint16_t channel, const LibraryFile& file, MessageKind kind = MessageKind::kOpen) {
    ByteWriter piece;
    piece.PutText(file.digest);
    piece.Put(static_cast<uint64_t>(file.bytes.size()));
    piece.Put(uint64_t{0});
    piece.PutBytes(file.bytes);
    Send(channel, MessageKind::kPutFile, piece.Take());
    ByteWriter open;
    open.PutText(file.digest);
    open.PutText(file.name);
    Send(channel, kind, open.Take());
  }
  void Send(uint16_t channel, MessageKind kind, std::vector<uint8_t> payload) {
    EXPECT_TRUE(SendFrame(
        fd_,
        {.kind = kind, .number = ++last_number_, .channel = channel, .payload = std::move(payload)},
        seconds(10)));
  }
  // The first answer of that kind on that channel; others are passed over. Of no kind: none comes in time.
  Frame Await(uint16_t channel, MessageKind kind, milliseconds within = seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + within;
    while (std::chrono::steady_clock::now() < end) {
      auto frame = ReceiveFrame(fd_, within);
      if (!frame) break;
      if (frame->channel == channel && frame->kind == kind) return std::move(*frame);
    }
    ADD_FAILURE() << "no message of kind " << static_cast<int>(kind) << " on channel " << channel;
    return {};
  }

  WorkerProcess worker_;
  int fd_ = -1;
  uint64_t last_number_ = 0;
};

TEST_F(ProcessTest, HalfAMessageOfALibraryKeepsNobodyWaiting) {
  SendOpen(1, Variant("half_a_message"));
  // It has written it by then.
  Await(1, MessageKind::kWorking);
  Await(1, MessageKind::kWorking);
  SendOpen(2, TestLibrary());
  Await(2, MessageKind::kOpened);
  Await(1, MessageKind::kWorking);
}

// It ended by itself, whatever it was about to say.
TEST_F(ProcessTest, ALibraryThatEndsWithinAMessageEndsByItsOwnSignal) {
  SendOpen(1, Variant("half_a_message_and_dies"));
  const auto end = ParseHowItEnded(Await(1, MessageKind::kDied).payload);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGABRT);
  EXPECT_EQ(end->detail, "");
}

TEST_F(ProcessTest, CallsOfAnyThreadFindThePluginThatIsBeingOpened) {
  SendOpen(
      1,
      ReadLibrary(NPUKIT_BUILD_DIR "/test_plugins/takes_add/libLiteRtCompilerPlugin_takes_add.so"),
      MessageKind::kOpenPlugin);
  Send(1, MessageKind::kPluginCall,
       Encode(PluginCall{.function = PluginFunction::kCreate, .thread = 1}));
  // In either order.
  std::vector<MessageKind> kinds;
  while (kinds.size() < 2) {
    const auto frame = ReceiveFrame(fd_, seconds(10));
    ASSERT_TRUE(frame) << frame.Error().Message();
    if (frame->kind != MessageKind::kWorking && frame->kind != MessageKind::kYes)
      kinds.push_back(frame->kind);
  }
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, std::vector({MessageKind::kPluginOpened, MessageKind::kPluginAnswer}));
}

// The opening is one thread's, the calls behind it may be another's.
TEST(ProcessLinkTest, CallsOfAnyThreadFindTheLibraryThatIsBeingOpened) {
  WorkerProcess worker;
  const int fd = worker.TakeFd();
  auto link = Link::Adopt(fd, fd);
  ASSERT_TRUE(link) << link.Error().Message();
  const LibraryFile file = Variant("slow_init");
  LinkTrouble trouble;
  ASSERT_TRUE((*link)->SendFile(file.digest, file.bytes, trouble));
  for (uint16_t thread = 0; thread < 3; ++thread) {
    uint64_t opening = 0;
    uint64_t calling = 0;
    ASSERT_TRUE((*link)->SendOpen(file.digest, file.name, opening, trouble));
    ASSERT_TRUE((*link)->SendCalls(
        {{.function = DispatchFunction::kDeviceCreate, .thread = thread}}, calling, trouble));
    LibraryFacts facts;
    ASSERT_TRUE((*link)->ReceiveOpened(opening, facts, trouble)) << trouble.what;
    std::vector<DispatchAnswer> answers;
    ASSERT_TRUE((*link)->ReceiveAnswers(calling, 1, answers, trouble)) << trouble.what;
    EXPECT_EQ(answers[0].status, kLiteRtStatusOk);
  }
  link->reset();
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How messages pass through sockets: in few steps, in any pieces, waiting for nobody.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_assembler.h"
#include "sdk/remote/wire/outgoing_frames.h"

namespace npukit::remote {
namespace {

Frame LongFrame(size_t num_bytes, uint64_t number) {
  std::vector<uint8_t> payload(num_bytes);
  std::iota(payload.begin(), payload.end(), static_cast<uint8_t>(number));
  return {.kind = MessageKind::kAnswer, .number = number, .payload = std::move(payload)};
}

// Messages of these lengths, one after the other, read by `assembler` from a socket.
std::vector<Frame> PassThrough(const std::vector<size_t>& lengths, FrameAssembler& assembler) {
  int pair[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  OutgoingFrames going;
  for (const size_t length : lengths) going.Put(LongFrame(length, going.waiting_bytes()));
  std::vector<std::vector<uint8_t>> spare;
  std::vector<Frame> came;
  while (came.size() < lengths.size()) {
    EXPECT_TRUE(going.Write(pair[0], spare));
    const std::span<uint8_t> room = assembler.Room();
    const ssize_t got = recv(pair[1], room.data(), room.size(), MSG_DONTWAIT);
    if (got <= 0) break;
    assembler.Came(static_cast<size_t>(got));
    for (;;) {
      auto next = assembler.Next();
      EXPECT_TRUE(next);
      if (!next || !*next) break;
      came.push_back(std::move(**next));
    }
  }
  EXPECT_EQ(going.waiting_bytes(), 0U);
  EXPECT_FALSE(assembler.is_within_message());
  // Long ones only.
  EXPECT_EQ(spare.size(), static_cast<size_t>(std::count_if(lengths.begin(), lengths.end(),
                                                            [](size_t n) { return n >= 65'536; })));
  close(pair[0]);
  close(pair[1]);
  return came;
}

TEST(OutgoingFramesTest, AnyLengthsArriveInOrder) {
  const std::vector<size_t> lengths = {0, 1, 3'000'000, 65'536, 0, 70'000, 10, 2'500'000, 65'535};
  FrameAssembler assembler;
  const std::vector<Frame> came = PassThrough(lengths, assembler);
  ASSERT_EQ(came.size(), lengths.size());
  size_t before = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_EQ(came[i].payload, LongFrame(lengths[i], before).payload) << i;
    before += kFrameHeaderBytes + lengths[i];
  }
}

TEST(OutgoingFramesTest, AnEndedSocketIsSeen) {
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  close(pair[1]);
  OutgoingFrames going;
  going.Put(LongFrame(10, 0));
  std::vector<std::vector<uint8_t>> spare;
  EXPECT_FALSE(going.Write(pair[0], spare));
  close(pair[0]);
}

// Memory of one that is done with holds a later one, if that is not much shorter.
TEST(FrameAssemblerTest, ReusesMemory) {
  FrameAssembler assembler;
  std::vector<uint8_t> memory;
  memory.reserve(200'000);
  const uint8_t* const place = memory.data();
  assembler.Reuse(std::move(memory));
  ASSERT_TRUE(assembler.has_spare());
  assembler.Add(EncodeFrame(LongFrame(10, 1)));
  auto is_short = assembler.Next();
  ASSERT_TRUE(is_short && *is_short);
  EXPECT_NE((*is_short)->payload.data(), place);
  assembler.Add(EncodeFrame(LongFrame(150'000, 2)));
  auto is_long = assembler.Next();
  ASSERT_TRUE(is_long && *is_long);
  EXPECT_EQ((*is_long)->payload.data(), place);
  EXPECT_EQ((*is_long)->payload, LongFrame(150'000, 2).payload);
}

}  // namespace
}  // namespace npukit::remote

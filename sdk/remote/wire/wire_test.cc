// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "litert/c/litert_any.h"
#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_assembler.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// FIPS 180-4's examples, and one of each number of blocks' ends.
TEST(DigestTest, OfKnownTexts) {
  const std::pair<std::string, std::string> kCases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [text, digest] : kCases) EXPECT_EQ(Digest(BytesOf(text)), digest);
  EXPECT_TRUE(IsDigest(kCases[0].second));
  EXPECT_FALSE(IsDigest(kCases[0].second.substr(1)));
  EXPECT_FALSE(IsDigest("../" + kCases[0].second.substr(3)));
}

class Pair {
 public:
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds_), 0); }
  ~Pair() {
    CloseWriter();
    close(fds_[0]);
  }
  int reader() const { return fds_[0]; }
  int writer() const { return fds_[1]; }
  void CloseWriter() {
    if (fds_[1] >= 0) close(fds_[1]);
    fds_[1] = -1;
  }

 private:
  int fds_[2];
};

// What ReceiveFrame says of these bytes and then the end.
std::string ReceivedFrom(std::span<const uint8_t> bytes) {
  Pair pair;
  EXPECT_EQ(write(pair.writer(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  pair.CloseWriter();
  const auto frame = ReceiveFrame(pair.reader(), milliseconds(200));
  return frame ? "a message" : frame.Error().Message();
}

const Frame kFrame = {.kind = MessageKind::kCall, .number = 7, .payload = {1, 2, 3}};

TEST(FrameTest, ArrivesAsItWasSent) {
  Pair pair;
  ASSERT_TRUE(SendFrame(pair.writer(), kFrame, milliseconds(200)));
  const auto received = ReceiveFrame(pair.reader(), milliseconds(200));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->kind, kFrame.kind);
  EXPECT_EQ(received->number, kFrame.number);
  EXPECT_EQ(received->payload, kFrame.payload);
}

// Bytes in pieces of any size, and messages one after the other.
TEST(FrameTest, AssemblesWhatComesInPieces) {
  const Frame other{.kind = MessageKind::kClose, .number = 8, .channel = 300};
  std::vector<uint8_t> bytes = EncodeFrame(kFrame);
  const std::vector<uint8_t> more = EncodeFrame(other);
  bytes.insert(bytes.end(), more.begin(), more.end());
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    FrameAssembler assembler;
    std::vector<Frame> found;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      assembler.Add(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
      for (;;) {
        auto next = assembler.Next();
        ASSERT_TRUE(next) << next.Error().Message();
        if (!*next) break;
        found.push_back(std::move(**next));
      }
    }
    ASSERT_EQ(found.size(), 2U) << piece;
    EXPECT_EQ(found[0].payload, kFrame.payload);
    EXPECT_EQ(found[1].channel, 300);
    EXPECT_EQ(found[1].kind, MessageKind::kClose);
  }
  FrameAssembler assembler;
  bytes[25] ^= 1;
  assembler.Add(bytes);
  EXPECT_FALSE(assembler.Next());
}

TEST(FrameTest, LongOnesPassWhileTheyAreRead) {
  Pair pair;
  const Frame sent{
      .kind = MessageKind::kAnswer, .number = 1, .payload = std::vector<uint8_t>(5'000'000, 9)};
  std::thread writer([&] { EXPECT_TRUE(SendFrame(pair.writer(), sent, milliseconds(2000))); });
  const auto received = ReceiveFrame(pair.reader(), milliseconds(2000));
  writer.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->payload, sent.payload);
}

TEST(FrameTest, EveryFlippedBitIsSeen) {
  const std::vector<uint8_t> good = EncodeFrame(kFrame);
  EXPECT_EQ(ReceivedFrom(good), "a message");
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::vector<uint8_t> bad = good;
    bad[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_NE(ReceivedFrom(bad), "a message") << "bit " << bit;
  }
}

TEST(FrameTest, EveryTruncationIsSeen) {
  const std::vector<uint8_t> good = EncodeFrame(kFrame);
  EXPECT_EQ(ReceivedFrom({}), "the connection ended");
  for (size_t size = 1; size < good.size(); ++size)
    EXPECT_NE(ReceivedFrom(std::span(good).first(size)), "a message") << size;
}

TEST(FrameTest, TooLongIsRefusedOnBothSides) {
  std::vector<uint8_t> bytes = EncodeFrame(kFrame);
  const uint32_t size = kMaxPayloadBytes + 1;
  std::memcpy(bytes.data() + 16, &size, sizeof size);
  EXPECT_NE(ReceivedFrom(bytes).find("more than the"), std::string::npos);
  Pair pair;
  const Frame large{.payload = std::vector<uint8_t>(size)};
  EXPECT_FALSE(SendFrame(pair.writer(), large, milliseconds(200)));
}

TEST(FrameTest, SilenceIsAnError) {
  Pair pair;
  const auto received = ReceiveFrame(pair.reader(), milliseconds(20));
  ASSERT_FALSE(received);
  EXPECT_EQ(received.Error().Message(), "nothing came for 20 ms");
  const Frame large{.payload = std::vector<uint8_t>(5'000'000)};
  EXPECT_FALSE(SendFrame(pair.writer(), large, milliseconds(20)));
}

DispatchCall SomeCall() {
  DispatchCall call{.function = DispatchFunction::kInvoke,
                    .thread = 5,
                    .nulls = kNullType,
                    .object = 3,
                    .handle = 4,
                    .size_bytes = 5,
                    .made = kFirstDeskNumber + 6,
                    .index = -6,
                    .numbers = {7, -8, 9},
                    .digest = "d",
                    .texts = {"a", std::string("b\0c", 3)},
                    .bytes = {1, 2},
                    .buffers = {{10, {11, 12}}, {13, {}}},
                    .states = {{10, -1, 0}, {13, 2, 99}},
                    .dropped_events = {98}};
  call.type.element_type = kLiteRtElementTypeInt8;
  call.type.layout.rank = 2;
  call.type.layout.dimensions[1] = -1;
  call.type.layout.has_strides = true;
  call.type.layout.strides[0] = 77;
  return call;
}

DispatchAnswer SomeAnswer() {
  return {.status = kLiteRtStatusErrorNotFound,
          .is_null = true,
          .object = 2,
          .handle = 3,
          .objects = {4, 0, 5},
          .requirements = {{1, 2}, 64, 128, {4, 1}},
          .buffers = {{5, {6}}},
          .metrics = {{"cycles", true, kLiteRtAnyTypeInt, 9, 0, ""},
                      {"", false, kLiteRtAnyTypeReal, 0, 0.5, "t"}},
          .status_past_end = kLiteRtStatusErrorIndexOOB,
          .events = {{1, "matrix", 2, 3}},
          .text = "why"};
}

PluginCall SomePluginCall() {
  return {.function = PluginFunction::kSetCompileSpecs,
          .thread = 5,
          .nulls = kNullSoc,
          .object = 3,
          .index = ~uint64_t{0},
          .other = 4,
          .numbers = {7, -8, 9},
          .soc = "s",
          .digest = "d",
          .model = {1, 2},
          .specs = {{"key", {0, 1}}, {"", {}}}};
}

PluginAnswer SomePluginAnswer() {
  return {.status = kLiteRtStatusErrorCompilation,
          .is_null = true,
          .object = 2,
          .number = 3,
          .numbers = {4, -5, 6},
          .text = "t",
          .bytes = {7, 8},
          .selection = {{9, 10}, {RemoteSelectedOp::kNullOp, 0}},
          .ops = {11},
          .texts = {"why", ""},
          .transformations = {{true, true, "fuse", 12}, {}},
          .origins = {{{13, 14}, {}}, {}},
          .constants = {{15, 16, 17, 18}}};
}

// Several of each, the last of which are filled.
std::vector<DispatchCall> SomeCalls() {
  return {{.function = DispatchFunction::kDeviceCreate, .thread = 5}, SomeCall()};
}
std::vector<DispatchAnswer> SomeAnswers() { return {{.object = 1}, SomeAnswer()}; }

// Equal bytes mean equal fields, since every field is in them.
TEST(DispatchCallTest, CallsAndAnswersComeBack) {
  const auto calls = ParseDispatchCalls(Encode(SomeCalls()));
  ASSERT_TRUE(calls);
  EXPECT_EQ(Encode(*calls), Encode(SomeCalls()));
  ASSERT_EQ(calls->size(), 2U);
  const DispatchCall& call = calls->back();
  EXPECT_EQ(call.texts, SomeCall().texts);
  EXPECT_EQ(call.made, SomeCall().made);
  EXPECT_EQ(call.type.layout.strides[0], 77U);
  EXPECT_EQ(call.buffers[0].bytes, SomeCall().buffers[0].bytes);
  const auto answers = ParseDispatchAnswers(Encode(SomeAnswers()));
  ASSERT_TRUE(answers);
  EXPECT_EQ(Encode(*answers), Encode(SomeAnswers()));
  ASSERT_EQ(answers->size(), 2U);
  EXPECT_EQ(answers->back().metrics[1].real, 0.5);
  EXPECT_EQ(answers->back().events[0].unit, "matrix");
}

TEST(DispatchCallTest, AMessageHasCallsOfOneThread) {
  EXPECT_FALSE(ParseDispatchCalls(Encode(std::vector<DispatchCall>())));
  EXPECT_FALSE(ParseDispatchAnswers(Encode(std::vector<DispatchAnswer>())));
  std::vector<DispatchCall> calls = SomeCalls();
  calls[0].thread = 4;
  EXPECT_FALSE(ParseDispatchCalls(Encode(calls)));
  calls.assign(kMaxCallsOfMessage, {.function = DispatchFunction::kInitialize});
  EXPECT_TRUE(ParseDispatchCalls(Encode(calls)));
  calls.push_back(calls.back());
  EXPECT_FALSE(ParseDispatchCalls(Encode(calls)));
  EXPECT_FALSE(ParseDispatchAnswers(Encode(std::vector<DispatchAnswer>(kMaxCallsOfMessage + 1))));
}

TEST(PluginCallTest, CallAnswerAndFactsComeBack) {
  const auto call = ParsePluginCall(Encode(SomePluginCall()));
  ASSERT_TRUE(call);
  EXPECT_EQ(Encode(*call), Encode(SomePluginCall()));
  EXPECT_EQ(call->index, ~uint64_t{0});
  EXPECT_EQ(call->specs[0].bytes, SomePluginCall().specs[0].bytes);
  const auto answer = ParsePluginAnswer(Encode(SomePluginAnswer()));
  ASSERT_TRUE(answer);
  EXPECT_EQ(Encode(*answer), Encode(SomePluginAnswer()));
  EXPECT_EQ(answer->selection[1].op, RemoteSelectedOp::kNullOp);
  EXPECT_EQ(answer->transformations[0].benefit, 12U);
  EXPECT_EQ(answer->origins, SomePluginAnswer().origins);
  EXPECT_EQ(answer->constants[0].sent_tensor, 18U);
  const auto facts = ParsePluginFacts(Encode(PluginFacts{"LiteRT 2.2.0", {"X", "Y"}}));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->generation, "LiteRT 2.2.0");
  EXPECT_EQ(facts->exports, std::vector<std::string>({"X", "Y"}));
}

TEST(PluginCallTest, NothingShorterOrLongerIsRead) {
  const auto is_read = [](std::span<const uint8_t> bytes, int kind) {
    if (kind == 0) return ParsePluginCall(bytes).HasValue();
    return kind == 1 ? ParsePluginAnswer(bytes).HasValue() : ParsePluginFacts(bytes).HasValue();
  };
  const std::vector<uint8_t> kGood[] = {Encode(SomePluginCall()), Encode(SomePluginAnswer()),
                                        Encode(PluginFacts{"g", {"X"}})};
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<uint8_t> bytes = kGood[kind];
    EXPECT_TRUE(is_read(bytes, kind));
    for (size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(is_read(std::span(bytes).first(size), kind));
    bytes.push_back(0);
    EXPECT_FALSE(is_read(bytes, kind));
  }
  PluginCall wrong = SomePluginCall();
  wrong.function = PluginFunction::kEnd;
  EXPECT_FALSE(ParsePluginCall(Encode(wrong)));
  wrong = SomePluginCall();
  wrong.thread = kMaxThreads;
  EXPECT_FALSE(ParsePluginCall(Encode(wrong)));
}

TEST(DispatchCallTest, NothingShorterOrLongerIsRead) {
  for (std::vector<uint8_t> bytes : {Encode(SomeCalls()), Encode(SomeAnswers())}) {
    const bool is_call = ParseDispatchCalls(bytes).HasValue();
    for (size_t size = 0; size < bytes.size(); ++size) {
      const auto cut = std::span(bytes).first(size);
      EXPECT_FALSE(is_call ? ParseDispatchCalls(cut).HasValue()
                           : ParseDispatchAnswers(cut).HasValue());
    }
    bytes.push_back(0);
    EXPECT_FALSE(ParseDispatchCalls(bytes));
    EXPECT_FALSE(ParseDispatchAnswers(bytes));
  }
}

// Numbers that say how much follows are the ones to lie with.
TEST(DispatchCallTest, RandomChangesEndWell) {
  std::mt19937 random(1);
  for (const std::vector<uint8_t>& good : {Encode(SomeCalls()), Encode(SomeAnswers()),
                                           Encode(SomePluginCall()), Encode(SomePluginAnswer())}) {
    for (int i = 0; i < 20'000; ++i) {
      std::vector<uint8_t> bytes = good;
      for (int change = 0; change < 3; ++change)
        bytes[random() % bytes.size()] = random() % 2 == 0 ? 0xff : static_cast<uint8_t>(random());
      (void)ParseDispatchCalls(bytes);
      (void)ParseDispatchAnswers(bytes);
      (void)ParseDeviceFacts(bytes);
      (void)ParseLibraryFacts(bytes);
      (void)ParseHowItEnded(bytes);
      (void)ParsePluginCall(bytes);
      (void)ParsePluginAnswer(bytes);
      (void)ParsePluginFacts(bytes);
    }
  }
}

TEST(FactsTest, ComeBack) {
  const auto device = ParseDeviceFacts(Encode(DeviceFacts{.protocol_version = kProtocolVersion,
                                                          .worker_version = "0.1.0",
                                                          .machine = "aarch64",
                                                          .kernel = "Linux 6.1",
                                                          .host_name = "board",
                                                          .processors = 4,
                                                          .memory_bytes = 1 << 20,
                                                          .libraries = {"/lib/libc.so.6"}}));
  ASSERT_TRUE(device);
  EXPECT_EQ(device->machine, "aarch64");
  EXPECT_EQ(device->memory_bytes, 1U << 20);
  const auto library =
      ParseLibraryFacts(Encode(LibraryFacts{"V", "B", 1, "LiteRT 2.2.0", true, 3, 7, {"X"}}));
  ASSERT_TRUE(library);
  EXPECT_EQ(library->async_functions, 3U);
  EXPECT_EQ(library->graph_functions, 7U);
  EXPECT_EQ(library->exports, std::vector<std::string>({"X"}));
  const auto end = ParseHowItEnded(Encode(HowItEnded{11, 0, ""}));
  ASSERT_TRUE(end);
  EXPECT_EQ(Describe(*end), "crashed with signal 11 (Segmentation fault)");
}

TEST(FactsTest, AnotherVersionIsNamed) {
  const auto device = ParseDeviceFacts(Encode(DeviceFacts{.protocol_version = 99}));
  ASSERT_FALSE(device);
  EXPECT_EQ(device.Error().Status(), kLiteRtStatusErrorWrongVersion);
  EXPECT_NE(device.Error().Message().find("version 99"), std::string::npos);
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls that do not wait for answers that are expected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sdk/remote/desk/dispatch/expected_answers.h"
#include "sdk/remote/testing/host_run.h"

namespace npukit::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RemoteAheadTest : public testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
    LinkTrouble trouble;
    ASSERT_TRUE(link_->SendFile(TestLibrary().digest, TestLibrary().bytes, trouble));
    ASSERT_TRUE(link_->Open(TestLibrary().digest, TestLibrary().name, facts_, trouble));
  }
  void TearDown() override {
    UninstallRemoteLibrary();
    link_.reset();
  }
  std::string Install() {
    const auto path = InstallRemoteLibrary(
        *link_, TestLibrary(), {},
        Expectation{
            .facts = facts_,
            .of_others = of_others_,
            .on_surprise = [this](const std::string& where) { surprises_.push_back(where); }});
    EXPECT_TRUE(path);
    return path ? *path : std::string();
  }

  WorkerProcess worker_;
  std::unique_ptr<Link> link_;
  LibraryFacts facts_;
  std::shared_ptr<SharedAnswers> of_others_;
  std::vector<std::string> surprises_;
};

TEST_F(RemoteAheadTest, ValuesAreTheSame) {
  const std::string path = Install();
  for (int time = 0; time < 3; ++time) {
    const HostRun run = RunOnHost(path, kProgram);
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.output, kSum);
  }
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_THAT(surprises_, IsEmpty());
  EXPECT_EQ(RemoteTrouble(), "");
}

// A question that was answered once is not waited for again.
TEST_F(RemoteAheadTest, WhatIsKnownTakesOneMessage) {
  const std::string path = Install();
  const uint64_t start = link_->round_trips();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  const uint64_t first = link_->round_trips();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  const uint64_t second = link_->round_trips();
  EXPECT_LE(first - start, 3U);  // the library is opened, a port is asked for, it runs
  EXPECT_EQ(second, first);      // the same values are the same sum
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_EQ(link_->round_trips(), second + 1);
  EXPECT_THAT(surprises_, IsEmpty());
}

// What one process was told another one expects.
TEST_F(RemoteAheadTest, WhatOthersKnowIsNotWaitedFor) {
  of_others_ = SharedAnswers::Create();
  ASSERT_NE(of_others_, nullptr);
  EXPECT_EQ(RunOnHost(Install(), kProgram).output, kSum);
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  const std::string path = Install();
  const uint64_t start = link_->round_trips();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_LE(link_->round_trips() - start, 2U);  // it is opened, and all the rest is one message
  EXPECT_THAT(surprises_, IsEmpty());
}

// Of a measured run: the library is opened, asked for a port and told to measure, then it runs and says what that took.
TEST_F(RemoteAheadTest, MetricsComeWithTheRun) {
  const std::string path = Install();
  const uint64_t start = link_->round_trips();
  uint64_t before = 0;
  const auto metrics = MeasureOnHost(path, [&](const DispatchInvocation& invocation) {
    before = link_->round_trips();
    return invocation.Invoke();
  });
  ASSERT_TRUE(metrics) << metrics.Error().Message();
  EXPECT_FALSE(metrics->empty());
  EXPECT_LE(before - start, 3U);
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_EQ(link_->round_trips(), before + 2);  // the run; then what ends all
  EXPECT_THAT(surprises_, IsEmpty());
}

// The library was asked after the first of two runs: what it would have said after both is not known.
TEST_F(RemoteAheadTest, MetricsOfSeveralRunsAreASurprise) {
  const auto metrics =
      MeasureOnHost(Install(), [&](const DispatchInvocation& invocation) -> litert::Expected<void> {
        LITERT_RETURN_IF_ERROR(invocation.Invoke());
        return invocation.Invoke();
      });
  EXPECT_FALSE(metrics);
  EXPECT_THAT(surprises_, ElementsAre("invoke"));
}

LiteRtRankedTensorType Floats(int32_t num_elems) {
  LiteRtRankedTensorType type = FloatType();
  type.layout.dimensions[0] = num_elems;
  return type;
}

Requirements RequirementsOf(uint64_t size_bytes) {
  return {.buffer_types = {kLiteRtTensorBufferTypeHostMemory},
          .size_bytes = size_bytes,
          .alignment_bytes = 64,
          .strides_elems = {}};
}

TEST(PlainRequirementsTest, OfOneTensorTellThoseOfAnother) {
  const auto shared = SharedAnswers::Create();
  PlainRequirements one(shared);
  EXPECT_FALSE(one.Of(Floats(3)));
  one.Note(Floats(5), RequirementsOf(64));  // padded
  EXPECT_FALSE(one.Of(Floats(3)));
  one.Note(Floats(5), RequirementsOf(20));
  PlainRequirements other(shared);
  for (PlainRequirements* requirements : {&one, &other}) {
    const auto expected = requirements->Of(Floats(3));
    ASSERT_TRUE(expected);
    EXPECT_EQ(expected->size_bytes, 12U);
    EXPECT_EQ(expected->alignment_bytes, 64U);
    EXPECT_THAT(expected->buffer_types, ElementsAre(kLiteRtTensorBufferTypeHostMemory));
    EXPECT_FALSE(requirements->Of(Floats(0)));
    EXPECT_FALSE(requirements->Of(Floats(-1)));
  }
}

TEST(PlainRequirementsTest, AreNotForeseenAfterMistakes) {
  const auto shared = SharedAnswers::Create();
  PlainRequirements one(shared);
  PlainRequirements other(shared);
  one.Note(Floats(5), RequirementsOf(20));
  for (int i = 0; i < PlainRequirements::kMostMistakes; ++i) {
    EXPECT_TRUE(one.Of(Floats(3))) << i;
    (i % 2 == 0 ? one : other).NoteMistake();
  }
  EXPECT_FALSE(one.Of(Floats(3)));
  EXPECT_FALSE(other.Of(Floats(3)));
}

// A wrong expectation is not told to others as if the library had said so.
TEST(PlainRequirementsTest, WhatWasForeseenIsCompared) {
  const auto shared = SharedAnswers::Create();
  const auto ask = [](ExpectedAnswers& expected) {
    DispatchCall device{.function = DispatchFunction::kDeviceCreate};
    const uint64_t number = expected.Of(device)->object;
    DispatchCall create{
        .function = DispatchFunction::kInvocationCreate, .object = number, .numbers = {2, 1, 0}};
    return DispatchCall{.function = DispatchFunction::kInputRequirements,
                        .object = expected.Of(create)->object,
                        .type = Floats(5)};
  };
  ExpectedAnswers first(shared);
  DispatchCall call = ask(first);
  EXPECT_FALSE(first.Of(call));
  DispatchAnswer plain;
  plain.requirements = RequirementsOf(20);
  first.Note(call, plain);
  ExpectedAnswers second(shared);
  call = ask(second);
  call.index = 1;
  const auto foreseen = second.Of(call);
  ASSERT_TRUE(foreseen);
  EXPECT_TRUE(second.IsMet(call, *foreseen, plain));
  DispatchAnswer padded;
  padded.requirements = RequirementsOf(64);
  EXPECT_FALSE(second.IsMet(call, *foreseen, padded));
  call.index = 2;
  EXPECT_FALSE(second.Of(call));  // there are two inputs
  ExpectedAnswers third(shared);
  call = ask(third);
  call.index = 1;
  third.Note(call, padded);
  EXPECT_EQ(third.Of(call)->requirements.size_bytes, 64U);
}

// What stands there is compared as any other expectation: here other values than those of the library.
TEST_F(RemoteAheadTest, WhatOthersKnowMayBeWrong) {
  EXPECT_EQ(RunOnHost(Install(), kProgram).output, kSum);
  of_others_ = SharedAnswers::Create();
  ExpectedAnswers liar(of_others_);
  std::vector<DispatchCall> calls = {
      {.function = DispatchFunction::kDeviceCreate},
      {.function = DispatchFunction::kSetCompileSpecs, .texts = {"key", "value"}}};
  calls[1].object = liar.Of(calls[0])->object;
  EXPECT_FALSE(liar.Of(calls[1]));
  liar.Note(calls[1], {});
  EXPECT_TRUE(liar.Of(calls[1]));
  ExpectedAnswers other(of_others_);
  calls[1].object = other.Of(calls[0])->object;
  const auto expected = other.Of(calls[1]);
  ASSERT_TRUE(expected);
  EXPECT_FALSE(other.IsMet(calls[1], *expected, {.status = kLiteRtStatusErrorUnsupported}));
}

TEST(SharedAnswersTest, TheFirstAnswerStaysInAllProcesses) {
  const auto shared = SharedAnswers::Create();
  ASSERT_NE(shared, nullptr);
  EXPECT_FALSE(shared->Find(7));
  const std::vector<uint8_t> first = {1, 2, 3};
  const pid_t child = fork();
  if (child == 0) {
    shared->Note(7, first);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(shared->Find(7), first);
  shared->Note(7, std::vector<uint8_t>{4});
  EXPECT_EQ(shared->Find(7), first);
  // One that is too long, that has no question, or for which there is no room is not kept.
  shared->Note(8, std::vector<uint8_t>(SharedAnswers::kMaxBytesOfAnswer + 1));
  EXPECT_FALSE(shared->Find(8));
  shared->Note(0, first);
  EXPECT_FALSE(shared->Find(0));
  const std::vector<uint8_t> large(SharedAnswers::kMaxBytesOfAnswer, 9);
  size_t kept = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    shared->Note(1000 + i, large);
    kept += shared->Find(1000 + i) == large ? 1 : 0;
  }
  EXPECT_GT(kept, 500U);
  EXPECT_LT(kept, 1000U);
  EXPECT_EQ(shared->Find(7), first);
}

TEST_F(RemoteAheadTest, OtherValuesAreWaitedFor) {
  const std::string path = Install();
  for (const float value : {1.0f, 2.0f, 1.0f, 3.0f, 2.0f, 2.0f}) {
    const HostRun run = RunOnHost(path, kProgram, value);
    EXPECT_EQ(run.output, FloatBytes({value + 10, 22, 33, 44, 55})) << run.error;
  }
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_THAT(surprises_, IsEmpty());
}

TEST_F(RemoteAheadTest, ARefusalIsASurprise) {
  const std::string path = Install();
  EXPECT_NE(RunOnHost(path, "no program").error, "");
  EXPECT_THAT(surprises_, ElementsAre("invocation_context_create"));
}

// What comes after a first one may be damaged.
TEST_F(RemoteAheadTest, OtherBytecodeIsWaitedFor) {
  const std::string path = Install();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  EXPECT_NE(RunOnHost(path, "no program").error, "");
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  EXPECT_EQ(SettleRemoteLibrary(), kLiteRtStatusOk);
  EXPECT_THAT(surprises_, IsEmpty());
}

TEST_F(RemoteAheadTest, AnotherLibraryThanExpectedIsASurprise) {
  facts_.build_id += "x";
  const std::string path = Install();
  EXPECT_NE(RunOnHost(path, kProgram).error, "");
  EXPECT_THAT(surprises_, testing::SizeIs(1));
}

// From the second thread on each call waits.
TEST_F(RemoteAheadTest, ThreadsWaitForEachOther) {
  const std::string path = Install();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  std::vector<std::thread> threads;
  std::vector<HostRun> runs(4);
  for (HostRun& run : runs)
    threads.emplace_back([&run, &path] { run = RunOnHost(path, kProgram); });
  for (std::thread& thread : threads) thread.join();
  for (const HostRun& run : runs) EXPECT_EQ(run.output, kSum) << run.error;
  const uint64_t before = link_->round_trips();
  EXPECT_EQ(RunOnHost(path, kProgram).output, kSum);
  EXPECT_GT(link_->round_trips() - before, 10U);
  EXPECT_THAT(surprises_, IsEmpty());
}

// -- The worker -----------------------------------------------------------------------------------

class CallListTest : public RemoteAheadTest {
 protected:
  // Empty: the worker refused.
  std::vector<DispatchAnswer> Call(const std::vector<DispatchCall>& calls) {
    uint64_t number = 0;
    std::vector<DispatchAnswer> answers;
    LinkTrouble trouble;
    EXPECT_TRUE(link_->SendCalls(calls, number, trouble));
    if (link_->ReceiveAnswers(number, calls.size(), answers, trouble)) return answers;
    EXPECT_EQ(trouble.kind, LinkTrouble::Kind::kRefused) << trouble.what;
    return {};
  }
  static DispatchCall Device(uint64_t number) {
    return {.function = DispatchFunction::kDeviceCreate, .made = number};
  }
};

TEST_F(CallListTest, EndsWithTheFirstThatFails) {
  const uint64_t number = kFirstDeskNumber + 5;
  const DispatchCall bad{.function = DispatchFunction::kUnregister, .object = number, .handle = 77};
  const DispatchCall end{.function = DispatchFunction::kDeviceDestroy, .object = number};
  const auto answers = Call({Device(number), bad, end});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].object, number);
  EXPECT_NE(answers[1].status, kLiteRtStatusOk);
  EXPECT_EQ(Call({end}).size(), 1U);
}

TEST_F(CallListTest, NumbersOfTheDeskGoUp) {
  const uint64_t number = kFirstDeskNumber + 5;
  EXPECT_EQ(Call({Device(number), Device(number + 1)}).size(), 2U);
  EXPECT_THAT(Call({Device(number + 1)}), IsEmpty());
  EXPECT_THAT(Call({Device(number)}), IsEmpty());
  EXPECT_THAT(Call({Device(5)}), IsEmpty());  // the worker's
  EXPECT_EQ(Call({Device(~uint64_t{0})}).size(), 1U);
  EXPECT_THAT(Call({Device(~uint64_t{0})}), IsEmpty());
  EXPECT_FALSE(link_->is_lost());
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/worker_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "conformance/runner/process/stage.h"

namespace npukit::conformance {
namespace {

TEST(WorkerAnswer, IsWhatWasAnswered) {
  const WorkerAnswer bytes = AskWorker([] { return std::string("-3\0+", 4); });
  EXPECT_TRUE(bytes.answered);
  ASSERT_TRUE(bytes.text);
  EXPECT_EQ(*bytes.text, std::string("-3\0+", 4));

  const WorkerAnswer nothing = AskWorker([] { return std::string(); });
  EXPECT_TRUE(nothing.answered);
  ASSERT_TRUE(nothing.text);
  EXPECT_EQ(*nothing.text, "");
}

TEST(WorkerAnswer, KeepsAnErrorsStatusAndText) {
  const WorkerAnswer refused = AskWorker([]() -> litert::Expected<std::string> {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "no such symbol");
  });
  EXPECT_TRUE(refused.answered);
  ASSERT_FALSE(refused.text);
  EXPECT_EQ(refused.text.Error().Status(), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(refused.text.Error().Message(), "no such symbol");
}

TEST(WorkerAnswer, SaysHowAndWhereTheWorkerEnded) {
  struct {
    const char* name;
    void (*end)();
    const char* told;
  } const kEnds[] = {
      {"crash", [] { raise(SIGSEGV); }, "the process crashed with SIGSEGV in dlopen"},
      {"exit", [] { _Exit(0); }, "the process ended early in dlopen"},
      {"hang",
       [] {
         for (;;) pause();
       },
       "the process gave no answer in time in dlopen"},
  };
  ChildLimits limits;
  limits.timeout = std::chrono::milliseconds(200);
  for (const auto& one : kEnds) {
    SCOPED_TRACE(one.name);
    const WorkerAnswer lost = AskWorker(
        [&] {
          SetStage("dlopen");
          one.end();
          return std::string("never said");
        },
        limits);
    EXPECT_FALSE(lost.answered);
    ASSERT_FALSE(lost.text);
    EXPECT_EQ(lost.text.Error().Status(), kLiteRtStatusErrorRuntimeFailure);
    EXPECT_EQ(lost.text.Error().Message(), one.told);
  }
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/litert_macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "litert/cc/internal/litert_logging.h"
#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;

using ::testing::AllOf;
using ::testing::HasSubstr;

Expected<int> Value() { return 3; }
Expected<int> Failure() { return Unexpected(Status::kErrorNotFound, "inner"); }
Expected<std::pair<int, int>> Pair() { return std::pair<int, int>(1, 2); }
Expected<std::unique_ptr<int>> MoveOnly() { return std::make_unique<int>(7); }

// Runs a macro on `expr` in a function that returns `Ret`; success is `ok`.
#define RETURN_IF(Ret, expr, ok)  \
  [&]() -> Ret {                  \
    LITERT_RETURN_IF_ERROR(expr); \
    return ok;                    \
  }()

TEST(ReturnIfErrorTest, ConvertsToAStatus) {
  constexpr auto kOk = kLiteRtStatusOk;
  EXPECT_EQ(RETURN_IF(LiteRtStatus, Value(), kOk), kOk);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, Failure(), kOk), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, Unexpected(Status::kErrorFileIO), kOk),
            kLiteRtStatusErrorFileIO);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, Error(Status::kErrorFileIO), kOk), kLiteRtStatusErrorFileIO);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, kLiteRtStatusErrorFileIO, kOk), kLiteRtStatusErrorFileIO);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, Status::kErrorFileIO, kOk), kLiteRtStatusErrorFileIO);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, kOk, kOk), kOk);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, true, kOk), kOk);
  EXPECT_EQ(RETURN_IF(LiteRtStatus, false, kOk), kLiteRtStatusErrorUnknown);
  const int* null = nullptr;
  EXPECT_EQ(RETURN_IF(LiteRtStatus, null, kOk), kLiteRtStatusErrorUnknown);
}

TEST(ReturnIfErrorTest, ConvertsToAnExpectedWithItsMessage) {
  const Expected<std::string> result = RETURN_IF(Expected<std::string>, Failure(), "ok");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.Error().StatusCC(), Status::kErrorNotFound);
  EXPECT_EQ(result.Error().Message(), "inner");
  EXPECT_EQ(Ok(RETURN_IF(Expected<std::string>, Value(), "ok")), "ok");
}

// Expected<bool> and Expected<LiteRtStatus> must not take the error's status
// for a value.
TEST(ReturnIfErrorTest, NeverTurnsAnErrorIntoAValue) {
  EXPECT_FALSE(RETURN_IF(Expected<bool>, Failure(), true));
  EXPECT_FALSE(RETURN_IF(Expected<int64_t>, Failure(), 3));
  EXPECT_FALSE(RETURN_IF(Expected<LiteRtStatus>, Failure(), kLiteRtStatusOk));
}

TEST(ReturnIfErrorTest, PutsContextBeforeTheMessage) {
  const auto one = []() -> Expected<void> {
    LITERT_RETURN_IF_ERROR(Failure()) << "op " << 3;
    return {};
  };
  const auto two = [&]() -> Expected<int> {
    LITERT_RETURN_IF_ERROR(one()) << "model 'm.tflite'";
    return 1;
  };
  const Expected<int> result = two();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.Error().Message(), "model 'm.tflite': op 3: inner");
  EXPECT_EQ(result.Error().StatusCC(), Status::kErrorNotFound);
}

TEST(ReturnIfErrorTest, TakesAnotherReturnValue) {
  const auto f = [](bool fail) -> int {
    LITERT_RETURN_IF_ERROR(!fail, -1);
    return 1;
  };
  EXPECT_EQ(f(true), -1);
  EXPECT_EQ(f(false), 1);
  const auto g = []() -> Expected<int> {
    LITERT_RETURN_IF_ERROR(Failure(), _ << "with context");
    return 1;
  };
  EXPECT_EQ(Expected<int>(g()).HasValue(), false);
}

TEST(ReturnIfErrorTest, EvaluatesItsArgumentOnce) {
  int calls = 0;
  const auto once = [&] {
    ++calls;
    return kLiteRtStatusOk;
  };
  EXPECT_EQ(RETURN_IF(LiteRtStatus, once(), kLiteRtStatusOk), kLiteRtStatusOk);
  EXPECT_EQ(calls, 1);
}

TEST(ReturnIfErrorTest, IsOneStatement) {
  const auto f = [](bool check) -> LiteRtStatus {
    if (check)
      LITERT_RETURN_IF_ERROR(kLiteRtStatusErrorFileIO);
    else
      return kLiteRtStatusErrorNotFound;
    return kLiteRtStatusOk;
  };
  EXPECT_EQ(f(true), kLiteRtStatusErrorFileIO);
  EXPECT_EQ(f(false), kLiteRtStatusErrorNotFound);
  // Nor does it ask for braces where there is no else.
  const auto g = [](bool check) -> LiteRtStatus {
    if (check) LITERT_RETURN_IF_ERROR(kLiteRtStatusErrorFileIO) << "context";
    return kLiteRtStatusOk;
  };
  EXPECT_EQ(g(true), kLiteRtStatusErrorFileIO);
  EXPECT_EQ(g(false), kLiteRtStatusOk);
}

TEST(AssignOrReturnTest, AssignsValues) {
  const auto f = []() -> Expected<int> {
    LITERT_ASSIGN_OR_RETURN(const int value, Value());
    LITERT_ASSIGN_OR_RETURN((const auto [first, second]), Pair());
    LITERT_ASSIGN_OR_RETURN(auto pointer, MoveOnly());
    int assigned = 0;
    LITERT_ASSIGN_OR_RETURN(assigned, Value());
    return value + first + second + *pointer + assigned;
  };
  EXPECT_EQ(Ok(f()), 3 + 1 + 2 + 7 + 3);
}

TEST(AssignOrReturnTest, AssignsReferences) {
  int x = 1;
  const auto f = [&]() -> Expected<void> {
    LITERT_ASSIGN_OR_RETURN(int& alias, Expected<int&>(x));
    alias = 5;
    return {};
  };
  EXPECT_TRUE(f());
  EXPECT_EQ(x, 5);
}

TEST(AssignOrReturnTest, ReturnsTheError) {
  const auto f = []() -> LiteRtStatus {
    LITERT_ASSIGN_OR_RETURN(const int value, Failure());
    return value == 0 ? kLiteRtStatusOk : kLiteRtStatusErrorUnknown;
  };
  EXPECT_EQ(f(), kLiteRtStatusErrorNotFound);
  const auto g = []() -> Expected<std::string> {
    LITERT_ASSIGN_OR_RETURN(const int value, Failure(), _ << "outer");
    return std::to_string(value);
  };
  const auto result = g();
  EXPECT_EQ(result.Error().Message(), "outer: inner");
  const auto h = []() -> bool {
    LITERT_ASSIGN_OR_RETURN([[maybe_unused]] const int value, Failure(), false);
    return true;
  };
  EXPECT_FALSE(h());
}

TEST(AbortDeathTest, PrintsTheErrorWithItsPlace) {
  EXPECT_DEATH({ LITERT_ABORT_IF_ERROR(Failure()) << "outer"; },
               AllOf(HasSubstr("macros_test.cc"), HasSubstr("kLiteRtStatusErrorNotFound"),
                     HasSubstr("outer: inner")));
  EXPECT_DEATH(
      {
        LITERT_ASSIGN_OR_ABORT(const int value, Failure());
        (void)value;
      },
      HasSubstr("inner"));
  EXPECT_DEATH({ LITERT_CHECK_STATUS_OK(kLiteRtStatusErrorFileIO); },
               HasSubstr("kLiteRtStatusErrorFileIO"));
  LITERT_ABORT_IF_ERROR(Value());
  LITERT_ASSIGN_OR_ABORT(const int value, Value());
  EXPECT_EQ(value, 3);
  LITERT_CHECK_STATUS_OK(kLiteRtStatusOk);
  LITERT_CHECK_STATUS_HAS_CODE(kLiteRtStatusErrorFileIO, kLiteRtStatusErrorFileIO);
}

TEST(OtherMacrosTest, LetNoMatchPass) {
  const auto f = [](LiteRtStatus in) -> LiteRtStatus {
    LITERT_RETURN_IF_ERROR_OR_NOT_MATCHED(in);
    return kLiteRtStatusOk;
  };
  EXPECT_EQ(f(kLiteRtStatusLegalizeNoMatch), kLiteRtStatusOk);
  EXPECT_EQ(f(kLiteRtStatusErrorFileIO), kLiteRtStatusErrorFileIO);
}

TEST(OtherMacrosTest, FillStackArrays) {
  LITERT_STACK_ARRAY(int, numbers, 3, 9);
  EXPECT_EQ(numbers[0] + numbers[1] + numbers[2], 27);
}

// A message that becomes a bare status is not lost: it goes to the log.
std::string LogOf(LiteRtStatus (*f)()) {
  InterceptLogs logs;
  f();
  std::ostringstream text;
  text << logs;
  return text.str();
}

TEST(LoggingTest, LogsMessagesOfErrorsThatBecomeAStatus) {
  EXPECT_THAT(LogOf([]() -> LiteRtStatus {
                LITERT_RETURN_IF_ERROR(Failure()) << "outer";
                return kLiteRtStatusOk;
              }),
              AllOf(HasSubstr("macros_test.cc"), HasSubstr("outer: inner")));
}

TEST(LoggingTest, LogsNothingWhenThereIsNothingToSay) {
  EXPECT_EQ(LogOf([]() -> LiteRtStatus {
              LITERT_RETURN_IF_ERROR(kLiteRtStatusErrorFileIO);
              return kLiteRtStatusOk;
            }),
            "");
  EXPECT_EQ(LogOf([]() -> LiteRtStatus {
              LITERT_RETURN_IF_ERROR(Failure()).NoLog();
              return kLiteRtStatusOk;
            }),
            "");
}

// Stand for absl::Status and absl::StatusOr, which are known by their shape.
enum class FakeCode : int { kOk = 0, kNotFound = 5 };
class FakeStatus {
 public:
  FakeStatus() = default;
  FakeStatus(FakeCode code, const std::string& message) : code_(code), message_(message) {}
  bool ok() const { return code_ == FakeCode::kOk; }
  FakeCode code() const { return code_; }
  int raw_code() const { return static_cast<int>(code_); }
  const std::string& message() const { return message_; }

 private:
  FakeCode code_ = FakeCode::kOk;
  std::string message_;
};
class FakeStatusOrInt {
 public:
  explicit FakeStatusOrInt(int value) : value_(value) {}
  FakeStatusOrInt(const FakeStatus& status) : status_(status) {}  // NOLINT
  bool ok() const { return status_.ok(); }
  const FakeStatus& status() const { return status_; }
  int&& value() && { return static_cast<int&&>(value_); }

 private:
  FakeStatus status_;
  int value_ = 0;
};

TEST(AbslTest, ConvertsFromAndToItsStatus) {
  const auto to = []() -> FakeStatus {
    LITERT_RETURN_IF_ERROR(Failure()) << "outer";
    return {};
  };
  EXPECT_EQ(to().code(), FakeCode::kNotFound);
  EXPECT_EQ(to().message(), "outer: inner");
  const auto from = [&]() -> Expected<int> {
    LITERT_RETURN_IF_ERROR(to());
    return 1;
  };
  const auto result = from();
  EXPECT_EQ(result.Error().StatusCC(), Status::kErrorNotFound);
  EXPECT_EQ(result.Error().Message(), "outer: inner");
}

TEST(AbslTest, ConvertsFromAndToItsStatusOr) {
  const auto to = [](bool fail) -> FakeStatusOrInt {
    LITERT_ASSIGN_OR_RETURN(const int value, fail ? Failure() : Value());
    return FakeStatusOrInt(value);
  };
  const auto from = [&](bool fail) -> Expected<int> {
    LITERT_ASSIGN_OR_RETURN(const int value, to(fail));
    return value;
  };
  EXPECT_EQ(Ok(from(false)), 3);
  EXPECT_EQ(from(true).HasValue(), false);
}

}  // namespace
}  // namespace litert

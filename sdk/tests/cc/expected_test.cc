// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/litert_expected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {};

TEST(ErrorTest, KeepsStatusAndMessage) {
  const Error error(Status::kErrorNotFound, "no tensor 3");
  EXPECT_EQ(error.StatusCC(), Status::kErrorNotFound);
  EXPECT_EQ(error.Status(), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(error.Message(), "no tensor 3");
}

TEST(ErrorTest, PrintsTheCNameOfTheStatus) {
  std::ostringstream with;
  with << Error(Status::kErrorNotFound, "no tensor 3");
  EXPECT_EQ(with.str(), "kLiteRtStatusErrorNotFound: no tensor 3");
  std::ostringstream without;
  without << Error(kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(without.str(), "kLiteRtStatusErrorIndexOOB");
}

TEST(ErrorTest, NamesEveryStatus) {
#define CHECK_NAME(cc_name, c_name)                               \
  EXPECT_STREQ(internal::StatusString(Status::cc_name), #c_name); \
  EXPECT_STREQ(internal::StatusString(c_name), LiteRtGetStatusString(c_name));
  LITERT_INTERNAL_STATUS_CODES(CHECK_NAME)
#undef CHECK_NAME
  EXPECT_STREQ(internal::StatusString(static_cast<LiteRtStatus>(4711)), "kLiteRtStatus(unknown)");
}

TEST(UnexpectedTest, ComesFromEitherStatusAndFromAnError) {
  EXPECT_EQ(Unexpected(Status::kErrorUnknown, "a").Error().Message(), "a");
  EXPECT_EQ(Unexpected(kLiteRtStatusErrorFileIO).Error().StatusCC(), Status::kErrorFileIO);
  EXPECT_EQ(Unexpected(Error(Status::kErrorUnknown, "b")).Error().Message(), "b");
  Unexpected first(Status::kErrorUnknown, "c");
  Unexpected second(first);
  EXPECT_EQ(second.Error().Message(), "c");
}

TEST(ExpectedTest, HoldsAValue) {
  Expected<std::string> e = std::string("value");
  ASSERT_TRUE(e);
  EXPECT_TRUE(e.HasValue());
  EXPECT_EQ(*e, "value");
  EXPECT_EQ(e.Value(), "value");
  EXPECT_EQ(e->size(), 5u);
  *e += "s";
  EXPECT_EQ(*e, "values");
}

TEST(ExpectedTest, HoldsAnError) {
  for (const Expected<int>& e : {Expected<int>(Unexpected(Status::kErrorNotFound, "m")),
                                 Expected<int>(Error(Status::kErrorNotFound, "m"))}) {
    EXPECT_FALSE(e);
    EXPECT_EQ(e.Error().Status(), kLiteRtStatusErrorNotFound);
    EXPECT_EQ(e.Error().Message(), "m");
  }
}

TEST(ExpectedTest, BuildsInPlace) {
  const Expected<std::pair<int, std::string>> e(3, "x");
  EXPECT_EQ(e->second, "x");
  const Expected<std::vector<int>> from_list({1, 2, 3});
  EXPECT_THAT(*from_list, ElementsAre(1, 2, 3));
}

TEST(ExpectedTest, TakesWhatConvertsToItsClass) {
  const auto text = []() -> Expected<std::string> { return "text"; };
  const auto base = []() -> Expected<std::unique_ptr<Base>> { return std::make_unique<Derived>(); };
  const auto empty = []() -> Expected<std::optional<int>> { return std::nullopt; };
  EXPECT_EQ(Ok(text()), "text");
  EXPECT_TRUE(base().HasValue());
  EXPECT_TRUE(empty().HasValue());
}

TEST(ExpectedTest, CopiesAndMovesInEveryDirection) {
  const Expected<std::string> value = std::string("a long enough value to be on the heap");
  const Expected<std::string> error = Error(Status::kErrorUnknown, "a message on the heap as well");
  for (const auto& from : {value, error}) {
    for (const auto& to : {value, error}) {
      Expected<std::string> copied = to;
      copied = from;
      Expected<std::string> moved = to;
      Expected<std::string> source = from;
      moved = std::move(source);
      for (const auto& got : {copied, moved}) {
        ASSERT_EQ(got.HasValue(), from.HasValue());
        if (got) {
          EXPECT_EQ(*got, *from);
        } else {
          EXPECT_EQ(got.Error().Message(), from.Error().Message());
        }
      }
    }
  }
}

TEST(ExpectedTest, SurvivesSelfAssignment) {
  Expected<std::string> e = std::string("self");
  Expected<std::string>& alias = e;
  e = alias;
  EXPECT_EQ(*e, "self");
}

TEST(ExpectedTest, CopiesFromANonConstLvalue) {
  Expected<int> a = 3;
  Expected<int> b(a);
  EXPECT_EQ(*b, 3);
}

TEST(ExpectedTest, IsMoveOnlyWithAMoveOnlyValue) {
  using MoveOnly = Expected<std::unique_ptr<int>>;
  static_assert(!std::is_copy_constructible_v<MoveOnly>);
  static_assert(std::is_nothrow_move_constructible_v<MoveOnly>);
  static_assert(std::is_copy_constructible_v<Expected<std::string>>);
  std::vector<MoveOnly> grows;
  for (int i = 0; i < 10; ++i) grows.emplace_back(std::make_unique<int>(i));
  EXPECT_EQ(**grows[9], 9);
}

TEST(ExpectedTest, HoldsAReference) {
  int x = 1;
  Expected<int&> e = x;
  *e = 2;
  EXPECT_EQ(x, 2);
  static_assert(std::is_same_v<decltype(e.Value()), int&>);
  const std::string text = "const";
  Expected<const std::string&> c = text;
  EXPECT_EQ(&*c, &text);
}

TEST(ExpectedTest, DestroysWhatItHoldsOnce) {
  auto counted = std::make_shared<int>(0);
  {
    Expected<std::shared_ptr<int>> a = counted;
    Expected<std::shared_ptr<int>> b = a;
    EXPECT_EQ(counted.use_count(), 3);
    b = Unexpected(Status::kErrorUnknown);
    EXPECT_EQ(counted.use_count(), 2);
    a = std::move(b);
    EXPECT_EQ(counted.use_count(), 1);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(ExpectedVoidTest, IsSuccessOrAnError) {
  const Expected<void> ok = {};
  EXPECT_TRUE(ok);
  const Expected<void> bad = Unexpected(Status::kErrorUnknown, "m");
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.Error().Message(), "m");
  Expected<void> assigned = bad;
  assigned = ok;
  EXPECT_TRUE(assigned);
}

TEST(ExpectedDeathTest, EndsTheProcessOnTheWrongAccess) {
  const Expected<int> error = Error(Status::kErrorNotFound, "no tensor 3");
  EXPECT_DEATH((void)*error, HasSubstr("kLiteRtStatusErrorNotFound: no tensor 3"));
  const Expected<int> value = 3;
  EXPECT_DEATH((void)value.Error(), "holds a value");
  const Expected<void> success;
  EXPECT_DEATH((void)success.Error(), "holds success");
}

// Stands for absl's formatting, which calls AbslStringify with such a sink.
struct Sink {
  std::string text;
  void Append(const std::string& s) { text += s; }
};
template <class T>
std::string Stringify(const T& value) {
  Sink sink;
  AbslStringify(sink, value);
  return sink.text;
}

TEST(ExpectedTest, IsFormattedByAbsl) {
  EXPECT_EQ(Stringify(Expected<int>(3)), "3");
  EXPECT_EQ(Stringify(Expected<std::string>("text")), "text");
  EXPECT_EQ(Stringify(Expected<void>()), "void expected value");
  EXPECT_EQ(Stringify(Expected<std::vector<int>>()), "unformattable expected value");
  EXPECT_EQ(Stringify(Expected<int>(Unexpected(Status::kErrorNotFound, "m"))),
            "kLiteRtStatusErrorNotFound: m");
  EXPECT_EQ(Stringify(Unexpected(Status::kErrorNotFound)), "kLiteRtStatusErrorNotFound");
}

}  // namespace
}  // namespace litert

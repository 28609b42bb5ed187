// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/litert_event.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

constexpr LiteRtStatus kUnsupported = kLiteRtStatusErrorUnsupported;

// A fence over one end of a pipe; signalled by writing to the other.
class FenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(ends_), 0);
    ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, ends_[0], false, &event_), kLiteRtStatusOk);
  }
  void TearDown() override {
    LiteRtDestroyEvent(event_);
    EXPECT_EQ(close(ends_[0]), 0);  // not owned by the event
    EXPECT_EQ(close(ends_[1]), 0);
  }
  void Signal() { ASSERT_EQ(write(ends_[1], "x", 1), 1); }

  int ends_[2] = {-1, -1};
  LiteRtEvent event_ = nullptr;
};

TEST_F(FenceTest, WaitsAndTellsWhetherItIsSignalled) {
  bool signaled = true;
  ASSERT_EQ(LiteRtIsEventSignaled(event_, &signaled), kLiteRtStatusOk);
  EXPECT_FALSE(signaled);
  EXPECT_EQ(LiteRtWaitEvent(event_, 0), kLiteRtStatusErrorTimeoutExpired);
  Signal();
  EXPECT_EQ(LiteRtWaitEvent(event_, -1), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtWaitEvent(event_, 1000), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtIsEventSignaled(event_, &signaled), kLiteRtStatusOk);
  EXPECT_TRUE(signaled);
}

TEST_F(FenceTest, HandsOutItsDescriptor) {
  LiteRtEventType type = LiteRtEventTypeUnknown;
  ASSERT_EQ(LiteRtGetEventEventType(event_, &type), kLiteRtStatusOk);
  EXPECT_EQ(type, LiteRtEventTypeSyncFenceFd);
  int fd = -1;
  ASSERT_EQ(LiteRtGetEventSyncFenceFd(event_, &fd), kLiteRtStatusOk);
  EXPECT_EQ(fd, ends_[0]);
  ASSERT_EQ(LiteRtDupFdEvent(event_, &fd), kLiteRtStatusOk);
  EXPECT_NE(fd, ends_[0]);
  EXPECT_EQ(close(fd), 0);
  LiteRtCustomEvent custom = nullptr;
  EXPECT_EQ(LiteRtGetCustomEvent(event_, &custom), kUnsupported);
  EXPECT_EQ(LiteRtSetCustomEvent(event_, nullptr), kUnsupported);
  EXPECT_EQ(LiteRtSignalEvent(event_), kLiteRtStatusErrorInvalidArgument);
}

TEST(EventTest, ABadDescriptorIsAnError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  close(ends[1]);
  LiteRtEvent event = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, ends[0], false, &event), kLiteRtStatusOk);
  bool signaled = false;
  EXPECT_EQ(LiteRtWaitEvent(event, 0), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(LiteRtIsEventSignaled(event, &signaled), kLiteRtStatusErrorRuntimeFailure);
  int copy = -1;
  EXPECT_EQ(LiteRtDupFdEvent(event, &copy), kLiteRtStatusErrorRuntimeFailure);
  LiteRtDestroyEvent(event);
  EXPECT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, -1, false, &event),
            kLiteRtStatusErrorInvalidArgument);
}

// A custom event as an application would write it.
struct CountedEvent {
  LiteRtCustomEventT base = {};
  int references = 0;
  bool signaled = false;
  int64_t waited_ms = -2;

  CountedEvent() {
    base.Retain = [](LiteRtCustomEvent e) { ++Of(e).references; };
    base.Release = [](LiteRtCustomEvent e) { --Of(e).references; };
    base.Wait = [](LiteRtCustomEvent e, int64_t ms) { Of(e).waited_ms = ms; };
    base.IsSignaled = [](LiteRtCustomEvent e) -> int { return Of(e).signaled; };
    base.GetNative = [](LiteRtCustomEvent e) -> void* { return &Of(e); };
  }
  static CountedEvent& Of(LiteRtCustomEvent e) { return *reinterpret_cast<CountedEvent*>(e); }
};

TEST(EventTest, CustomEvent) {
  CountedEvent one;
  CountedEvent two;
  LiteRtEvent event = nullptr;
  ASSERT_EQ(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeCustom, &event), kLiteRtStatusOk);
  void* native = nullptr;
  bool signaled = false;
  EXPECT_EQ(LiteRtGetEventCustomNativeEvent(event, &native), kUnsupported);
  EXPECT_EQ(LiteRtWaitEvent(event, 0), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(LiteRtIsEventSignaled(event, &signaled), kLiteRtStatusErrorRuntimeFailure);

  ASSERT_EQ(LiteRtSetCustomEvent(event, &one.base), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtSetCustomEvent(event, &one.base), kLiteRtStatusOk);
  EXPECT_EQ(one.references, 1);
  LiteRtCustomEvent custom = nullptr;
  ASSERT_EQ(LiteRtGetCustomEvent(event, &custom), kLiteRtStatusOk);
  EXPECT_EQ(custom, &one.base);
  ASSERT_EQ(LiteRtGetEventCustomNativeEvent(event, &native), kLiteRtStatusOk);
  EXPECT_EQ(native, &one);
  EXPECT_EQ(LiteRtWaitEvent(event, 5), kLiteRtStatusErrorTimeoutExpired);
  EXPECT_EQ(one.waited_ms, 5);
  one.signaled = true;
  EXPECT_EQ(LiteRtWaitEvent(event, 6), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtIsEventSignaled(event, &signaled), kLiteRtStatusOk);
  EXPECT_TRUE(signaled);

  ASSERT_EQ(LiteRtSetCustomEvent(event, &two.base), kLiteRtStatusOk);
  EXPECT_EQ(one.references, 0);
  EXPECT_EQ(two.references, 1);
  LiteRtDestroyEvent(event);
  EXPECT_EQ(two.references, 0);
}

TEST(EventTest, KindsThatCannotBeCreated) {
  LiteRtEvent event = nullptr;
  EXPECT_EQ(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeOpenCl, &event), kUnsupported);
  EXPECT_EQ(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeSyncFenceFd, &event),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(event, nullptr);
}

}  // namespace

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// Asynchronous runs through the boundary of npukit/dispatch.h: their events, their order, how they
// fail, and what becomes of those that never began.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "litert/c/internal/litert_tensor_buffer_registry.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/event_status.h"
#include "sdk/tests/plugin/async_fixture.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Memory that only its owner's functions reach, between lock and unlock.
struct OwnMemory {
  HwMemoryInfo info;  // first
  alignas(64) std::array<float, 4> bytes;
  alignas(64) std::array<float, 4> mapped;
  int locks;
};
OwnMemory& Of(HwMemoryInfoPtr info) { return *reinterpret_cast<OwnMemory*>(info); }

// A buffer of that memory, registered with a device.
class OwnBuffer {
 public:
  explicit OwnBuffer(LiteRtDispatchDeviceContext device) : device_(device) {
    constexpr auto kKind = kLiteRtTensorBufferTypeUserCustomBuffer;
    EXPECT_EQ(LiteRtCreateEnvironment(0, nullptr, &environment_), kOk);
    EXPECT_EQ(LiteRtRegisterTensorBufferHandlers(
                  environment_, kKind,
                  [](LiteRtGpuDeviceId, LiteRtGpuQueueId, const LiteRtRankedTensorType*,
                     LiteRtTensorBufferType, size_t, size_t, HwMemoryInfoPtr* made) {
                    auto* memory = new OwnMemory();
                    memory->info.memory_handle = memory;
                    *made = &memory->info;
                    return kLiteRtStatusOk;
                  },
                  [](HwMemoryInfoPtr info) {
                    delete &Of(info);
                    return kLiteRtStatusOk;
                  },
                  [](HwMemoryInfoPtr info, LiteRtTensorBufferLockMode, void** address) {
                    if (++Of(info).locks > 1) return kLiteRtStatusErrorRuntimeFailure;
                    Of(info).mapped = Of(info).bytes;
                    *address = Of(info).mapped.data();
                    return kLiteRtStatusOk;
                  },
                  [](HwMemoryInfoPtr info) {
                    --Of(info).locks;
                    Of(info).bytes = Of(info).mapped;
                    Of(info).mapped = {};
                    return kLiteRtStatusOk;
                  },
                  nullptr, nullptr, kLiteRtEnvOptionTagNull, kLiteRtEnvOptionTagNull),
              kOk);
    const auto type = FloatType(4);
    EXPECT_EQ(LiteRtCreateManagedTensorBuffer(environment_, kKind, &type, 16, &buffer_), kOk);
    EXPECT_EQ(Api().register_tensor_buffer(device_, buffer_, &handle_), kOk);
  }
  ~OwnBuffer() {
    (void)Api().unregister_tensor_buffer(device_, handle_);
    LiteRtDestroyTensorBuffer(buffer_);
    LiteRtDestroyEnvironment(environment_);
  }
  OwnBuffer(const OwnBuffer&) = delete;
  OwnBuffer& operator=(const OwnBuffer&) = delete;

  LiteRtTensorBufferHandle handle() const { return handle_; }
  LiteRtTensorBuffer buffer() const { return buffer_; }
  std::array<float, 4> values() const {
    HwMemoryHandle memory = nullptr;
    EXPECT_EQ(LiteRtGetTensorBufferCustomTensorBufferHandle(buffer_, &memory), kOk);
    return static_cast<OwnMemory*>(memory)->bytes;
  }

 private:
  LiteRtDispatchDeviceContext device_;
  LiteRtEnvironment environment_ = nullptr;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
};

// Its address is known under a lock alone: the run ends before the call, and its event is signalled.
TEST_F(DispatchAsyncTest, MemoryThatHasToBeLockedIsUsedBeforeTheCallReturns) {
  const Buffer in(device_, {1, 2, 3, 4});
  const OwnBuffer out(device_);
  auto* context = Load("scale f 2\n", "f");
  ASSERT_EQ(load_status_, kOk);
  ASSERT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  for (int run = 0; run < 3; ++run) {
    LiteRtEvent event = Start(context);
    EXPECT_TRUE(IsSignalled(event));
    EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
    ASSERT_EQ(LiteRtSetTensorBufferEvent(out.buffer(), event), kOk);  // which owns it now
    void* address = nullptr;
    EXPECT_EQ(LiteRtLockTensorBuffer(out.buffer(), &address, kLiteRtTensorBufferLockModeRead), kOk);
    EXPECT_EQ(LiteRtUnlockTensorBuffer(out.buffer()), kOk);
    EXPECT_EQ(LiteRtClearTensorBufferEvent(out.buffer()), kOk);
  }
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// Locking waits for the event of the run before, which needs what the call holds: it must have ended.
TEST_F(DispatchAsyncTest, MemoryThatHasToBeLockedIsUsedAfterTheRunsBefore) {
  alarm(60);  // instead of waiting for ever
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer between(device_, {});
  const OwnBuffer out(device_);
  auto* context = LoadBound("scale f 2\n", in, between);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent first = Start(context);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(between.buffer(), first), kOk);  // which owns it now
  ASSERT_EQ(Api().detach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().detach_output(context, 0, between.handle()), kOk);
  ASSERT_EQ(Api().attach_input(context, 0, between.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.Open();
  });
  LiteRtEvent second = Start(context);
  opener.join();
  EXPECT_EQ(End(second).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(4, 8, 12, 16));
  EXPECT_EQ(LiteRtClearTensorBufferEvent(between.buffer()), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
  alarm(0);
}

TEST_F(DispatchAsyncTest, ARunWaitsForTheEventsOfItsInputs) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  EXPECT_EQ(LiteRtWaitEvent(event, 50), kLiteRtStatusErrorTimeoutExpired);
  EXPECT_FALSE(IsSignalled(event));
  Outcome early;
  EXPECT_EQ(NpukitDispatchGetEventStatus(event, &early.status, &early.handle, nullptr, 0),
            kLiteRtStatusErrorTimeoutExpired);
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  // The event was for that run only.
  EXPECT_EQ(End(Start(context)).status, kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// As LiteRT does once invoke_async has returned. Locking such a buffer waits for its event, so a run
// that locked its own output would wait for itself.
TEST_F(DispatchAsyncTest, TheHostSetsTheEventOnTheOutput) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  for (int run = 0; run < 3; ++run) {
    ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
    LiteRtEvent event = Start(context);
    ASSERT_EQ(LiteRtSetTensorBufferEvent(out.buffer(), event), kOk);  // which owns it now
    gate.Open();
    ASSERT_EQ(LiteRtWaitEvent(event, 10'000), kOk);
    Outcome outcome;
    EXPECT_EQ(NpukitDispatchGetEventStatus(event, &outcome.status, &outcome.handle, nullptr, 0),
              kOk);
    EXPECT_EQ(outcome.status, kOk);
    void* memory = nullptr;
    EXPECT_EQ(LiteRtLockTensorBuffer(out.buffer(), &memory, kLiteRtTensorBufferLockModeRead), kOk);
    EXPECT_EQ(LiteRtUnlockTensorBuffer(out.buffer()), kOk);
    EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
    EXPECT_EQ(LiteRtClearTensorBufferEvent(out.buffer()), kOk);
  }
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// An application may lock what it gave before it waits.
TEST_F(DispatchAsyncTest, BuffersThatAreLockedMeanwhileDoNotStopARun) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  for (const Buffer* buffer : {&in, &out}) {
    void* memory = nullptr;
    ASSERT_EQ(LiteRtLockTensorBuffer(buffer->buffer(), &memory, kLiteRtTensorBufferLockModeWrite),
              kOk);
  }
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  for (const Buffer* buffer : {&in, &out})
    EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer->buffer()), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// The input's event may be on its buffer too, and is signalled by who called.
TEST_F(DispatchAsyncTest, BeginningARunDoesNotWaitForTheEventOnAnInput) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  int fd = -1;
  ASSERT_EQ(LiteRtDupFdEvent(gate.event(), &fd), kOk);
  LiteRtEvent on_buffer = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &on_buffer), kOk);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(in.buffer(), on_buffer), kOk);
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(LiteRtClearTensorBufferEvent(in.buffer()), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchAsyncTest, RunsOfADeviceKeepTheirOrder) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer middle(device_, {});
  const Buffer out(device_, {});
  auto* first = LoadBound("scale f 2\n", in, middle);
  auto* second = LoadBound("scale f 5\n", middle, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(first, 0, gate.event()), kOk);
  LiteRtEvent first_done = Start(first);
  ASSERT_EQ(Async().attach_input_event(second, 0, first_done), kOk);
  LiteRtEvent second_done = Start(second);
  EXPECT_FALSE(IsSignalled(second_done));
  gate.Open();
  EXPECT_EQ(End(second_done).status, kOk);
  EXPECT_TRUE(IsSignalled(first_done));
  EXPECT_EQ(End(first_done).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(Api().invocation_context_destroy(first), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(second), kOk);
}

TEST_F(DispatchAsyncTest, ARunThatFailsIsSignalledWithItsError) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer small(device_, {}, 2);
  auto* context = LoadBound("scale f 2\n", in, small);
  const Outcome outcome = End(Start(context));
  EXPECT_EQ(outcome.status, kInvalid);
  EXPECT_EQ(outcome.handle, NPUKIT_NO_DEBUG_HANDLE);
  EXPECT_THAT(outcome.message, HasSubstr("the sizes differ"));
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);

  auto* throws = LoadBound("scale f 13\n", in, small);
  EXPECT_EQ(End(Start(throws)).status, kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(Api().invocation_context_destroy(throws), kOk);
}

TEST_F(DispatchAsyncTest, DestroyingCancelsWhatAnEventHoldsUp) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate never;
  ASSERT_EQ(Async().attach_input_event(context, 0, never.event()), kOk);
  LiteRtEvent waiting = Start(context);
  LiteRtEvent queued = Start(context);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
  EXPECT_EQ(End(waiting).status, kLiteRtStatusCancelled);
  EXPECT_EQ(End(queued).status, kLiteRtStatusCancelled);
  EXPECT_THAT(out.values(), ElementsAre(0, 0, 0, 0));
}

// An application may let a model go and read the outputs of its last run then.
TEST_F(DispatchAsyncTest, DestroyingLetsRunsEndThatCan) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 64\n", in, out);  // slow
  LiteRtEvent first = Start(context);
  LiteRtEvent second = Start(context);
  EXPECT_EQ(Api().device_context_destroy(device_), kOk);
  EXPECT_EQ(Api().detach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, out.handle()), kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
  EXPECT_EQ(End(first).status, kOk);
  EXPECT_EQ(End(second).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(64, 128, 192, 256));
}

TEST_F(DispatchAsyncTest, ASynchronousRunComesAfterTheQueuedOnes) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  std::thread opener([&] { gate.Open(); });
  EXPECT_EQ(Api().invoke(context), kOk);
  EXPECT_TRUE(IsSignalled(event) || LiteRtWaitEvent(event, -1) == kOk);
  opener.join();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchAsyncTest, DevicesDoNotWaitForEachOther) {
  LiteRtDispatchDeviceContext other_device = nullptr;
  ASSERT_EQ(Api().device_context_create(nullptr, &other_device), kOk);
  {
    const Buffer in(device_, {1, 2, 3, 4});
    const Buffer out(device_, {});
    auto* context = LoadBound("scale f 2\n", in, out);
    std::swap(device_, other_device);
    const Buffer other_in(device_, {1, 1, 1, 1});
    const Buffer other_out(device_, {});
    auto* other = LoadBound("scale f 3\n", other_in, other_out);
    std::swap(device_, other_device);
    const Gate gate;
    ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
    LiteRtEvent stuck = Start(context);
    EXPECT_EQ(End(Start(other)).status, kOk);
    EXPECT_FALSE(IsSignalled(stuck));
    gate.Open();
    EXPECT_EQ(End(stuck).status, kOk);
    EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
    EXPECT_EQ(Api().invocation_context_destroy(other), kOk);
  }
  EXPECT_EQ(Api().device_context_destroy(other_device), kOk);
}

TEST_F(DispatchAsyncTest, BadArgumentsAreErrors) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  LiteRtEvent events[2] = {};
  EXPECT_EQ(Async().invoke_async(context, 2, events), kInvalid);
  EXPECT_EQ(Async().invoke_async(context, -1, events), kInvalid);
  EXPECT_EQ(Async().invoke_async(context, 1, nullptr), kInvalid);
  EXPECT_EQ(Async().invoke_async(nullptr, 1, events), kInvalid);
  EXPECT_EQ(Async().attach_input_event(context, 1, gate.event()), kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(Async().attach_input_event(context, 0, nullptr), kInvalid);
  EXPECT_EQ(Async().attach_input_event(nullptr, 0, gate.event()), kInvalid);
  EXPECT_EQ(events[0], nullptr);
  Outcome outcome;
  EXPECT_EQ(
      NpukitDispatchGetEventStatus(gate.event(), &outcome.status, &outcome.handle, nullptr, 0),
      kInvalid);
  EXPECT_EQ(NpukitDispatchGetEventStatus(nullptr, &outcome.status, &outcome.handle, nullptr, 0),
            kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

}  // namespace
}  // namespace npukit

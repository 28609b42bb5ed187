// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs through the boundary of npukit/dispatch.h: what becomes of their buffers while
// they are attached to others, detached, unregistered and freed.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "sdk/tests/plugin/async_fixture.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

TEST_F(DispatchAsyncTest, WhatWasAttachedAtTheCallIsWhatRuns) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  const Buffer later(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  EXPECT_EQ(Api().detach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, later.handle()), kOk);
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(later.values(), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(Api().detach_output(context, 0, later.handle()), kOk);
  LiteRtEvent none = nullptr;
  EXPECT_EQ(Async().invoke_async(context, 1, &none), kInvalid) << "nothing attached";
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// LiteRT 2.1.4 detaches and unregisters what it gave to a run as soon as the next run has other
// buffers, and 2.2.0 a run later, whether or not the run has ended.
TEST_F(DispatchAsyncTest, WhatIsUnregisteredMeanwhileIsUsedToTheEnd) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  const Buffer next_out(device_, {});
  auto* context = LoadBound("scale f 2\n", in, out);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  EXPECT_EQ(Api().detach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, next_out.handle()), kOk);
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, out.handle()), kOk);
  LiteRtEvent next = Start(context);
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(End(next).status, kOk);
  EXPECT_THAT(next_out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, out.handle()), kInvalid) << "it is gone";
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// Who unregisters a buffer may free its memory at once.
TEST_F(DispatchAsyncTest, UnregisteringWaitsForTheRunsThatUseTheBuffer) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  auto* context = LoadBound("scale f 64\n", in, out);  // slow
  LiteRtEvent first = Start(context);
  LiteRtEvent second = Start(context);
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, out.handle()), kOk);
  EXPECT_THAT(out.values(), ElementsAre(64, 128, 192, 256));
  EXPECT_EQ(End(first).status, kOk);
  EXPECT_EQ(End(second).status, kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// LiteRT 2.1.4 lets go of a buffer between detaching and unregistering it: if it was the last to hold
// it, the memory is freed then.
TEST_F(DispatchAsyncTest, DetachingWaitsForTheRunsThatUseTheBuffer) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  const Buffer next_out(device_, {});
  auto* context = LoadBound("scale f 64\n", in, out);  // slow
  LiteRtEvent first = Start(context);
  EXPECT_EQ(Api().detach_output(context, 0, out.handle()), kOk);
  EXPECT_THAT(out.values(), ElementsAre(64, 128, 192, 256));
  EXPECT_EQ(Api().attach_output(context, 0, next_out.handle()), kOk);
  LiteRtEvent second = Start(context);
  EXPECT_EQ(Api().detach_input(context, 0, in.handle()), kOk);
  EXPECT_THAT(next_out.values(), ElementsAre(64, 128, 192, 256));
  EXPECT_EQ(End(first).status, kOk);
  EXPECT_EQ(End(second).status, kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// LiteRT destroys a buffer's event when the next run sets another one on it.
TEST_F(DispatchAsyncTest, AnInputsEventMayGoWhileTheRunWaitsForIt) {
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer middle(device_, {});
  const Buffer out(device_, {});
  auto* first = LoadBound("scale f 2\n", in, middle);
  auto* second = LoadBound("scale f 5\n", middle, out);
  const Gate gate;
  int fd = -1;
  ASSERT_EQ(LiteRtDupFdEvent(gate.event(), &fd), kOk);
  LiteRtEvent fence = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &fence), kOk);
  ASSERT_EQ(Async().attach_input_event(first, 0, fence), kOk);
  LiteRtEvent first_done = Start(first);
  LiteRtDestroyEvent(fence);
  ASSERT_EQ(Async().attach_input_event(second, 0, first_done), kOk);
  LiteRtEvent second_done = Start(second);
  LiteRtDestroyEvent(first_done);
  EXPECT_FALSE(IsSignalled(second_done));
  gate.Open();
  EXPECT_EQ(End(second_done).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(Api().invocation_context_destroy(first), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(second), kOk);
}

// A buffer of memory that tells when it is freed.
class FreedBuffer {
 public:
  explicit FreedBuffer(std::array<float, 4>& memory) {
    is_freed = false;
    const auto type = FloatType(4);
    EXPECT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                  &type, memory.data(), sizeof(memory), [](void*) { is_freed = true; }, &buffer_),
              kOk);
  }
  LiteRtTensorBuffer buffer() const { return buffer_; }
  // Ordered by the event, which the thread sanitizer does not see.
  static inline std::atomic<bool> is_freed = false;

 private:
  LiteRtTensorBuffer buffer_ = nullptr;
};

// Applications let inputs go at once, and LiteRT those that it replaces, though the application's own
// event still holds the run up.
TEST_F(DispatchAsyncTest, WhatAnEventHoldsUpKeepsItsBuffers) {
  alignas(64) std::array<float, 4> memory = {1, 2, 3, 4};
  const FreedBuffer in(memory);
  LiteRtTensorBufferHandle handle = 0;
  ASSERT_EQ(Api().register_tensor_buffer(device_, in.buffer(), &handle), kOk);
  const Buffer out(device_, {});
  auto* context = Load("scale f 2\n", "f");
  ASSERT_EQ(Api().attach_input(context, 0, handle), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  const Gate gate;
  ASSERT_EQ(Async().attach_input_event(context, 0, gate.event()), kOk);
  LiteRtEvent event = Start(context);
  EXPECT_EQ(Api().detach_input(context, 0, handle), kOk);
  LiteRtDestroyTensorBuffer(in.buffer());
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, handle), kOk);
  EXPECT_FALSE(FreedBuffer::is_freed);
  gate.Open();
  EXPECT_EQ(End(event).status, kOk);
  EXPECT_THAT(out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_TRUE(FreedBuffer::is_freed) << "the run was the last to hold it";
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

}  // namespace
}  // namespace npukit

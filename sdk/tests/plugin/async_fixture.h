// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs of the test's dispatch library, and events that the tests signal.

#ifndef NPUKIT_SDK_TESTS_PLUGIN_ASYNC_FIXTURE_H_
#define NPUKIT_SDK_TESTS_PLUGIN_ASYNC_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <thread>

#include "litert/c/internal/litert_tensor_buffer_registry.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/event_status.h"
#include "sdk/tests/plugin/dispatch_fixture.h"

namespace npukit {

inline const LiteRtDispatchAsyncInterface& Async() {
  static const LiteRtDispatchAsyncInterface* const interface = [] {
    LiteRtDispatchApi api{};
    EXPECT_EQ(LiteRtDispatchGetApi(&api), kOk);
    return api.async_interface;
  }();
  return *interface;
}

// An event that the test signals.
class Gate {
 public:
  Gate() : fd_(eventfd(0, EFD_CLOEXEC)) {
    EXPECT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd_, /*owns_fd=*/false, &event_), kOk);
  }
  ~Gate() {
    LiteRtDestroyEvent(event_);
    close(fd_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void Open() const { EXPECT_EQ(eventfd_write(fd_, 1), 0); }
  LiteRtEvent event() const { return event_; }

 private:
  int fd_;
  LiteRtEvent event_ = nullptr;
};

// What the library says of an event.
struct Outcome {
  LiteRtStatus status = kLiteRtStatusErrorUnknown;
  NpukitDebugHandle handle = 99;
  std::string message;
};

class DispatchAsyncTest : public DispatchTest {
 protected:
  LiteRtDispatchInvocationContext LoadBound(const std::string& code, const Buffer& in,
                                            const Buffer& out) {
    auto* context = Load(code, "f");
    EXPECT_EQ(load_status_, kOk);
    EXPECT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
    EXPECT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
    return context;
  }
  static LiteRtEvent Start(LiteRtDispatchInvocationContext context) {
    LiteRtEvent event = nullptr;
    EXPECT_EQ(Async().invoke_async(context, 1, &event), kOk);
    EXPECT_NE(event, nullptr);
    return event;
  }
  static bool IsSignalled(LiteRtEvent event) {
    bool is_signalled = false;
    EXPECT_EQ(LiteRtIsEventSignaled(event, &is_signalled), kOk);
    return is_signalled;
  }
  // Waits, reads and destroys.
  static Outcome End(LiteRtEvent event) {
    EXPECT_EQ(LiteRtWaitEvent(event, -1), kOk);
    Outcome outcome;
    std::array<char, 200> text{};
    EXPECT_EQ(NpukitDispatchGetEventStatus(event, &outcome.status, &outcome.handle, text.data(),
                                           text.size()),
              kOk);
    outcome.message = text.data();
    LiteRtDestroyEvent(event);
    return outcome;
  }
};

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_PLUGIN_ASYNC_FIXTURE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs of a library on a device, and calls of several threads.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/extensions/event_status.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {
namespace {

// -- Through the table ----------------------------------------------------------------------------

// One invocation with its buffers, by the table that stands for the device's library.
class AsyncBench : public ::testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
    const auto path = InstallRemoteLibrary(*link_, AsyncLibrary());
    ASSERT_TRUE(path);
    const auto library = PluginLibrary::Open(*path, kNpukitStaticPluginDispatch);
    ASSERT_TRUE(library);
    const auto get_api = reinterpret_cast<LiteRtStatus (*)(LiteRtDispatchApi*)>(
        library->Find("LiteRtDispatchGetApi"));
    get_status_ = reinterpret_cast<NpukitDispatchGetEventStatusT>(
        library->Find("NpukitDispatchGetEventStatus"));
    ASSERT_EQ(get_api(&api_), kLiteRtStatusOk);
    ASSERT_NE(api_.async_interface, nullptr);
    ASSERT_EQ(api_.interface->initialize(nullptr, nullptr), kLiteRtStatusOk);
    int capabilities = 0;
    ASSERT_EQ(api_.interface->get_capabilities(&capabilities), kLiteRtStatusOk);
    EXPECT_NE(capabilities & kLiteRtDispatchCapabilitiesAsync, 0);
    ASSERT_EQ(api_.interface->device_context_create(nullptr, &device_), kLiteRtStatusOk);
    const std::string program = kProgram;
    const LiteRtMemBuffer bytecode = {
        .fd = -1, .base_addr = program.data(), .offset = 0, .size = program.size()};
    ASSERT_EQ(
        api_.interface->invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel,
                                                  &bytecode, "main", 2, 1, &invocation_),
        kLiteRtStatusOk);
    for (int i = 0; i < 3; ++i) Attach(i);
  }

  void TearDown() override {
    for (int i = 0; i < 3; ++i) {
      if (invocation_ == nullptr || buffers_[i] == nullptr) break;
      const auto detach = i < 2 ? api_.interface->detach_input : api_.interface->detach_output;
      EXPECT_EQ(detach(invocation_, i % 2, handles_[i]), kLiteRtStatusOk);
      EXPECT_EQ(api_.interface->unregister_tensor_buffer(device_, handles_[i]), kLiteRtStatusOk);
      LiteRtDestroyTensorBuffer(buffers_[i]);
    }
    if (invocation_ != nullptr) {
      EXPECT_EQ(api_.interface->invocation_context_destroy(invocation_), kLiteRtStatusOk);
    }
    if (device_ != nullptr) {
      EXPECT_EQ(api_.interface->device_context_destroy(device_), kLiteRtStatusOk);
    }
    EXPECT_EQ(RemoteTrouble(), "");
    UninstallRemoteLibrary();
    link_ = nullptr;
  }

  void Attach(int i) {
    LiteRtRankedTensorType type = FloatType();
    ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(&type, memory_[i], kElems * sizeof(float),
                                                     nullptr, &buffers_[i]),
              kLiteRtStatusOk);
    ASSERT_EQ(api_.interface->register_tensor_buffer(device_, buffers_[i], &handles_[i]),
              kLiteRtStatusOk);
    LiteRtTensorBufferRequirements requirements = nullptr;
    const auto ask =
        i < 2 ? api_.interface->get_input_requirements : api_.interface->get_output_requirements;
    ASSERT_EQ(ask(invocation_, i % 2, &type, &requirements), kLiteRtStatusOk);
    LiteRtDestroyTensorBufferRequirements(requirements);
    const auto attach = i < 2 ? api_.interface->attach_input : api_.interface->attach_output;
    ASSERT_EQ(attach(invocation_, i % 2, handles_[i]), kLiteRtStatusOk);
  }

  // Waits for that descriptor.
  LiteRtEvent Start(int fd) {
    LiteRtEvent gate = nullptr;
    EXPECT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/false, &gate),
              kLiteRtStatusOk);
    EXPECT_EQ(api_.async_interface->attach_input_event(invocation_, 0, gate), kLiteRtStatusOk);
    LiteRtDestroyEvent(gate);  // the watch has one of its own
    LiteRtEvent event = nullptr;
    EXPECT_EQ(api_.async_interface->invoke_async(invocation_, 1, &event), kLiteRtStatusOk);
    return event;
  }

  LiteRtStatus EndOf(LiteRtEvent event) const {
    LiteRtStatus status = kLiteRtStatusErrorTimeoutExpired;
    NpukitDebugHandle handle = 0;
    EXPECT_EQ(get_status_(event, &status, &handle, nullptr, 0), kLiteRtStatusOk);
    return status;
  }

  WorkerProcess worker_;
  std::unique_ptr<Link> link_;
  LiteRtDispatchApi api_ = {};
  NpukitDispatchGetEventStatusT get_status_ = nullptr;
  LiteRtDispatchDeviceContext device_ = nullptr;
  LiteRtDispatchInvocationContext invocation_ = nullptr;
  alignas(64) float memory_[3][16] = {};
  std::array<LiteRtTensorBuffer, 3> buffers_ = {};
  std::array<LiteRtTensorBufferHandle, 3> handles_ = {};
};

TEST_F(AsyncBench, ARunWaitsForTheApplicationsEventAndSeesWhatWasWrittenByThen) {
  for (int run = 0; run < 3; ++run) {
    const int fd = eventfd(0, EFD_CLOEXEC);
    LiteRtEvent event = Start(fd);
    ASSERT_NE(event, nullptr);
    bool is_signalled = true;
    EXPECT_EQ(LiteRtIsEventSignaled(event, &is_signalled), kLiteRtStatusOk);
    EXPECT_FALSE(is_signalled);
    EXPECT_EQ(LiteRtWaitEvent(event, 20), kLiteRtStatusErrorTimeoutExpired);
    memory_[0][4] = static_cast<float>(run + 1);
    memory_[1][4] = 10;
    // As LiteRT: then who locks the output waits for the run.
    ASSERT_EQ(LiteRtSetTensorBufferEvent(buffers_[2], event), kLiteRtStatusOk);
    eventfd_write(fd, 1);
    void* address = nullptr;
    ASSERT_EQ(LiteRtLockTensorBuffer(buffers_[2], &address, kLiteRtTensorBufferLockModeRead),
              kLiteRtStatusOk);
    EXPECT_EQ(memory_[2][4], static_cast<float>(run + 11));
    EXPECT_EQ(LiteRtUnlockTensorBuffer(buffers_[2]), kLiteRtStatusOk);
    EXPECT_EQ(EndOf(event), kLiteRtStatusOk);
    EXPECT_EQ(LiteRtClearTensorBufferEvent(buffers_[2]), kLiteRtStatusOk);
    close(fd);
  }
}

// As long as a caller can say.
TEST_F(AsyncBench, AWaitOfAnyLengthWaits) {
  for (const int64_t timeout_ms : {int64_t{10'000'000'000'000}, INT64_MAX, int64_t{-1}}) {
    const int fd = eventfd(0, EFD_CLOEXEC);
    LiteRtEvent event = Start(fd);
    ASSERT_NE(event, nullptr);
    std::thread later([fd] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      eventfd_write(fd, 1);
    });
    EXPECT_EQ(LiteRtWaitEvent(event, timeout_ms), kLiteRtStatusOk) << timeout_ms;
    later.join();
    // The device looks at it while it is set on its output.
    ASSERT_EQ(LiteRtSetTensorBufferEvent(buffers_[2], event), kLiteRtStatusOk);
    EXPECT_EQ(EndOf(event), kLiteRtStatusOk);
    EXPECT_EQ(LiteRtClearTensorBufferEvent(buffers_[2]), kLiteRtStatusOk);
    close(fd);
  }
}

TEST_F(AsyncBench, AnEventThatFailsFailsThere) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  LiteRtEvent event = Start(ends[1]);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(LiteRtWaitEvent(event, -1), kLiteRtStatusOk);
  EXPECT_NE(EndOf(event), kLiteRtStatusOk);
  LiteRtDestroyEvent(event);
  close(ends[1]);
}

TEST_F(AsyncBench, WrongCallsGetTheLibrarysAnswers) {
  const LiteRtDispatchAsyncInterface& async = *api_.async_interface;
  LiteRtEvent events[2] = {};
  EXPECT_NE(async.invoke_async(nullptr, 1, events), kLiteRtStatusOk);
  EXPECT_NE(async.invoke_async(invocation_, 2, events), kLiteRtStatusOk);
  EXPECT_NE(async.invoke_async(invocation_, -1, events), kLiteRtStatusOk);
  EXPECT_NE(async.attach_input_event(invocation_, 0, nullptr), kLiteRtStatusOk);
  EXPECT_NE(async.attach_input_event(nullptr, 0, nullptr), kLiteRtStatusOk);
  LiteRtStatus status = kLiteRtStatusOk;
  const int fd = eventfd(0, EFD_CLOEXEC);
  LiteRtEvent other = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &other),
            kLiteRtStatusOk);
  EXPECT_EQ(get_status_(other, &status, nullptr, nullptr, 0), kLiteRtStatusErrorInvalidArgument);
  LiteRtDestroyEvent(other);
}

// -- Over the wire --------------------------------------------------------------------------------

class AsyncWire : public ::testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
  }
  void TearDown() override { link_ = nullptr; }

  WorkerProcess worker_;
  std::unique_ptr<Link> link_;
};

TEST_F(AsyncWire, RunsInBackground) {
  const Outcome outcome = Script(*link_, AsyncLibrary()).RunAsync();
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.output, kSum);
}

// The calls of a thread are answered in order, those of another one do not wait for them.
TEST_F(AsyncWire, ThreadsDoNotWaitForEachOther) {
  Script script(*link_, AsyncLibrary());
  script.Prepare();
  const uint64_t gate = script.AttachGate();
  const uint64_t event = script.Start().objects.at(0);
  LinkTrouble trouble;
  uint64_t waits = 0;
  uint64_t behind = 0;
  DispatchCall wait{.function = DispatchFunction::kWaitEvent,
                    .thread = 1,
                    .object = event,
                    .size_bytes = kMaxWaitMs};
  ASSERT_TRUE(link_->SendCalls({wait}, waits, trouble));
  wait.size_bytes = 0;
  ASSERT_TRUE(link_->SendCalls({wait}, behind, trouble));
  DispatchAnswer answer;
  ASSERT_TRUE(link_->Call({.function = DispatchFunction::kSignalInputEvent,
                           .thread = 2,
                           .object = gate,
                           .buffers = script.Contents()},
                          answer, trouble))
      << trouble.what;
  std::vector<DispatchAnswer> answers;
  ASSERT_TRUE(link_->ReceiveAnswers(behind, 1, answers, trouble));
  EXPECT_EQ(answers[0].status, kLiteRtStatusOk);
  ASSERT_TRUE(link_->ReceiveAnswers(waits, 1, answers, trouble));
  EXPECT_EQ(answers[0].status, kLiteRtStatusOk) << "it was kept waiting until its time was up";
}

TEST_F(AsyncWire, DesksMistakesAreRefused) {
  Script script(*link_, AsyncLibrary());
  script.Prepare();
  const uint64_t invocation = script.invocation();
  using enum DispatchFunction;
  const DispatchCall kMistakes[] = {
      {.function = kWaitEvent, .object = 99},
      {.function = kGetEventStatus, .object = 99},
      {.function = kInvokeAsync, .object = 99},
      {.function = kAttachInputEvent, .object = 99},
      {.function = kInvokeAsync, .object = invocation, .index = kMaxEventsOfRun + 1},
      {.function = kInvokeAsync, .object = invocation, .index = 1, .buffers = {{99, {1}}}},
      {.function = kInvokeAsync, .object = invocation, .index = 1, .states = {{99, 0, 0}}},
      {.function = kInvoke, .thread = kMaxThreads, .object = invocation},
      {.function = kInvoke,
       .object = invocation,
       .states = {{script.Contents().front().buffer, 1'000'000, 0}}}};
  DispatchAnswer answer;
  LinkTrouble trouble;
  for (const DispatchCall& call : kMistakes) {
    EXPECT_FALSE(link_->Call(call, answer, trouble)) << NameOf(call.function);
    EXPECT_EQ(trouble.kind, LinkTrouble::Kind::kRefused) << trouble.what;
  }
  EXPECT_FALSE(link_->Call({.function = kWaitEvent,
                            .object = script.Start().objects.at(0),
                            .size_bytes = kMaxWaitMs + 1},
                           answer, trouble));
  EXPECT_EQ(trouble.kind, LinkTrouble::Kind::kRefused) << trouble.what;
}

// Calls with any numbers: answered, refused, or the end of the library's process, never of the link.
TEST_F(AsyncWire, BearsAnyNumbers) {
  std::mt19937 random(1);
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  using enum DispatchFunction;
  const DispatchFunction kFunctions[] = {kAttachInputEvent, kSignalInputEvent, kInvokeAsync,
                                         kWaitEvent,        kGetEventStatus,   kUnregister};
  int refused = 0;
  for (int session = 0; session < 6; ++session) {
    Script script(*link_, AsyncLibrary());
    script.Prepare();
    for (int i = 0; i < 60; ++i) {
      DispatchCall call{.function = kFunctions[pick(std::size(kFunctions))],
                        .thread = static_cast<uint16_t>(pick(4)),
                        .nulls = pick(8) == 0 ? kNullEvent : 0U,
                        .object = pick(12),
                        .handle = pick(6),
                        .size_bytes = pick(3),
                        .index = static_cast<int32_t>(pick(4)) - 1};
      if (pick(3) == 0) call.states = {{pick(12), static_cast<int32_t>(pick(4)) - 1, pick(12)}};
      if (pick(3) == 0) call.buffers = {{pick(12), std::vector<uint8_t>(pick(30), 7)}};
      if (pick(3) == 0) call.dropped_events = {pick(12)};
      DispatchAnswer answer;
      LinkTrouble trouble;
      if (link_->Call(call, answer, trouble)) continue;
      ASSERT_NE(trouble.kind, LinkTrouble::Kind::kLost) << trouble.what;
      refused += trouble.kind == LinkTrouble::Kind::kRefused ? 1 : 0;
      if (trouble.kind == LinkTrouble::Kind::kDied) break;
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The desk, and a worker that says what it likes: no answer makes the desk read or write what is not there. And
// applications that call what stands at the desk as no library's table is to be called.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/remote/desk/compiler/plugin_state.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/compiler/remote_results.h"
#include "sdk/remote/desk/dispatch/remote_async.h"
#include "sdk/remote/desk/dispatch/remote_devices.h"
#include "sdk/remote/desk/dispatch/remote_invocations.h"
#include "sdk/remote/desk/dispatch/remote_library.h"
#include "sdk/remote/desk/dispatch/remote_reports.h"
#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/testing/scripted_worker.h"

namespace npukit::remote {
namespace {

using enum DispatchFunction;

const LibraryFile& AnyFile() {
  static const LibraryFile file{.path = "/lib.so",
                                .name = "lib.so",
                                .vendor = "Scripted",
                                .digest = std::string(64, 'a'),
                                .bytes = {1}};
  return file;
}

// -- A dispatch library ---------------------------------------------------------------------------

// Answers good ones to all that the test says nothing of: each call makes an object, numbered from 1.
class HostileLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    worker_ = std::make_unique<ScriptedWorker>([this](const DispatchCall& call) {
      ++made_;
      DispatchAnswer good{.object = made_, .handle = made_};
      return answer_ == nullptr ? good : answer_(call, std::move(good));
    });
    const int fd = worker_->TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
    ASSERT_TRUE(InstallRemoteLibrary(*link_, AnyFile()));
    ASSERT_TRUE(OpenRemoteLibrary());
  }
  void TearDown() override {
    UninstallRemoteLibrary();
    link_ = nullptr;
    worker_ = nullptr;
  }

  LiteRtDispatchDeviceContext Device() {
    LiteRtDispatchDeviceContext device = nullptr;
    EXPECT_EQ(CreateDevice(nullptr, &device), kLiteRtStatusOk);
    return device;
  }
  static LiteRtDispatchInvocationContext InvocationOn(LiteRtDispatchDeviceContext device) {
    LiteRtDispatchInvocationContext made = nullptr;
    EXPECT_EQ(CreateInvocation(device, kLiteRtDispatchExecutableTypeMlModel, nullptr, "main", 1, 1,
                               &made),
              kLiteRtStatusOk);
    return made;
  }
  // Answers each call of that function with that status, until another is set.
  void Fail(DispatchFunction function) {
    answer_ = [function](const DispatchCall& call, DispatchAnswer good) {
      if (call.function == function) good.status = kLiteRtStatusErrorRuntimeFailure;
      return good;
    };
  }

  std::function<DispatchAnswer(const DispatchCall&, DispatchAnswer good)> answer_;
  uint64_t made_ = 0;
  std::unique_ptr<ScriptedWorker> worker_;
  std::unique_ptr<Link> link_;
};

TEST_F(HostileLibraryTest, WhatIsNotDestroyedCanBeDestroyedOnceMore) {
  LiteRtDispatchDeviceContext device = Device();
  LiteRtDispatchInvocationContext invocation = InvocationOn(device);
  Fail(kInvocationDestroy);
  EXPECT_EQ(DestroyInvocation(invocation), kLiteRtStatusErrorRuntimeFailure);
  Fail(kDeviceDestroy);
  EXPECT_EQ(DestroyInvocation(invocation), kLiteRtStatusOk);
  EXPECT_EQ(DestroyDevice(device), kLiteRtStatusErrorRuntimeFailure);
  answer_ = nullptr;
  EXPECT_EQ(DestroyDevice(device), kLiteRtStatusOk);
  for (const auto& [function, number] : {std::pair(kDeviceDestroy, 1), {kInvocationDestroy, 2}}) {
    const auto calls = worker_->CallsOf(function);
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].object, number);
    EXPECT_EQ(calls[1].object, number);
  }
}

TEST_F(HostileLibraryTest, WhatWasNotDestroyedBeforeTheLinkWasLostMayBeTriedAgain) {
  LiteRtDispatchDeviceContext device = Device();
  LiteRtDispatchInvocationContext invocation = InvocationOn(device);
  shutdown(link_->from_device(), SHUT_RDWR);
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(DestroyInvocation(invocation), kLiteRtStatusErrorRuntimeFailure);
    EXPECT_EQ(DestroyDevice(device), kLiteRtStatusErrorRuntimeFailure);
  }
}

TEST_F(HostileLibraryTest, AnInvocationMayOutlastItsDevice) {
  LiteRtDispatchDeviceContext device = Device();
  LiteRtDispatchInvocationContext invocation = InvocationOn(device);
  alignas(64) float memory[16] = {};
  const LiteRtRankedTensorType type = FloatType();
  LiteRtTensorBuffer buffer = nullptr;
  ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(&type, memory, kElems * sizeof(float), nullptr,
                                                   &buffer),
            kLiteRtStatusOk);
  LiteRtTensorBufferHandle handle = 0;
  ASSERT_EQ(Register(device, buffer, &handle), kLiteRtStatusOk);
  ASSERT_EQ(AttachInput(invocation, 0, handle), kLiteRtStatusOk);
  ASSERT_EQ(Invoke(invocation), kLiteRtStatusOk);
  ASSERT_EQ(DestroyDevice(device), kLiteRtStatusOk);
  LiteRtDestroyTensorBuffer(buffer);
  EXPECT_EQ(Invoke(invocation), kLiteRtStatusOk);
  const auto runs = worker_->CallsOf(kInvoke);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].buffers.size(), 1U);
  EXPECT_EQ(runs[1].buffers.size(), 0U);
  EXPECT_EQ(DestroyInvocation(invocation), kLiteRtStatusOk);
}

long PeakKib() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(HostileLibraryTest, ARefusedRunCostsNoMemoryForItsEvents) {
  LiteRtDispatchInvocationContext invocation = InvocationOn(Device());
  Fail(kInvokeAsync);
  const long before = PeakKib();
  std::array<LiteRtEvent, 1> events = {};
  EXPECT_EQ(remote_async_table.invoke_async(invocation, 1 << 26, events.data()),
            kLiteRtStatusErrorRuntimeFailure);
  EXPECT_LT(PeakKib() - before, 100 << 10);
}

// As many events as there are places for, and null for those that did not come.
TEST_F(HostileLibraryTest, ARunHasNoMoreEventsThanPlaces) {
  LiteRtDispatchInvocationContext invocation = InvocationOn(Device());
  const LiteRtEvent untouched = reinterpret_cast<LiteRtEvent>(&made_);
  for (const size_t num_come : {0, 1, 2, 5}) {
    answer_ = [num_come](const DispatchCall& call, DispatchAnswer good) {
      if (call.function == kInvokeAsync) good.objects.assign(num_come, 77);
      return good;
    };
    std::array<LiteRtEvent, 3> events = {untouched, untouched, untouched};
    EXPECT_EQ(remote_async_table.invoke_async(invocation, 2, events.data()), kLiteRtStatusOk);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(events[i] != nullptr, i < num_come) << num_come;
    EXPECT_EQ(events[2], untouched);
    for (size_t i = 0; i < 2; ++i) LiteRtDestroyEvent(events[i]);
  }
}

// The library would wait for ever for an event that nobody can watch here.
TEST_F(HostileLibraryTest, AnEventThatCantBeWatchedIsNotAttached) {
  LiteRtDispatchInvocationContext invocation = InvocationOn(Device());
  LiteRtEvent nothing_behind = nullptr;
  ASSERT_EQ(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeCustom, &nothing_behind),
            kLiteRtStatusOk);
  EXPECT_EQ(remote_async_table.attach_input_event(invocation, 0, nothing_behind),
            kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(worker_->CallsOf(kAttachInputEvent).size(), 0U);
  LiteRtDestroyEvent(nothing_behind);
}

// What no library on npukit's headers takes either.
const struct {
  const char* what;
  std::vector<NpukitCompileSpec> specs;
  size_t num_specs;
} kUnreadable[] = {{"no specs", {}, 1},
                   {"no key", {{nullptr, "x", 1}}, 1},
                   {"no key behind a good one", {{"key", nullptr, 0}, {nullptr, "x", 1}}, 2},
                   {"no data", {{"key", nullptr, 1}}, 1}};

TEST_F(HostileLibraryTest, UnreadableSpecsAreRefused) {
  LiteRtDispatchDeviceContext device = Device();
  for (const auto& [what, specs, num_specs] : kUnreadable) {
    EXPECT_EQ(SetCompileSpecs(device, specs.empty() ? nullptr : specs.data(), num_specs),
              kLiteRtStatusErrorInvalidArgument)
        << what;
  }
  EXPECT_EQ(worker_->CallsOf(kSetCompileSpecs).size(), 0U);
  EXPECT_EQ(SetCompileSpecs(device, nullptr, 0), kLiteRtStatusOk);
  const NpukitCompileSpec kGood[] = {{"key", nullptr, 0}, {"other", "a\0b", 3}};
  EXPECT_EQ(SetCompileSpecs(device, kGood, 2), kLiteRtStatusOk);
  EXPECT_EQ(worker_->CallsOf(kSetCompileSpecs).back().texts,
            std::vector<std::string>({"key", "", "other", std::string("a\0b", 3)}));
}

// -- A compiler plugin ----------------------------------------------------------------------------

class HostilePluginTest : public testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
    ASSERT_TRUE(InstallRemotePlugin(*link_, AnyFile()));
    ASSERT_TRUE(OpenRemotePlugin());
  }
  void TearDown() override {
    UninstallRemotePlugin();
    link_ = nullptr;
  }

  PluginAnswer answer_;
  ScriptedWorker worker_{nullptr, [this](const PluginCall&) { return answer_; }};
  std::unique_ptr<Link> link_;
};

// Nothing but what came is given out, and what was given out stays.
TEST_F(HostilePluginTest, BytecodeHasTheSizeOfWhatCame) {
  LiteRtCompiledResult result = PluginState::Get().AddResult(7);
  const void* first = nullptr;
  size_t size_bytes = 0;
  answer_ = {.number = uint64_t{1} << 40, .bytes = {1, 2, 3}};
  ASSERT_EQ(GetByteCode(result, 0, &first, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(size_bytes, 3U);
  answer_ = {.number = 5, .bytes = {4, 5, 6, 7, 8}};
  const void* again = nullptr;
  ASSERT_EQ(GetByteCode(result, 0, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, first);
  EXPECT_EQ(size_bytes, 3U);
  EXPECT_EQ(std::memcmp(first, "\1\2\3", 3), 0);
  // An empty one likewise.
  answer_ = {.number = 9};
  ASSERT_EQ(GetByteCode(result, 1, &first, &size_bytes), kLiteRtStatusOk);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(size_bytes, 0U);
  answer_ = {.number = 1, .bytes = {4}};
  ASSERT_EQ(GetByteCode(result, 1, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, first);
  EXPECT_EQ(size_bytes, 0U);
  // One that there is not has the size that the plugin says, as without a device.
  answer_ = {.is_null = true, .number = 9};
  ASSERT_EQ(GetByteCode(result, 2, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, nullptr);
  EXPECT_EQ(size_bytes, 9U);
  DestroyCompiledResult(result);
}

TEST_F(HostilePluginTest, UnreadableSpecsAreRefused) {
  const auto library = PluginLibrary::Open("linked:Scripted", kNpukitStaticPluginCompiler);
  ASSERT_TRUE(library);
  const auto set = reinterpret_cast<NpukitSetCompileSpecsT>(library->Find("NpukitSetCompileSpecs"));
  ASSERT_NE(set, nullptr);
  LiteRtCompilerPlugin plugin = PluginState::Get().AddPlugin(1);
  for (const auto& [what, specs, num_specs] : kUnreadable) {
    EXPECT_EQ(set(plugin, NPUKIT_ALL_PARTITIONS, specs.empty() ? nullptr : specs.data(), num_specs),
              kLiteRtStatusErrorInvalidArgument)
        << what;
  }
  EXPECT_EQ(set(plugin, NPUKIT_ALL_PARTITIONS, nullptr, 0), kLiteRtStatusOk);
  PluginState::Get().Remove(plugin);
}

}  // namespace
}  // namespace npukit::remote

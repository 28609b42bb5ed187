// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The calls of a library's process, of a library that is this test's own: what is kept for it, how long, and that nothing
// of it is called while others are locked out.

#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/static_plugin.h"
#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/worker/file_cache.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

using enum DispatchFunction;

// -- The library ----------------------------------------------------------------------------------

int num_refusals = 0;  // of calls that destroy something, from now on
std::function<void()> on_event_end;

// A handle of what has nothing behind it.
template <typename Handle>
LiteRtStatus Make(Handle* handle) {
  static int object = 0;
  *handle = reinterpret_cast<Handle>(&object);
  return kLiteRtStatusOk;
}
LiteRtStatus Destroy() {
  if (num_refusals == 0) return kLiteRtStatusOk;
  --num_refusals;
  return kLiteRtStatusErrorRuntimeFailure;
}
LiteRtStatus GiveText(const char** text) {
  *text = "Own";
  return kLiteRtStatusOk;
}

struct OwnEvent : LiteRtCustomEventT {
  OwnEvent() : LiteRtCustomEventT{} {
    Retain = [](LiteRtCustomEvent event) { ++static_cast<OwnEvent*>(event)->references; };
    Release = [](LiteRtCustomEvent event) {
      auto* const own = static_cast<OwnEvent*>(event);
      if (--own->references > 0) return;
      delete own;
      if (on_event_end) on_event_end();
    };
  }
  int references = 0;
};

LiteRtStatus InvokeAsync(LiteRtDispatchInvocationContext, int num_events, LiteRtEvent* events) {
  for (int i = 0; i < num_events; ++i) {
    LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeCustom, &events[i]);
    LiteRtSetCustomEvent(events[i], new OwnEvent);
  }
  return kLiteRtStatusOk;
}

LiteRtDispatchInterface table = {
    .initialize = [](LiteRtEnvironment, LiteRtOptions) { return kLiteRtStatusOk; },
    .get_vendor_id = GiveText,
    .get_build_id = GiveText,
    .get_capabilities =
        [](int* capabilities) {
          *capabilities = kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesAsync |
                          kLiteRtDispatchCapabilitiesGraph;
          return kLiteRtStatusOk;
        },
    .device_context_create = [](LiteRtOptions,
                                LiteRtDispatchDeviceContext* device) { return Make(device); },
    .device_context_destroy = [](LiteRtDispatchDeviceContext) { return Destroy(); },
    .get_input_requirements = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .get_output_requirements = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .register_tensor_buffer =
        [](LiteRtDispatchDeviceContext, LiteRtTensorBuffer, LiteRtTensorBufferHandle* handle) {
          *handle = 100;
          return kLiteRtStatusOk;
        },
    .unregister_tensor_buffer = [](auto...) { return kLiteRtStatusOk; },
    .invocation_context_create = [](LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                                    const LiteRtMemBuffer*, const char*, int, int,
                                    LiteRtDispatchInvocationContext* made) { return Make(made); },
    .invocation_context_destroy = [](LiteRtDispatchInvocationContext) { return Destroy(); },
    .invocation_context_set_scheduling_info = nullptr,
    .attach_input = [](auto...) { return kLiteRtStatusOk; },
    .attach_output = [](auto...) { return kLiteRtStatusOk; },
    .detach_input = [](auto...) { return kLiteRtStatusOk; },
    .detach_output = [](auto...) { return kLiteRtStatusOk; },
    .invoke = [](auto...) { return kLiteRtStatusOk; },
    .start_metrics_collection = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .stop_metrics_collection = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .get_num_metrics = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .get_metric = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .destroy_metrics = [](auto...) { return kLiteRtStatusErrorUnsupported; },
    .check_runtime_compatibility = [](auto...) { return kLiteRtStatusOk; },
    .invocation_context_set_options = nullptr,
};

LiteRtDispatchAsyncInterface async_table = {
    .attach_input_event = [](auto...) { return kLiteRtStatusOk; }, .invoke_async = InvokeAsync};

LiteRtDispatchGraphInterface GraphTable() {
  LiteRtDispatchGraphInterface graphs = {};
  graphs.graph_create = [](LiteRtDispatchDeviceContext, LiteRtDispatchGraph* graph) {
    return Make(graph);
  };
  graphs.graph_destroy = [](LiteRtDispatchGraph) { return Destroy(); };
  graphs.load_executable = [](LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                              const LiteRtMemBuffer*, LiteRtDispatchExecutableHandle* handle) {
    *handle = 5;
    return kLiteRtStatusOk;
  };
  graphs.unload_executable = [](auto...) { return Destroy(); };
  return graphs;
}

LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  static LiteRtDispatchGraphInterface graph_table = GraphTable();
  *api = {.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH},
          .interface = &table,
          .async_interface = &async_table,
          .graph_interface = &graph_table};
  return kLiteRtStatusOk;
}

// -- The session ----------------------------------------------------------------------------------

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    const NpukitStaticSymbol symbol = {"LiteRtDispatchGetApi",
                                       reinterpret_cast<NpukitStaticFunction>(GetApi)};
    const NpukitStaticPlugin plugin = {.struct_size = sizeof(NpukitStaticPlugin),
                                       .kind = kNpukitStaticPluginDispatch,
                                       .name = "Own",
                                       .symbols = &symbol,
                                       .num_symbols = 1};
    ASSERT_EQ(NpukitRegisterStaticPlugin(&plugin), kLiteRtStatusOk);
    auto cache = FileCache::Open(CacheFolder());
    ASSERT_TRUE(cache);
    cache_ = std::make_unique<FileCache>(std::move(*cache));
    auto session = LibrarySession::Open("linked:Own", *cache_);
    ASSERT_TRUE(session) << session.Error().Message();
    session_ = std::move(*session);
  }
  void TearDown() override {
    session_ = nullptr;
    NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, "Own");
    on_event_end = nullptr;
    num_refusals = 0;
  }

  DispatchAnswer Call(const DispatchCall& call) {
    auto answers = session_->Run({call});
    EXPECT_TRUE(answers) << answers.Error().Message();
    return answers ? std::move(answers->front()) : DispatchAnswer{};
  }
  uint64_t Made(const DispatchCall& call) {
    const DispatchAnswer answer = Call(call);
    EXPECT_EQ(answer.status, kLiteRtStatusOk);
    return answer.object;
  }

  std::unique_ptr<FileCache> cache_;
  std::unique_ptr<LibrarySession> session_;
};

TEST_F(SessionTest, WhatALibraryDoesNotDestroyStays) {
  const uint64_t device = Made({.function = kDeviceCreate});
  const uint64_t invocation = Made({.function = kInvocationCreate, .object = device});
  const uint64_t graph = Made({.function = kGraphCreate, .object = device});
  const DispatchCall kCalls[] = {{.function = kGraphDestroy, .object = graph},
                                 {.function = kInvocationDestroy, .object = invocation},
                                 {.function = kDeviceDestroy, .object = device}};
  for (const DispatchCall& call : kCalls) {
    num_refusals = 1;
    EXPECT_EQ(Call(call).status, kLiteRtStatusErrorRuntimeFailure) << NameOf(call.function);
    EXPECT_EQ(Call(call).status, kLiteRtStatusOk) << NameOf(call.function);
    EXPECT_FALSE(session_->Run({call})) << NameOf(call.function) << " of what is gone";
  }
}

#if defined(__GLIBC__)
size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Bytecode is kept as long as it is loaded, also where a library gives the same handle for several.
TEST_F(SessionTest, UnloadedExecutablesCostNoMemory) {
  constexpr size_t kBytes = size_t{4} << 20;
  const uint64_t device = Made({.function = kDeviceCreate});
  const DispatchCall load{.function = kLoadExecutable,
                          .object = device,
                          .size_bytes = kBytes,
                          .bytes = std::vector<uint8_t>(kBytes, 1)};
  const size_t before = BytesInUse();
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(Call(load).status, kLiteRtStatusOk);
    const DispatchCall unload{.function = kUnloadExecutable, .object = device, .handle = 5};
    num_refusals = 1;
    EXPECT_EQ(Call(unload).status, kLiteRtStatusErrorRuntimeFailure);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(Call(unload).status, kLiteRtStatusOk);
  }
  EXPECT_LT(BytesInUse(), before + 2 * kBytes);
}
#endif

// The end of an output event is the library's function, and may wait for a call on another thread. Each row is a way in
// which a buffer is the last to have it.
TEST_F(SessionTest, EventsEndWhileNobodyIsLockedOut) {
  const std::pair<const char*, DispatchCall> kRows[] = {
      {"another state", {.function = kGetEventStatus}},
      {"unregistered", {.function = kUnregister, .handle = 100}},
      {"replaced", {.function = kRegister, .size_bytes = 20, .type = FloatType()}},
      {"with its device", {.function = kDeviceDestroy}}};
  for (const auto& [what, row] : kRows) {
    SCOPED_TRACE(what);
    const uint64_t device = Made({.function = kDeviceCreate});
    const uint64_t invocation = Made({.function = kInvocationCreate, .object = device});
    const uint64_t buffer =
        Made({.function = kRegister, .object = device, .size_bytes = 20, .type = FloatType()});
    const DispatchAnswer started =
        Call({.function = kInvokeAsync, .object = invocation, .index = 1});
    ASSERT_EQ(started.objects.size(), 1U);
    const uint64_t event = started.objects.front();
    Call({.function = kGetEventStatus, .states = {{buffer, 0, event}}});
    int num_ended = 0;
    bool is_locked = false;
    on_event_end = [&] {
      ++num_ended;
      const auto done = std::make_shared<std::promise<void>>();
      auto is_done = done->get_future();
      std::thread([done, session = session_.get()] {
        (void)session->Run({{.function = kGetEventStatus}});
        done->set_value();
      }).detach();
      is_locked = is_done.wait_for(std::chrono::seconds(3)) != std::future_status::ready;
    };
    Call({.function = kGetEventStatus, .dropped_events = {event}});
    EXPECT_EQ(num_ended, 0) << "the buffer had it";
    DispatchCall last = row;
    if (last.function == kGetEventStatus) {
      last.states = {{buffer, 0, 0}};
    } else {
      last.object = device;
    }
    EXPECT_TRUE(session_->Run({last}));
    EXPECT_EQ(num_ended, 1);
    EXPECT_FALSE(is_locked);
    // Those of the detached thread have ended by now, unless they were locked out.
    if (is_locked) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The calls of a library's process, of a library that is this test's own: what is kept for it, and how long.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

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

LiteRtDispatchInterface table = {
    .initialize = [](LiteRtEnvironment, LiteRtOptions) { return kLiteRtStatusOk; },
    .get_vendor_id = GiveText,
    .get_build_id = GiveText,
    .get_capabilities =
        [](int* capabilities) {
          *capabilities = kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesGraph;
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

LiteRtDispatchGraphInterface GraphTable() {
  LiteRtDispatchGraphInterface graphs = {};
  graphs.graph_create = [](LiteRtDispatchDeviceContext, LiteRtDispatchGraph* graph) {
    return Make(graph);
  };
  graphs.graph_destroy = [](LiteRtDispatchGraph) { return Destroy(); };
  return graphs;
}

LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  static LiteRtDispatchGraphInterface graph_table = GraphTable();
  *api = {.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH},
          .interface = &table,
          .async_interface = nullptr,
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

}  // namespace
}  // namespace npukit::remote

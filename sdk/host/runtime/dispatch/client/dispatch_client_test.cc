// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The client over a table of functions that lies here: what it holds is given back once, whatever
// fails, and an error names the call.

#include "sdk/host/runtime/dispatch/client/dispatch_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string>* calls = nullptr;  // made so far
std::string failing;                        // the function that fails
char object;                                // what handles point to

LiteRtStatus Made(const char* function) {
  calls->push_back(function);
  return failing == function ? kLiteRtStatusErrorRuntimeFailure : kLiteRtStatusOk;
}

DispatchTables Tables() {
  DispatchTables tables;
  LiteRtDispatchInterface& t = tables.basic;
  // A failing call writes where it should not; that must not be destroyed.
  t.device_context_create = [](LiteRtOptions, LiteRtDispatchDeviceContext* made) {
    *made = reinterpret_cast<LiteRtDispatchDeviceContext>(&object);
    return Made("create device");
  };
  t.device_context_destroy = [](LiteRtDispatchDeviceContext) { return Made("destroy device"); };
  t.register_tensor_buffer = [](LiteRtDispatchDeviceContext, LiteRtTensorBuffer,
                                LiteRtTensorBufferHandle* handle) {
    *handle = 7;
    return Made("register");
  };
  t.unregister_tensor_buffer = [](LiteRtDispatchDeviceContext, LiteRtTensorBufferHandle) {
    return Made("unregister");
  };
  t.invocation_context_create = [](LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                                   const LiteRtMemBuffer*, const char*, int, int,
                                   LiteRtDispatchInvocationContext* made) {
    *made = reinterpret_cast<LiteRtDispatchInvocationContext>(&object);
    return Made("create invocation");
  };
  t.invocation_context_destroy = [](LiteRtDispatchInvocationContext) {
    return Made("destroy invocation");
  };
  t.attach_input = [](LiteRtDispatchInvocationContext, int, LiteRtTensorBufferHandle) {
    return Made("attach input");
  };
  t.attach_output = [](LiteRtDispatchInvocationContext, int, LiteRtTensorBufferHandle) {
    return Made("attach output");
  };
  t.detach_input = [](LiteRtDispatchInvocationContext, int, LiteRtTensorBufferHandle) {
    return Made("detach input");
  };
  t.detach_output = [](LiteRtDispatchInvocationContext, int, LiteRtTensorBufferHandle) {
    return Made("detach output");
  };
  t.invoke = [](LiteRtDispatchInvocationContext) { return Made("invoke"); };
  return tables;
}

class DispatchClientTest : public ::testing::Test {
 protected:
  DispatchClientTest() : client_("/x/library.so", Tables(), {}) {
    calls = &calls_;
    failing.clear();
    type_.element_type = kLiteRtElementTypeFloat32;
    type_.layout.rank = 1;
    type_.layout.dimensions[0] = 4;
  }

  // Makes one of each, attached at both ends, and runs it.
  litert::Expected<void> RunOnce() {
    auto device = DispatchDevice::Create(client_, nullptr);
    if (!device) return device.Error();
    auto invocation =
        DispatchInvocation::Create(**device, DispatchExecutable::OfBytecode(memory_), "main", 1, 1);
    if (!invocation) return invocation.Error();
    auto buffer = BufferRegistration::Create(**device, memory_, type_);
    if (!buffer) return buffer.Error();
    for (bool is_input : {true, false}) {
      auto attached = (*invocation)->Attach({.is_input = is_input}, **buffer);
      if (!attached) return Close(**device, **invocation, **buffer, attached);
    }
    return Close(**device, **invocation, **buffer, (*invocation)->Invoke());
  }

  // In the order that the API asks for; the destructors have nothing to do then.
  static litert::Expected<void> Close(DispatchDevice& device, DispatchInvocation& invocation,
                                      BufferRegistration& buffer, litert::Expected<void> result) {
    for (const auto& closed :
         {invocation.DetachAll(), buffer.Close(), invocation.Close(), device.Close()}) {
      if (result && !closed) result = closed.Error();
    }
    return result;
  }

  DispatchClient client_;
  LiteRtRankedTensorType type_ = {};
  alignas(64) uint8_t memory_[64] = {};
  std::vector<std::string> calls_;
};

TEST_F(DispatchClientTest, GivesEachObjectBackOnceAndInOrder) {
  const auto run = RunOnce();
  EXPECT_TRUE(run) << run.Error();
  EXPECT_THAT(calls_, ElementsAre("create device", "create invocation", "register", "attach input",
                                  "attach output", "invoke", "detach output", "detach input",
                                  "unregister", "destroy invocation", "destroy device"));
}

TEST_F(DispatchClientTest, AnErrorNamesTheCallAndNothingElseIsLeftOrGivenBackTwice) {
  struct Case {
    const char* function;
    const char* message;
  };
  const Case cases[] = {
      {"create device", "device_context_create"},
      {"create invocation",
       "invocation_context_create(64 bytes of bytecode, 1 inputs, 1 outputs) of 'main'"},
      {"register", "register_tensor_buffer(64 bytes of host memory)"},
      {"attach input", "attach_input(0, handle 7) of 'main'"},
      {"attach output", "attach_output(0, handle 7) of 'main'"},
      {"invoke", "invoke of 'main'"},
      {"detach input", "detach_input(0, handle 7) of 'main'"},
      {"detach output", "detach_output(0, handle 7) of 'main'"},
      {"unregister", "unregister_tensor_buffer(handle 7)"},
      {"destroy invocation", "invocation_context_destroy of 'main'"},
      {"destroy device", "device_context_destroy"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.function);
    calls_.clear();
    failing = c.function;
    const auto run = RunOnce();
    ASSERT_FALSE(run);
    EXPECT_EQ(run.Error().Message(), std::string("/x/library.so: ") + c.message +
                                         ": gave kLiteRtStatusErrorRuntimeFailure");
    EXPECT_EQ(run.Error().Status(), kLiteRtStatusErrorRuntimeFailure);
    const auto count = [&](const char* function) {
      return std::count(calls_.begin(), calls_.end(), function);
    };
    const auto made = [&](const char* function) {
      return failing == function ? 0 : count(function);
    };
    EXPECT_EQ(count("destroy device"), made("create device"));
    EXPECT_EQ(count("destroy invocation"), made("create invocation"));
    EXPECT_EQ(count("unregister"), made("register"));
    EXPECT_EQ(count("detach input"), made("attach input"));
    EXPECT_EQ(count("detach output"), made("attach output"));
  }
}

TEST_F(DispatchClientTest, AnObserverIsToldOfEveryCall) {
  class Observer : public DispatchCallObserver {
   public:
    void Begin(std::string_view function) override { log.emplace_back(function); }
    void End(std::string_view function) override { log.push_back("/" + std::string(function)); }
    std::vector<std::string> log;
  };
  Observer observer;
  const DispatchClient observed = client_.ObservedBy(observer);
  {
    const auto device = DispatchDevice::Create(observed, nullptr);
    ASSERT_TRUE(device) << device.Error();
  }
  EXPECT_THAT(observer.log, ElementsAre("device_context_create", "/device_context_create",
                                        "device_context_destroy", "/device_context_destroy"));
  observer.log.clear();
  EXPECT_TRUE(RunOnce());
  EXPECT_THAT(observer.log, IsEmpty());
}

TEST_F(DispatchClientTest, WithoutANameErrorsBeginWithTheCall) {
  const DispatchClient nameless("", Tables(), {});
  failing = "create device";
  const auto device = DispatchDevice::Create(nameless, nullptr);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.Error().Message(),
            "device_context_create: gave kLiteRtStatusErrorRuntimeFailure");
}

}  // namespace
}  // namespace npukit

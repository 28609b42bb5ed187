// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sessions over a test device that misbehaves in every way a vendor may: each is an error that
// names the call, and leaves nothing behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(DispatchSession, EveryFaultWhileLoadingIsAnErrorAndLeavesNothing) {
  struct Case {
    const char* fault;
    const char* call;
  };
  const Case cases[] = {
      {"device_fails", "device_context_create: gave"},
      {"device_null", "device_context_create: gave a null device context"},
      {"create_fails", "invocation_context_create("},
      {"create_null", "gave a null invocation context"},
      {"requirements_fail",
       "get_input_requirements(0, 'x') of 'square': gave kLiteRtStatusErrorUnsupported"},
      {"requirements_null", "get_input_requirements(0, 'x') of 'square': gave null requirements"},
      {"requirements_type", "host memory is not among"},
      {"requirements_small", "asks for 1 bytes, the tensor needs 24"},
      {"requirements_alignment", "asks for an alignment of 4194304 bytes"},
      {"requirements_strides", "gives strides by which elements overlap"},
      {"register_fails", "register_tensor_buffer(24 bytes"},
      {"attach_input_fails", "attach_input(0, handle"},
      {"attach_output_fails", "attach_output(0, handle"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.fault);
    DeviceState() = {};
    DeviceState().fault = c.fault;
    auto session = Create(SharedInputModel());
    ASSERT_FALSE(session);
    EXPECT_THAT(session.Error().Message(), AllOf(HasSubstr(kDeviceDir), HasSubstr(c.call)));
    EXPECT_TRUE(DeviceState().AllReleased());
    EXPECT_THAT(DeviceState().violations, IsEmpty());
  }
}

// What was made before the failure is given back, the last first, and nothing else.
TEST_F(DispatchSession, AfterAFailureCallsAreUndoneInReverseOrder) {
  struct Case {
    const char* fault;
    std::vector<std::string> calls;
  };
  const std::string kDevice = "device_context_create";
  const std::string kNoDevice = "device_context_destroy";
  const std::string kCreate = "invocation_context_create(square)";
  const std::string kDestroy = "invocation_context_destroy(square)";
  const std::string kRegister = "register_tensor_buffer";
  const std::string kUnregister = "unregister_tensor_buffer";
  const Case cases[] = {
      {"device_fails", {kDevice}},
      {"create_fails", {kDevice, kCreate, kNoDevice}},
      {"requirements_fail", {kDevice, kCreate, kDestroy, kNoDevice}},
      {"register_fails", {kDevice, kCreate, kRegister, kDestroy, kNoDevice}},
      {"attach_input_fails",
       {kDevice, kCreate, kRegister, "attach_input(square, 0)", kUnregister, kDestroy, kNoDevice}},
      {"attach_output_fails",
       {kDevice, kCreate, kRegister, "attach_input(square, 0)", "attach_input(square, 1)",
        kRegister, "attach_output(square, 0)", "detach_input(square, 1)", "detach_input(square, 0)",
        kUnregister, kUnregister, kDestroy, kNoDevice}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.fault);
    DeviceState() = {};
    DeviceState().fault = c.fault;
    ASSERT_FALSE(Create(SharedInputModel()));
    std::vector<std::string> calls = DeviceState().calls;
    // The first session of the process initialises the library.
    if (!calls.empty() && calls.front() == "initialize") calls.erase(calls.begin());
    EXPECT_EQ(calls, c.calls);
  }
}

// Execution fails: the session can still be closed, in the usual order.
TEST_F(DispatchSession, AfterAFailedRunEverythingIsGivenBack) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  DeviceState().calls.clear();
  DeviceState().fault = "invoke_fails";
  EXPECT_FALSE((*session)->default_runner().Run());
  EXPECT_TRUE((*session)->Close());
  EXPECT_THAT(
      DeviceState().calls,
      ElementsAre("detach_output(square, 0)", "detach_input(square, 1)", "detach_input(square, 0)",
                  "unregister_tensor_buffer", "unregister_tensor_buffer",
                  "invocation_context_destroy(square)", "device_context_destroy"));
}

// Asked before anything is made of it; the reason comes back.
TEST_F(DispatchSession, ALibraryThatIsNotAvailableIsNotUsed) {
  struct Case {
    const char* variant;
    const char* reason;
  };
  for (const Case& c :
       {Case{"init_fails", "initialize: gave kLiteRtStatusErrorRuntimeFailure"},
        Case{"incompatible",
             "check_runtime_compatibility(0.1.0): gave kLiteRtStatusErrorWrongVersion"}}) {
    SCOPED_TRACE(c.variant);
    auto session = Session::Create(
        SharedInputModel(), {.plugin_dir = std::string(NPUKIT_TEST_DISPATCH_DIR "/") + c.variant});
    ASSERT_FALSE(session);
    EXPECT_THAT(session.Error().Message(), AllOf(HasSubstr(c.variant), HasSubstr(c.reason)));
  }
}

TEST_F(DispatchSession, AFailedInvokeNamesTheOpAndMayBeTriedAgain) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  DeviceState().fault = "invoke_fails";
  auto run = runner.Run();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.Error().Message(),
              AllOf(HasSubstr("dispatch op 0"), HasSubstr("'y'"), HasSubstr(kDeviceDir),
                    HasSubstr("invoke of 'square': gave kLiteRtStatusErrorRuntimeFailure")));
  DeviceState().fault = "";
  EXPECT_THAT(RunFloats(runner, {1, 2, 3, 4, 5, 6}), ElementsAre(2, 6, 12, 20, 30, 42));
}

TEST_F(DispatchSession, FaultsWhileClosingAreReportedAndNothingIsSkipped) {
  struct Case {
    const char* fault;
    const char* call;
  };
  for (const Case& c : {Case{"detach_fails", "detach_output(0"},
                        Case{"unregister_fails", "unregister_tensor_buffer("},
                        Case{"destroy_fails", "invocation_context_destroy"},
                        Case{"device_destroy_fails", "device_context_destroy"}}) {
    SCOPED_TRACE(c.fault);
    auto session = Create(SharedInputModel());
    ASSERT_TRUE(session) << session.Error();
    DeviceState().fault = c.fault;
    auto closed = (*session)->Close();
    ASSERT_FALSE(closed);
    EXPECT_THAT(closed.Error().Message(), HasSubstr(c.call));
    EXPECT_TRUE(DeviceState().AllReleased());
    EXPECT_TRUE((*session)->Close()) << "a second time there is nothing to do";
    DeviceState().fault = "";
  }
}

TEST_F(DispatchSession, ForeignOrMissingBytecodeIsAnError) {
  CompiledModel m("fn f mul\n");
  Tensor* x = m.b.Input("x", kFloat, {2});
  m.b.Output(m.Call("another", {x, x}, m.b.Value("y", kFloat, {2})));
  auto session = Create(m.Build());
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(),
              AllOf(HasSubstr("invocation_context_create("), HasSubstr("'another'")));

  CompiledModel empty("");
  x = empty.b.Input("x", kFloat, {2});
  Tensor* y = empty.Call("f", {x}, empty.b.Value("y", kFloat, {2}));
  y->defining_op->dispatch->bytecode = BufferStore::kEmpty;
  empty.b.Output(y);
  session = Create(empty.Build());
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("has no bytecode"));
}

TEST_F(DispatchSession, ACompiledModelWithoutItsLibraryIsAnError) {
  auto session = Session::Create(SharedInputModel(), {});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), AllOf(HasSubstr("TestDevice"), HasSubstr("--plugin-dir")));
  session = Session::Create(SharedInputModel(), {.plugin_dir = "/nonexistent"});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("/nonexistent"));
  session = Session::Create(SharedInputModel(), {.plugin_dir = NPUKIT_SOURCE_DIR "/sdk/include"});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("no dispatch library"));
}

}  // namespace
}  // namespace npukit

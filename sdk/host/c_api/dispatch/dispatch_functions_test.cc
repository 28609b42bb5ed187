// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library driven by the functions of litert_dispatch.h.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "litert/c/litert_environment.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch.h"

namespace {

LiteRtEnvironment EnvironmentOf(const std::string& folder) {
  LiteRtEnvOption option = {};
  option.tag = kLiteRtEnvOptionTagDispatchLibraryDir;
  option.value.type = kLiteRtAnyTypeString;
  option.value.str_value = folder.c_str();
  LiteRtEnvironment environment = nullptr;
  EXPECT_EQ(LiteRtCreateEnvironment(1, &option, &environment), kLiteRtStatusOk);
  return environment;
}

// Whether the hook that the library gives is its own, told apart by what it writes into its log.
bool IsTheLibrarysHook() {
  LiteRtEnvironment environment = EnvironmentOf(NPUKIT_TEST_DISPATCH_DIR "/queried_hooks");
  LiteRtOptions options = nullptr;
  LiteRtDispatchDeviceContext device = nullptr;
  LiteRtHook hook = nullptr;
  void* user_data = nullptr;
  if (LiteRtDispatchInitialize(environment, nullptr) != kLiteRtStatusOk ||
      LiteRtCreateOptions(&options) != kLiteRtStatusOk ||
      LiteRtDispatchDeviceContextCreate(options, &device) != kLiteRtStatusOk ||
      LiteRtDispatchGetHooks(device, &hook, nullptr) != kLiteRtStatusOk || hook == nullptr ||
      LiteRtDispatchGetHooks(device, &hook, &user_data) != kLiteRtStatusOk) {
    return false;
  }
  hook(kLiteRtHookTypeCompilerStart, nullptr, 0, user_data);
  Dl_info library = {};
  if (dladdr(reinterpret_cast<void*>(hook), &library) == 0) return false;
  void* const handle = dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  const auto log = reinterpret_cast<const char* (*)()>(dlsym(handle, "TestHooks"));
  return log != nullptr && std::string(log()) == "2";
}

// In a process of its own: a library stays open once it is.
TEST(DispatchFunctionsDeathTest, HooksAreTheLibrarys) {
  EXPECT_EXIT(std::_Exit(IsTheLibrarysHook() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

// One test: the library stays open once it is.
TEST(DispatchFunctionsTest, CallTheOneLibraryThatIsOpened) {
  const char* text = nullptr;
  LiteRtDispatchDeviceContext device = nullptr;
  EXPECT_EQ(LiteRtDispatchGetVendorId(&text), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(LiteRtDispatchDeviceContextCreate(nullptr, &device), kLiteRtStatusErrorInvalidArgument);

  for (const char* folder : {"/no/such/folder", NPUKIT_TEST_DISPATCH_DIR "/init_fails"}) {
    LiteRtEnvironment environment = EnvironmentOf(folder);
    EXPECT_NE(LiteRtDispatchInitialize(environment, nullptr), kLiteRtStatusOk) << folder;
    LiteRtDestroyEnvironment(environment);
  }
  LiteRtEnvironment nowhere = nullptr;
  ASSERT_EQ(LiteRtCreateEnvironment(0, nullptr, &nowhere), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtDispatchInitialize(nowhere, nullptr), kLiteRtStatusErrorNotFound);
  LiteRtDestroyEnvironment(nowhere);

  LiteRtEnvironment environment = EnvironmentOf(NPUKIT_TEST_DISPATCH_DIR "/healthy");
  ASSERT_EQ(LiteRtDispatchInitialize(environment, nullptr), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtDispatchInitialize(environment, nullptr), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtDispatchGetVendorId(&text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "TestDevice");
  ASSERT_EQ(LiteRtDispatchGetBuildId(&text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "test-1");
  int capabilities = 0;
  ASSERT_EQ(LiteRtDispatchGetCapabilities(&capabilities), kLiteRtStatusOk);
  EXPECT_TRUE(capabilities & kLiteRtDispatchCapabilitiesBasic);
  LiteRtApiVersion version = {};
  ASSERT_EQ(LiteRtDispatchGetApiVersion(&version), kLiteRtStatusOk);
  EXPECT_EQ(version.minor, LITERT_API_VERSION_MINOR);
  LiteRtEnvironmentOptions options = nullptr;
  ASSERT_EQ(LiteRtGetEnvironmentOptions(environment, &options), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtDispatchCheckRuntimeCompatibility(version, options, nullptr), kLiteRtStatusOk);

  LiteRtOptions none = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&none), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtDispatchDeviceContextCreate(none, &device), kLiteRtStatusOk);
  const LiteRtRankedTensorType type = {
      .element_type = kLiteRtElementTypeInt8,
      .layout = {.rank = 1, .has_strides = false, .dimensions = {4}, .strides = {}}};
  LiteRtTensorBuffer buffer = nullptr;
  ASSERT_EQ(LiteRtCreateManagedTensorBuffer(environment, kLiteRtTensorBufferTypeHostMemory, &type,
                                            64, &buffer),
            kLiteRtStatusOk);
  LiteRtTensorBufferHandle handle = 0;
  ASSERT_EQ(LiteRtDispatchRegisterTensorBuffer(device, buffer, &handle), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtDispatchUnregisterTensorBuffer(device, handle), kLiteRtStatusOk);
  EXPECT_NE(LiteRtDispatchUnregisterTensorBuffer(device, handle), kLiteRtStatusOk);
  // The library has no hooks, and no graphs.
  LiteRtHook hook = [](LiteRtHookType, const void*, size_t, void*) {};
  EXPECT_EQ(LiteRtDispatchGetHooks(device, &hook, nullptr), kLiteRtStatusOk);
  EXPECT_EQ(hook, nullptr);
  EXPECT_EQ(LiteRtDispatchGetHooks(nullptr, &hook, nullptr), kLiteRtStatusErrorInvalidArgument);
  LiteRtDispatchGraph graph = nullptr;
  EXPECT_EQ(LiteRtDispatchGraphCreate(device, &graph), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(LiteRtDispatchDeviceContextDestroy(device), kLiteRtStatusOk);
  LiteRtDestroyTensorBuffer(buffer);
  LiteRtDestroyOptions(none);
  LiteRtDestroyEnvironment(environment);
}

}  // namespace

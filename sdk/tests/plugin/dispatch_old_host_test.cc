// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The library of mini_dispatch.cc, built for queried interfaces, under a host whose table of functions
// lacks some of ours.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/tests/output_of.h"
#include "sdk/tests/plugin/dispatch_fixture.h"
#include "sdk/tests/plugin/host_without_custom_events.h"

namespace npukit {
namespace {

// The queried tables, whose members have the signatures of abi 2.2.
class OldHost : public ::testing::Test {
 protected:
  void SetUp() override {
    void* const library = dlopen(NPUKIT_MINI_DISPATCH, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    using Query = LiteRtStatus (*)(int32_t, LiteRtApiVersion, LiteRtInterface*);
    const auto query = reinterpret_cast<Query>(dlsym(library, "LiteRtDispatchQueryInterface"));
    ASSERT_NE(query, nullptr);
    LiteRtInterface basic = nullptr;
    LiteRtInterface async = nullptr;
    ASSERT_EQ(query(0, {1, 0, 0}, &basic), kOk);
    ASSERT_EQ(query(1, {1, 0, 0}, &async), kOk);
    const auto* const after_header = static_cast<const char*>(basic) + sizeof(LiteRtAbiHeader);
    std::memcpy(&basic_, after_header, sizeof(basic_));
    std::memcpy(&async_, static_cast<const char*>(async) + sizeof(LiteRtAbiHeader), sizeof(async_));
    context_ = HostWithoutCustomEvents();
    using Initialize = LiteRtStatus (*)(const void*, LiteRtEnvironment, LiteRtOptions);
    ASSERT_EQ(reinterpret_cast<Initialize>(AnyOf(basic_.initialize))(context_, nullptr, nullptr),
              kOk);
    using CreateDevice = LiteRtStatus (*)(const void*, LiteRtOptions, LiteRtDispatchDeviceContext*);
    ASSERT_EQ(reinterpret_cast<CreateDevice>(AnyOf(basic_.device_context_create))(context_, nullptr,
                                                                                  &device_),
              kOk);
  }

  template <typename Function>
  static void* AnyOf(Function function) {
    return reinterpret_cast<void*>(function);
  }

  LiteRtDispatchInvocationContext Load(const std::string& code) {
    // LiteRtMemBuffer of abi 2.2 has a further member at its end.
    struct {
      LiteRtMemBuffer buffer;
      size_t alloc_base_file_offset;
    } memory = {{-1, code.data(), 0, code.size()}, 0};
    using Create =
        LiteRtStatus (*)(const void*, LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                         const void*, const char*, int, int, LiteRtDispatchInvocationContext*);
    LiteRtDispatchInvocationContext made = nullptr;
    EXPECT_EQ(
        reinterpret_cast<Create>(AnyOf(basic_.invocation_context_create))(
            context_, device_, kLiteRtDispatchExecutableTypeMlModel, &memory, "f", 1, 1, &made),
        kOk);
    return made;
  }

  LiteRtDispatchInterface basic_ = {};
  LiteRtDispatchAsyncInterface async_ = {};
  const void* context_ = nullptr;
  LiteRtDispatchDeviceContext device_ = nullptr;
};

// What it can't tell later it does before it returns; its events are signalled fences.
TEST_F(OldHost, WithoutCustomEventsARunEndsBeforeTheCall) {
  alignas(64) std::array<float, 4> in = {1, 2, 3, 4};
  alignas(64) std::array<float, 4> out = {};
  const auto type = FloatType(4);
  std::array<LiteRtTensorBuffer, 2> buffers = {};
  std::array<LiteRtTensorBufferHandle, 2> handles = {};
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(&type, i == 0 ? in.data() : out.data(),
                                                     sizeof(in), nullptr, &buffers[i]),
              kOk);
    ASSERT_EQ(basic_.register_tensor_buffer(device_, buffers[i], &handles[i]), kOk);
  }
  LiteRtDispatchInvocationContext context = Load("scale f 2\n");
  ASSERT_NE(context, nullptr);
  ASSERT_EQ(basic_.attach_input(context, 0, handles[0]), kOk);
  LiteRtEvent event = nullptr;
  EXPECT_NE(async_.invoke_async(context, 1, &event), kOk) << "an output is missing";
  ASSERT_EQ(basic_.attach_output(context, 0, handles[1]), kOk);
  ASSERT_EQ(async_.invoke_async(context, 1, &event), kOk);
  EXPECT_EQ(out[3], 8);
  bool is_signalled = false;
  EXPECT_EQ(LiteRtIsEventSignaled(event, &is_signalled), kOk);
  EXPECT_TRUE(is_signalled);
  EXPECT_EQ(LiteRtWaitEvent(event, -1), kOk);
  LiteRtDestroyEvent(event);
  // LiteRT logs an error for each custom event that it can't make.
  const int asked_before = times_asked;
  ASSERT_EQ(async_.invoke_async(context, 1, &event), kOk);
  EXPECT_EQ(times_asked, asked_before);
  LiteRtDestroyEvent(event);
  EXPECT_EQ(basic_.invocation_context_destroy(context), kOk);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(basic_.unregister_tensor_buffer(device_, handles[i]), kOk);
    LiteRtDestroyTensorBuffer(buffers[i]);
  }
  EXPECT_EQ(basic_.device_context_destroy(device_), kOk);
}

// No table has the function for that; the library that the table's functions lie in does.
TEST_F(OldHost, ARegisteredBufferIsKept) {
  static bool is_freed = false;
  alignas(64) std::array<float, 4> memory = {};
  const auto type = FloatType(4);
  LiteRtTensorBuffer buffer = nullptr;
  ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                &type, memory.data(), sizeof(memory), [](void*) { is_freed = true; }, &buffer),
            kOk);
  LiteRtTensorBufferHandle handle = 0;
  ASSERT_EQ(basic_.register_tensor_buffer(device_, buffer, &handle), kOk);
  LiteRtDestroyTensorBuffer(buffer);
  EXPECT_FALSE(is_freed);
  EXPECT_EQ(basic_.unregister_tensor_buffer(device_, handle), kOk);
  EXPECT_TRUE(is_freed);
  EXPECT_EQ(basic_.device_context_destroy(device_), kOk);
}

// The reference vendor's library, as installed; the template's is in new_project_test.sh.
TEST(OldHostProgram, AcmeCorpDoesWithoutCustomEvents) {
  const std::string model = ::testing::TempDir() + "npukit_old_host.tflite";
  const std::string compiled = ::testing::TempDir() + "npukit_old_host_compiled.tflite";
  OutputOf(NPUKIT_BUILD_DIR "/bin/npukit sample gated_classifier_int8 -o " + model);
  OutputOf(NPUKIT_BUILD_DIR "/bin/npukit apply " + model + " -o " + compiled +
           " --plugin-dir " NPUKIT_BUILD_DIR "/lib");
  EXPECT_EQ(OutputOf(NPUKIT_OLD_HOST " " NPUKIT_ACME_DISPATCH " " + compiled),
            "ok: without custom events\n");
}

}  // namespace
}  // namespace npukit

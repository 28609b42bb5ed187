// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A device of the library of mini_dispatch.cc, which is linked into its tests, and buffers on it.

#ifndef NPUKIT_SDK_TESTS_PLUGIN_DISPATCH_FIXTURE_H_
#define NPUKIT_SDK_TESTS_PLUGIN_DISPATCH_FIXTURE_H_

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit {

inline constexpr auto kOk = kLiteRtStatusOk;
inline constexpr auto kInvalid = kLiteRtStatusErrorInvalidArgument;

inline LiteRtRankedTensorType FloatType(int32_t n) {
  return static_cast<LiteRtRankedTensorType>(litert::MakeRankedTensorType<float>({n}));
}

inline const LiteRtDispatchInterface& Api() {
  static const LiteRtDispatchInterface* const interface = [] {
    LiteRtDispatchApi api{};
    EXPECT_EQ(LiteRtDispatchGetApi(&api), kOk);
    return api.interface;
  }();
  return *interface;
}

// Four floats, registered with a device.
class Buffer {
 public:
  Buffer(LiteRtDispatchDeviceContext device, std::array<float, 4> values, int32_t n = 4)
      : device_(device), values_(values) {
    const auto type = FloatType(n);
    EXPECT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                  &type, values_.data(), static_cast<size_t>(n) * sizeof(float), nullptr, &buffer_),
              kOk);
    EXPECT_EQ(Api().register_tensor_buffer(device_, buffer_, &handle_), kOk);
    EXPECT_NE(handle_, 0u);
  }
  ~Buffer() {
    (void)Api().unregister_tensor_buffer(device_, handle_);
    LiteRtDestroyTensorBuffer(buffer_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  LiteRtTensorBufferHandle handle() const { return handle_; }
  LiteRtTensorBuffer buffer() const { return buffer_; }
  const std::array<float, 4>& values() const { return values_; }

 private:
  LiteRtDispatchDeviceContext device_;
  alignas(64) std::array<float, 4> values_;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
};

class DispatchTest : public ::testing::Test {
 protected:
  DispatchTest() {
    EXPECT_EQ(Api().initialize(nullptr, nullptr), kOk);
    EXPECT_EQ(Api().device_context_create(nullptr, &device_), kOk);
  }
  ~DispatchTest() override { (void)Api().device_context_destroy(device_); }

  LiteRtDispatchInvocationContext Load(const std::string& code, const char* name) {
    LiteRtMemBuffer buffer{-1, code.data(), 0, code.size()};
    LiteRtDispatchInvocationContext context = nullptr;
    load_status_ = Api().invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel,
                                                   &buffer, name, 1, 1, &context);
    return context;
  }

  LiteRtDispatchDeviceContext device_ = nullptr;
  LiteRtStatus load_status_ = kOk;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_PLUGIN_DISPATCH_FIXTURE_H_

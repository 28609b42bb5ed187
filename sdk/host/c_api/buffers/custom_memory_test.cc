// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensor buffers in memory that only a library's own functions reach.

#include "sdk/host/c_api/buffers/custom_memory.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "litert/c/internal/litert_tensor_buffer_registry.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "sdk/host/c_api/buffers/tensor_buffer.h"

namespace {

constexpr auto kKind = kLiteRtTensorBufferTypeUserCustomBuffer;
constexpr LiteRtRankedTensorType kFourBytes = {
    .element_type = kLiteRtElementTypeInt8,
    .layout = {.rank = 1, .has_strides = false, .dimensions = {4}, .strides = {}}};

// A device whose memory the CPU sees in a copy, between lock and unlock.
struct Device {
  int buffers = 0;
  int locks = 0;
  void* queue = nullptr;
  bool fails = false;
  LiteRtTensorBuffer watched = nullptr;
  bool was_free_in_unlock = false;    // another could have locked what was still mapped
  std::atomic<bool> is_ready{false};  // what the buffer's event stands for
  bool was_ready_in_clear = false;
};
struct DeviceBuffer {
  HwMemoryInfo info;  // first
  Device* device;
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> mapped;
};
DeviceBuffer* Of(HwMemoryInfoPtr info) { return reinterpret_cast<DeviceBuffer*>(info); }

LiteRtStatus Create(LiteRtGpuDeviceId device_id, LiteRtGpuQueueId queue_id,
                    const LiteRtRankedTensorType*, LiteRtTensorBufferType, size_t bytes, size_t,
                    HwMemoryInfoPtr* info) {
  auto* device = static_cast<Device*>(device_id);
  if (device->fails) return kLiteRtStatusErrorMemoryAllocationFailure;
  ++device->buffers;
  device->queue = queue_id;
  auto* buffer = new DeviceBuffer{{}, device, std::vector<uint8_t>(bytes, 9), {}};
  buffer->info.memory_handle = buffer;
  *info = &buffer->info;
  return kLiteRtStatusOk;
}
LiteRtStatus Destroy(HwMemoryInfoPtr info) {
  --Of(info)->device->buffers;
  delete Of(info);
  return kLiteRtStatusOk;
}
LiteRtStatus Lock(HwMemoryInfoPtr info, LiteRtTensorBufferLockMode, void** address) {
  if (Of(info)->device->fails) return kLiteRtStatusErrorRuntimeFailure;
  ++Of(info)->device->locks;
  Of(info)->mapped = Of(info)->bytes;
  *address = Of(info)->mapped.data();
  return kLiteRtStatusOk;
}
LiteRtStatus Unlock(HwMemoryInfoPtr info) {
  Device& device = *Of(info)->device;
  --device.locks;
  Of(info)->bytes = Of(info)->mapped;
  if (device.watched != nullptr) {
    device.was_free_in_unlock = device.watched->TryLock(kLiteRtTensorBufferLockModeWrite);
    if (device.was_free_in_unlock) device.watched->Unlock();
  }
  return kLiteRtStatusOk;
}
LiteRtStatus Clear(HwMemoryInfoPtr info) {
  Of(info)->device->was_ready_in_clear = Of(info)->device->is_ready;
  std::fill(Of(info)->bytes.begin(), Of(info)->bytes.end(), 0);
  return kLiteRtStatusOk;
}

class CustomMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    LiteRtEnvOption options[2] = {};
    options[0].tag = kLiteRtEnvOptionTagWebGpuDevice;
    options[0].value.type = kLiteRtAnyTypeInt;
    options[0].value.int_value = reinterpret_cast<int64_t>(&device_);
    options[1].tag = kLiteRtEnvOptionTagWebGpuQueue;
    options[1].value.type = kLiteRtAnyTypeVoidPtr;
    options[1].value.ptr_value = this;
    ASSERT_EQ(LiteRtCreateEnvironment(2, options, &environment_), kLiteRtStatusOk);
  }
  void TearDown() override {
    LiteRtDestroyTensorBuffer(buffer_);
    EXPECT_EQ(device_.buffers, 0);
    EXPECT_EQ(device_.locks, 0);
    LiteRtDestroyEnvironment(environment_);
  }

  LiteRtStatus Register(ClearCustomTensorBuffer clear = Clear, LockCustomTensorBuffer lock = Lock) {
    return LiteRtRegisterTensorBufferHandlers(
        environment_, kKind, Create, Destroy, lock, Unlock, clear, /*import_func=*/nullptr,
        kLiteRtEnvOptionTagWebGpuDevice, kLiteRtEnvOptionTagWebGpuQueue);
  }
  LiteRtStatus CreateBuffer(size_t size_bytes = 4) {
    return LiteRtCreateManagedTensorBuffer(environment_, kKind, &kFourBytes, size_bytes, &buffer_);
  }

  Device device_;
  LiteRtEnvironment environment_ = nullptr;
  LiteRtTensorBuffer buffer_ = nullptr;
};

TEST_F(CustomMemoryTest, BuffersGoThroughTheFunctions) {
  ASSERT_EQ(Register(), kLiteRtStatusOk);
  ASSERT_EQ(CreateBuffer(), kLiteRtStatusOk);
  EXPECT_EQ(device_.buffers, 1);
  EXPECT_EQ(device_.queue, this);
  LiteRtTensorBufferType kind = {};
  ASSERT_EQ(LiteRtGetTensorBufferType(buffer_, &kind), kLiteRtStatusOk);
  EXPECT_EQ(kind, kKind);
  HwMemoryHandle handle = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferCustomTensorBufferHandle(buffer_, &handle), kLiteRtStatusOk);
  auto& bytes = static_cast<DeviceBuffer*>(handle)->bytes;
  EXPECT_EQ(LiteRtGetTensorBufferWebGpuBuffer(buffer_, &handle), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(LiteRtGetTensorBufferVulkanMemory(buffer_, &handle), kLiteRtStatusErrorInvalidArgument);

  void* address = nullptr;
  EXPECT_EQ(LiteRtGetTensorBufferHostMemory(buffer_, &address), kLiteRtStatusErrorUnsupported);
  ASSERT_EQ(LiteRtLockTensorBuffer(buffer_, &address, kLiteRtTensorBufferLockModeWrite),
            kLiteRtStatusOk);
  EXPECT_EQ(device_.locks, 1);
  static_cast<uint8_t*>(address)[3] = 5;
  EXPECT_EQ(bytes[3], 9);
  ASSERT_EQ(LiteRtUnlockTensorBuffer(buffer_), kLiteRtStatusOk);
  EXPECT_EQ(bytes, std::vector<uint8_t>({9, 9, 9, 5}));
  ASSERT_EQ(LiteRtClearTensorBuffer(buffer_), kLiteRtStatusOk);
  EXPECT_EQ(bytes, std::vector<uint8_t>({0, 0, 0, 0}));
}

TEST_F(CustomMemoryTest, IsLockedUntilItIsUnmapped) {
  ASSERT_EQ(Register(), kLiteRtStatusOk);
  ASSERT_EQ(CreateBuffer(), kLiteRtStatusOk);
  void* address = nullptr;
  ASSERT_EQ(LiteRtLockTensorBuffer(buffer_, &address, kLiteRtTensorBufferLockModeWrite),
            kLiteRtStatusOk);
  device_.watched = buffer_;
  ASSERT_EQ(LiteRtUnlockTensorBuffer(buffer_), kLiteRtStatusOk);
  EXPECT_FALSE(device_.was_free_in_unlock);
}

TEST_F(CustomMemoryTest, IsClearedOnceItsEventHasCome) {
  ASSERT_EQ(Register(), kLiteRtStatusOk);
  ASSERT_EQ(CreateBuffer(), kLiteRtStatusOk);
  const int fd = eventfd(0, EFD_CLOEXEC);
  LiteRtEvent event = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(environment_, fd, /*owns_fd=*/true, &event),
            kLiteRtStatusOk);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(buffer_, event), kLiteRtStatusOk);
  std::thread device([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    device_.is_ready = true;
    eventfd_write(fd, 1);
  });
  EXPECT_EQ(LiteRtClearTensorBuffer(buffer_), kLiteRtStatusOk);
  device.join();
  EXPECT_TRUE(device_.was_ready_in_clear);
}

TEST_F(CustomMemoryTest, RequirementsGetTheFirstKindThatCanBeMade) {
  ASSERT_EQ(Register(), kLiteRtStatusOk);
  const LiteRtTensorBufferType kinds[] = {kLiteRtTensorBufferTypeAhwb, kKind,
                                          kLiteRtTensorBufferTypeHostMemory};
  LiteRtTensorBufferRequirements requirements = nullptr;
  ASSERT_EQ(LiteRtCreateTensorBufferRequirements(3, kinds, 16, 0, nullptr, &requirements),
            kLiteRtStatusOk);
  ASSERT_EQ(LiteRtCreateManagedTensorBufferFromRequirements(environment_, &kFourBytes, requirements,
                                                            &buffer_),
            kLiteRtStatusOk);
  LiteRtDestroyTensorBufferRequirements(requirements);
  LiteRtTensorBufferType kind = {};
  ASSERT_EQ(LiteRtGetTensorBufferType(buffer_, &kind), kLiteRtStatusOk);
  EXPECT_EQ(kind, kKind);
  size_t size_bytes = 0;
  ASSERT_EQ(LiteRtGetTensorBufferSize(buffer_, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(size_bytes, 16u);
}

TEST_F(CustomMemoryTest, FailuresOfTheFunctionsComeThrough) {
  EXPECT_EQ(CreateBuffer(), kLiteRtStatusErrorUnsupported) << "nothing is registered";
  ASSERT_EQ(Register(/*clear=*/nullptr), kLiteRtStatusOk);
  EXPECT_EQ(CreateBuffer(3), kLiteRtStatusErrorInvalidArgument) << "too small";
  device_.fails = true;
  EXPECT_EQ(CreateBuffer(), kLiteRtStatusErrorMemoryAllocationFailure);
  device_.fails = false;
  ASSERT_EQ(CreateBuffer(), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtClearTensorBuffer(buffer_), kLiteRtStatusErrorUnsupported);
  device_.fails = true;
  void* address = nullptr;
  EXPECT_EQ(LiteRtLockTensorBuffer(buffer_, &address, kLiteRtTensorBufferLockModeRead),
            kLiteRtStatusErrorRuntimeFailure);
  device_.fails = false;
  // The failed lock has left nothing locked.
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer_), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(LiteRtLockTensorBuffer(buffer_, &address, kLiteRtTensorBufferLockModeWrite),
            kLiteRtStatusOk);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer_), kLiteRtStatusOk);
}

TEST_F(CustomMemoryTest, AKindIsRegisteredOnceAndWhole) {
  EXPECT_EQ(Register(Clear, /*lock=*/nullptr), kLiteRtStatusErrorInvalidArgument);
  ASSERT_EQ(Register(), kLiteRtStatusOk);
  EXPECT_EQ(Register(), kLiteRtStatusOk) << "the same, as a second model's library does";
  EXPECT_EQ(Register(/*clear=*/nullptr), kLiteRtStatusErrorAlreadyExists) << "others";
  void* registry = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferRegistry(environment_, &registry), kLiteRtStatusOk);
  EXPECT_TRUE(static_cast<npukit::CustomMemoryRegistry*>(registry)->Find(kKind).has_value());
}

}  // namespace

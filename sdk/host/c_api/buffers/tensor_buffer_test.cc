// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_tensor_buffer.h and litert_tensor_buffer_requirements.h.

#include "litert/c/litert_tensor_buffer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <thread>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer_requirements.h"

namespace {

constexpr LiteRtTensorBufferType kHost = kLiteRtTensorBufferTypeHostMemory;
constexpr LiteRtStatus kInvalid = kLiteRtStatusErrorInvalidArgument;
constexpr LiteRtStatus kFailure = kLiteRtStatusErrorRuntimeFailure;

LiteRtRankedTensorType Type(LiteRtElementType element, std::initializer_list<int32_t> dims) {
  LiteRtRankedTensorType type = {};
  type.element_type = element;
  type.layout.rank = static_cast<unsigned>(dims.size());
  std::copy(dims.begin(), dims.end(), type.layout.dimensions);
  return type;
}

LiteRtTensorBuffer Managed(const LiteRtRankedTensorType& type, size_t size) {
  LiteRtTensorBuffer buffer = nullptr;
  EXPECT_EQ(LiteRtCreateManagedTensorBuffer(nullptr, kHost, &type, size, &buffer), kLiteRtStatusOk);
  return buffer;
}

bool IsAligned(const void* address, size_t alignment) {
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

TEST(TensorBufferTest, ManagedBufferIsZeroedAlignedAndTyped) {
  const auto type = Type(kLiteRtElementTypeFloat32, {2, 3});
  LiteRtTensorBuffer buffer = Managed(type, 32);
  size_t size = 0;
  ASSERT_EQ(LiteRtGetTensorBufferSize(buffer, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 32u);
  ASSERT_EQ(LiteRtGetTensorBufferPackedSize(buffer, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 24u);
  ASSERT_EQ(LiteRtGetTensorBufferOffset(buffer, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 0u);
  LiteRtTensorBufferType kind = kLiteRtTensorBufferTypeUnknown;
  ASSERT_EQ(LiteRtGetTensorBufferType(buffer, &kind), kLiteRtStatusOk);
  EXPECT_EQ(kind, kHost);
  LiteRtRankedTensorType read = {};
  ASSERT_EQ(LiteRtGetTensorBufferTensorType(buffer, &read), kLiteRtStatusOk);
  EXPECT_EQ(read.element_type, kLiteRtElementTypeFloat32);
  EXPECT_EQ(read.layout.dimensions[1], 3);
  void* address = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferHostMemory(buffer, &address), kLiteRtStatusOk);
  EXPECT_TRUE(IsAligned(address, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT));
  EXPECT_EQ(std::vector<char>(32, 0),
            std::vector<char>(static_cast<char*>(address), static_cast<char*>(address) + 32));
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, PackedSizes) {
  struct {
    LiteRtElementType element;
    std::initializer_list<int32_t> dims;
    size_t bytes;
  } cases[] = {{kLiteRtElementTypeInt8, {}, 1},
               {kLiteRtElementTypeInt64, {3}, 24},
               {kLiteRtElementTypeInt4, {3}, 2},
               {kLiteRtElementTypeInt2, {5}, 2},
               {kLiteRtElementTypeFloat16, {1, 1, 7}, 14},
               {kLiteRtElementTypeBool, {0, 4}, 0}};
  for (const auto& c : cases) {
    LiteRtTensorBuffer buffer = Managed(Type(c.element, c.dims), 64);
    size_t size = 99;
    EXPECT_EQ(LiteRtGetTensorBufferPackedSize(buffer, &size), kLiteRtStatusOk);
    EXPECT_EQ(size, c.bytes) << "element type " << c.element;
    LiteRtDestroyTensorBuffer(buffer);
  }
}

TEST(TensorBufferTest, TypesThatHaveNoSize) {
  LiteRtTensorBuffer buffer = nullptr;
  LiteRtRankedTensorType too_deep = Type(kLiteRtElementTypeInt8, {1});
  too_deep.layout.rank = LITERT_TENSOR_MAX_RANK + 1;
  for (const LiteRtRankedTensorType& type :
       {Type(kLiteRtElementTypeInt8, {-1, 4}), Type(kLiteRtElementTypeTfString, {1}),
        Type(kLiteRtElementTypeInt64, {INT32_MAX, INT32_MAX, INT32_MAX}),
        Type(kLiteRtElementTypeInt8, {65}), too_deep}) {
    EXPECT_EQ(LiteRtCreateManagedTensorBuffer(nullptr, kHost, &type, 64, &buffer), kInvalid);
  }
  EXPECT_EQ(buffer, nullptr);
}

int deallocations = 0;

TEST(TensorBufferTest, HostMemoryGoesToTheDeallocatorOnce) {
  deallocations = 0;
  alignas(64) static char memory[64];
  const auto type = Type(kLiteRtElementTypeInt8, {64});
  LiteRtTensorBuffer buffer = nullptr;
  ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                &type, memory, 64, [](void*) { ++deallocations; }, &buffer),
            kLiteRtStatusOk);
  ASSERT_EQ(LiteRtDuplicateTensorBuffer(buffer), kLiteRtStatusOk);
  LiteRtDestroyTensorBuffer(buffer);
  EXPECT_EQ(deallocations, 0);
  LiteRtDestroyTensorBuffer(buffer);
  EXPECT_EQ(deallocations, 1);

  // Memory that is refused stays the caller's.
  EXPECT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                &type, memory + 1, 63, [](void*) { ++deallocations; }, &buffer),
            kFailure);  // neither aligned nor large enough
  EXPECT_EQ(LiteRtCreateTensorBufferFromHostMemory(
                &type, memory, 63, [](void*) { ++deallocations; }, &buffer),
            kFailure);
  EXPECT_EQ(deallocations, 1);

  // Without a deallocator it is not touched at the end.
  ASSERT_EQ(LiteRtCreateTensorBufferFromHostMemory(&type, memory, 64, nullptr, &buffer),
            kLiteRtStatusOk);
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, ReferencesFromManyThreads) {
  LiteRtTensorBuffer buffer = Managed(Type(kLiteRtElementTypeInt8, {4}), 4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([buffer] {
      for (int j = 0; j < 1000; ++j) {
        LiteRtDuplicateTensorBuffer(buffer);
        void* address = nullptr;
        LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead);
        LiteRtUnlockTensorBuffer(buffer);
        LiteRtDestroyTensorBuffer(buffer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  void* address = nullptr;
  EXPECT_EQ(LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeWrite),
            kLiteRtStatusOk);
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, Locks) {
  LiteRtTensorBuffer buffer = Managed(Type(kLiteRtElementTypeInt8, {4}), 4);
  const auto lock = [&](LiteRtTensorBufferLockMode mode) {
    void* address = nullptr;
    return LiteRtLockTensorBuffer(buffer, &address, mode);
  };
  const auto read = kLiteRtTensorBufferLockModeRead;
  const auto write = kLiteRtTensorBufferLockModeWrite;
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kFailure);
  EXPECT_EQ(lock(read), kLiteRtStatusOk);
  EXPECT_EQ(lock(read), kLiteRtStatusOk);
  EXPECT_EQ(lock(write), kFailure);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kLiteRtStatusOk);
  EXPECT_EQ(lock(write), kLiteRtStatusOk);
  EXPECT_EQ(lock(read), kFailure);
  EXPECT_EQ(lock(kLiteRtTensorBufferLockModeReadWrite), kFailure);
  EXPECT_EQ(LiteRtClearTensorBuffer(buffer), kFailure);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kFailure);
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, ClearSetsAllBytesToZero) {
  LiteRtTensorBuffer buffer = Managed(Type(kLiteRtElementTypeInt8, {4}), 8);
  void* address = nullptr;
  ASSERT_EQ(LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeWrite),
            kLiteRtStatusOk);
  std::memset(address, 7, 8);
  ASSERT_EQ(LiteRtUnlockTensorBuffer(buffer), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtClearTensorBuffer(buffer), kLiteRtStatusOk);
  EXPECT_EQ(std::memcmp(address, "\0\0\0\0\0\0\0\0", 8), 0);
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, OwnsItsEventAndWaitsForIt) {
  LiteRtTensorBuffer buffer = Managed(Type(kLiteRtElementTypeInt8, {4}), 4);
  bool has_event = true;
  ASSERT_EQ(LiteRtHasTensorBufferEvent(buffer, &has_event), kLiteRtStatusOk);
  EXPECT_FALSE(has_event);
  LiteRtEvent event = nullptr;
  EXPECT_EQ(LiteRtGetTensorBufferEvent(buffer, &event), kFailure);

  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LiteRtEvent fence = nullptr;
  ASSERT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, ends[0], true, &fence), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(buffer, fence), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(buffer, fence), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetTensorBufferEvent(buffer, &event), kLiteRtStatusOk);
  EXPECT_EQ(event, fence);
  std::thread signaller([&] { EXPECT_EQ(write(ends[1], "x", 1), 1); });
  void* address = nullptr;
  EXPECT_EQ(LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead),
            kLiteRtStatusOk);
  signaller.join();
  ASSERT_EQ(LiteRtUnlockTensorBuffer(buffer), kLiteRtStatusOk);

  // An event that can't be waited for leaves the buffer unlocked.
  LiteRtEvent empty = nullptr;
  ASSERT_EQ(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeCustom, &empty), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtSetTensorBufferEvent(buffer, empty), kLiteRtStatusOk);
  EXPECT_EQ(close(ends[0]), -1);  // closed with the first event
  EXPECT_NE(LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead),
            kLiteRtStatusOk);
  EXPECT_EQ(LiteRtUnlockTensorBuffer(buffer), kFailure);
  ASSERT_EQ(LiteRtClearTensorBufferEvent(buffer), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtHasTensorBufferEvent(buffer, &has_event), kLiteRtStatusOk);
  EXPECT_FALSE(has_event);
  close(ends[1]);
  LiteRtDestroyTensorBuffer(buffer);
}

TEST(TensorBufferTest, OtherKindsAreUnsupported) {
  const auto type = Type(kLiteRtElementTypeInt8, {4});
  LiteRtTensorBuffer buffer = nullptr;
  EXPECT_EQ(
      LiteRtCreateManagedTensorBuffer(nullptr, kLiteRtTensorBufferTypeDmaBuf, &type, 4, &buffer),
      kLiteRtStatusErrorUnsupported);
}

// -- Requirements -------------------------------------------------------------

LiteRtTensorBufferRequirements Requirements(std::vector<LiteRtTensorBufferType> types, size_t size,
                                            std::vector<uint32_t> strides, size_t alignment) {
  LiteRtTensorBufferRequirements requirements = nullptr;
  EXPECT_EQ(LiteRtCreateTensorBufferRequirementsWithAlignment(
                static_cast<int>(types.size()), types.data(), size,
                static_cast<int>(strides.size()), strides.data(), alignment, &requirements),
            kLiteRtStatusOk);
  return requirements;
}

std::vector<LiteRtTensorBufferType> TypesOf(LiteRtTensorBufferRequirements requirements) {
  int count = 0;
  EXPECT_EQ(LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(requirements, &count),
            kLiteRtStatusOk);
  std::vector<LiteRtTensorBufferType> types(count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(requirements, i, &types[i]),
        kLiteRtStatusOk);
  }
  return types;
}

TEST(TensorBufferRequirementsTest, KeepsWhatItWasGiven) {
  LiteRtTensorBufferType kinds[] = {kHost};
  LiteRtTensorBufferRequirements requirements = nullptr;
  ASSERT_EQ(LiteRtCreateTensorBufferRequirements(1, kinds, 100, 0, nullptr, &requirements),
            kLiteRtStatusOk);
  EXPECT_EQ(TypesOf(requirements), std::vector{kHost});
  size_t number = 0;
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(requirements, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 100u);
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsAlignment(requirements, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 64u);
  int count = 9;
  const uint32_t* strides = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsStrides(requirements, &count, &strides),
            kLiteRtStatusOk);
  EXPECT_EQ(count, 0);
  LiteRtTensorBufferType kind = kHost;
  EXPECT_EQ(LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(requirements, 1, &kind),
            kInvalid);
  EXPECT_EQ(LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(requirements, -1, &kind),
            kInvalid);
  LiteRtDestroyTensorBufferRequirements(requirements);
}

TEST(TensorBufferRequirementsTest, RefusesNonsense) {
  LiteRtTensorBufferType kinds[] = {kHost};
  LiteRtTensorBufferRequirements requirements = nullptr;
  EXPECT_EQ(LiteRtCreateTensorBufferRequirements(0, kinds, 1, 0, nullptr, &requirements), kInvalid);
  EXPECT_EQ(LiteRtCreateTensorBufferRequirements(1, kinds, 1, 2, nullptr, &requirements), kInvalid);
  EXPECT_EQ(LiteRtCreateTensorBufferRequirements(1, kinds, 1, -1, nullptr, &requirements),
            kInvalid);
  for (size_t alignment : {0u, 3u, 96u}) {
    EXPECT_EQ(LiteRtCreateTensorBufferRequirementsWithAlignment(1, kinds, 1, 0, nullptr, alignment,
                                                                &requirements),
              kInvalid);
  }
}

TEST(TensorBufferRequirementsTest, Join) {
  const auto dma = kLiteRtTensorBufferTypeDmaBuf;
  const auto ion = kLiteRtTensorBufferTypeIon;
  auto a = Requirements({dma, kHost, ion}, 100, {4, 1}, 64);
  auto b = Requirements({kHost, dma}, 80, {4, 1}, 256);
  LiteRtTensorBufferRequirements joined = nullptr;
  ASSERT_EQ(LiteRtJoinTensorBufferRequirements(a, b, &joined), kLiteRtStatusOk);
  EXPECT_EQ(TypesOf(joined), (std::vector{dma, kHost}));  // in a's order
  size_t number = 0;
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(joined, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 100u);
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsAlignment(joined, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 256u);
  int count = 0;
  const uint32_t* strides = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferRequirementsStrides(joined, &count, &strides), kLiteRtStatusOk);
  EXPECT_EQ(std::vector<uint32_t>(strides, strides + count), std::vector<uint32_t>({4, 1}));
  LiteRtDestroyTensorBufferRequirements(joined);

  auto nothing_common = Requirements({ion}, 1, {4, 1}, 64);
  auto other_strides = Requirements({kHost}, 1, {8, 1}, 64);
  EXPECT_EQ(LiteRtJoinTensorBufferRequirements(b, nothing_common, &joined), kInvalid);
  EXPECT_EQ(LiteRtJoinTensorBufferRequirements(b, other_strides, &joined), kInvalid);
  for (auto* r : {a, b, nothing_common, other_strides}) {
    LiteRtDestroyTensorBufferRequirements(r);
  }
}

TEST(TensorBufferRequirementsTest, BuffersAreMadeToThem) {
  const auto type = Type(kLiteRtElementTypeInt8, {2, 3});
  // The first kind can't be allocated here, the second can.
  auto requirements = Requirements({kLiteRtTensorBufferTypeDmaBuf, kHost}, 8, {4, 1}, 4096);
  LiteRtTensorBuffer buffer = nullptr;
  ASSERT_EQ(LiteRtCreateManagedTensorBufferFromRequirements(nullptr, &type, requirements, &buffer),
            kLiteRtStatusOk);
  void* address = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferHostMemory(buffer, &address), kLiteRtStatusOk);
  EXPECT_TRUE(IsAligned(address, 4096));
  LiteRtRankedTensorType strided = {};
  ASSERT_EQ(LiteRtGetTensorBufferTensorType(buffer, &strided), kLiteRtStatusOk);
  EXPECT_TRUE(strided.layout.has_strides);
  EXPECT_EQ(strided.layout.strides[0], 4u);
  LiteRtDestroyTensorBuffer(buffer);
  LiteRtDestroyTensorBufferRequirements(requirements);

  auto dma_only = Requirements({kLiteRtTensorBufferTypeDmaBuf}, 8, {}, 64);
  EXPECT_EQ(LiteRtCreateManagedTensorBufferFromRequirements(nullptr, &type, dma_only, &buffer),
            kLiteRtStatusErrorUnsupported);
  LiteRtDestroyTensorBufferRequirements(dma_only);
  auto wrong_rank = Requirements({kHost}, 8, {1}, 64);
  EXPECT_EQ(LiteRtCreateManagedTensorBufferFromRequirements(nullptr, &type, wrong_rank, &buffer),
            kInvalid);
  LiteRtDestroyTensorBufferRequirements(wrong_rank);
}

}  // namespace

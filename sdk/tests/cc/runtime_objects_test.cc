// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The wrappers of environments, options, tensor buffers and events, over
// libLiteRt.so's C API.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_environment_options.h"
#include "litert/cc/litert_event.h"
#include "litert/cc/litert_opaque_options.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_tensor_buffer.h"
#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;
using ::testing::ElementsAre;

using Tag = EnvironmentOptions::Tag;

TEST(EnvironmentTest, KeepsItsOptions) {
  std::string dir = "/plugins";
  const std::vector<EnvironmentOptions::Option> options = {
      {Tag::kCompilerPluginLibraryDir, dir.c_str()}, {Tag::kMinLoggerSeverity, int64_t{2}}};
  dir = "overwritten";
  const auto env = Ok(Environment::Create(options));
  const auto kept = Ok(env.GetOptions());
  const auto plugin_dir = Ok(kept.GetOption(Tag::kCompilerPluginLibraryDir));
  EXPECT_STREQ(std::get<const char*>(plugin_dir), "/plugins");
  EXPECT_EQ(std::get<int64_t>(Ok(kept.GetOption(Tag::kMinLoggerSeverity))), 2);
  const auto none = kept.GetOption(Tag::kDispatchLibraryDir);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.Error().StatusCC(), Status::kErrorNotFound);
}

TEST(OptionsTest, KeepsAcceleratorsAndOpaqueOptions) {
  auto options = Ok(Options::Create());
  Ok(options.SetHardwareAccelerators(HwAccelerators::kCpu | HwAccelerators::kNpu));
  EXPECT_EQ(Ok(options.GetHardwareAccelerators()),
            kLiteRtHwAcceleratorCpu | kLiteRtHwAcceleratorNpu);
  const auto make = [](const char* id, int value) {
    return Ok(OpaqueOptions::Create(id, new int(value),
                                    [](void* data) { delete static_cast<int*>(data); }));
  };
  Ok(options.AddOpaqueOptions(make("first", 1)));
  Ok(options.AddOpaqueOptions(make("second", 2)));
  auto opaque = Ok(options.GetOpaqueOptions());
  EXPECT_EQ(Ok(opaque.GetIdentifier()), "first");
  EXPECT_EQ(*Ok(FindOpaqueData<int>(opaque, "second")), 2);
  EXPECT_EQ(*Ok(Ok(FindOpaqueOptions(opaque, "second")).GetData<int>()), 2);
  EXPECT_FALSE(FindOpaqueOptions(opaque, "third"));
  EXPECT_EQ(Ok(Ok(opaque.Next()).GetIdentifier()), "second");
}

TEST(OpaqueOptionsTest, AppendsAndPops) {
  int destroyed = 0;
  const auto count = [](void* data) { ++*static_cast<int*>(data); };
  {
    OpaqueOptions list;
    Ok(list.Append(Ok(OpaqueOptions::Create("a", &destroyed, count))));
    Ok(list.Append(Ok(OpaqueOptions::Create("b", &destroyed, count))));
    EXPECT_EQ(Ok(list.GetIdentifier()), "a");
    Ok(list.Pop());
    EXPECT_EQ(destroyed, 1);
  }
  EXPECT_EQ(destroyed, 2);
}

TEST(TensorBufferTest, WritesReadsAndClears) {
  const auto env = Ok(Environment::Create({}));
  auto buffer = Ok(TensorBuffer::CreateManaged(env, TensorBufferType::kHostMemory,
                                               MakeRankedTensorType<float>({2, 2}), 16));
  EXPECT_EQ(Ok(buffer.BufferType()), TensorBufferType::kHostMemory);
  EXPECT_EQ(Ok(buffer.PackedSize()), 16u);
  EXPECT_TRUE(buffer.HasType(MakeRankedTensorType<float>({2, 2})));
  EXPECT_FALSE(buffer.IsOpenClMemory());
  EXPECT_FALSE(buffer.HasEvent());
  const std::vector<float> in = {1, 2, 3, 4};
  Ok(buffer.Write(in));
  std::array<float, 2> out{};
  Ok(buffer.Read(out));
  EXPECT_THAT(out, ElementsAre(1, 2));
  const std::vector<float> too_much(5);
  const auto error = buffer.Write(too_much);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.Error().Message(), "the data has 20 bytes, the tensor buffer 16");
  Ok(buffer.Clear());
  Ok(buffer.Read(out));
  EXPECT_THAT(out, ElementsAre(0, 0));
}

TEST(TensorBufferTest, SharesMemoryWithItsDuplicate) {
  const auto env = Ok(Environment::Create({}));
  auto copy = [&] {
    auto buffer = Ok(TensorBuffer::CreateManaged(env, TensorBufferType::kHostMemory,
                                                 MakeRankedTensorType<float>({1}), 4));
    Ok(buffer.Write(std::vector<float>{7}));
    return Ok(buffer.Duplicate());
  }();
  std::array<float, 1> out{};
  Ok(copy.Read(out));
  EXPECT_THAT(out, ElementsAre(7));
}

TEST(TensorBufferTest, WrapsHostMemoryAndLocks) {
  alignas(64) std::array<float, 16> memory{};
  const auto env = Ok(Environment::Create({}));
  auto buffer = Ok(TensorBuffer::CreateFromHostMemory(env, MakeRankedTensorType<float>({16}),
                                                      memory.data(), sizeof(memory)));
  {
    auto [lock, data] =
        Ok(TensorBufferScopedLock::Create<float>(buffer, TensorBuffer::LockMode::kWrite));
    data[3] = 9;
  }
  EXPECT_EQ(memory[3], 9);
}

}  // namespace
}  // namespace litert

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensor buffers in the simulated NPU's own memory, which AcmeCorp brings for hosts from LiteRT 2.2.0
// on: an application asks for them, makes them and runs with them, as in LiteRT.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

constexpr LiteRtTensorBufferType kHost = kLiteRtTensorBufferTypeHostMemory;
constexpr LiteRtTensorBufferType kOwn = kLiteRtTensorBufferTypeUserCustomBuffer;
constexpr LiteRtRankedTensorType kSixFloats = {
    .element_type = kLiteRtElementTypeFloat32,
    .layout = {.rank = 2, .has_strides = false, .dimensions = {2, 3}, .strides = {}}};

// y = x * (x + c)
std::unique_ptr<Model> SmallModel() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {2, 3});
  Tensor* c = b.Constant<float>("c", {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor* sum = b.Value("sum", type, {2, 3});
  Tensor* y = b.Value("y", type, {2, 3});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, c}, {sum});
  b.AddOp(kLiteRtOpCodeTflMul, {sum, x}, {y});
  b.Output(y);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

constexpr float kInput[] = {1, -2, 3, 0.5f, 5, 6};
const std::vector<float> kExpected = {2, 0, 18, 2.25f, 50, 72};

class AcmeDeviceMemory : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string folder = std::string(NPUKIT_BUILD_DIR) + "/" + GetParam();
    LiteRtEnvOption folders[2] = {};
    folders[0].tag = kLiteRtEnvOptionTagCompilerPluginLibraryDir;
    folders[1].tag = kLiteRtEnvOptionTagDispatchLibraryDir;
    for (LiteRtEnvOption& option : folders)
      option.value = {.type = kLiteRtAnyTypeString, .str_value = folder.c_str()};
    ASSERT_EQ(LiteRtCreateEnvironment(2, folders, &environment_), kLiteRtStatusOk);
    ASSERT_EQ(LiteRtCreateOptions(&options_), kLiteRtStatusOk);
    ASSERT_EQ(LiteRtSetOptionsHardwareAccelerators(options_, kLiteRtHwAcceleratorNpu),
              kLiteRtStatusOk);
  }
  void TearDown() override {
    unsetenv("ACME_DEVICE_MEMORY");
    LiteRtDestroyCompiledModel(compiled_);
    LiteRtDestroyOptions(options_);
    LiteRtDestroyEnvironment(environment_);
  }

  void Compile(bool prefers_own) {
    if (prefers_own) setenv("ACME_DEVICE_MEMORY", "1", 1);
    ASSERT_EQ(LiteRtCreateCompiledModel(environment_, model_.get(), options_, &compiled_),
              kLiteRtStatusOk);
  }
  LiteRtTensorBuffer FromRequirements(bool is_input) {
    LiteRtTensorBufferRequirements requirements = nullptr;
    const LiteRtStatus status =
        is_input ? LiteRtGetCompiledModelInputBufferRequirements(compiled_, 0, 0, &requirements)
                 : LiteRtGetCompiledModelOutputBufferRequirements(compiled_, 0, 0, &requirements);
    EXPECT_EQ(status, kLiteRtStatusOk);
    LiteRtTensorBuffer buffer = nullptr;
    EXPECT_EQ(LiteRtCreateManagedTensorBufferFromRequirements(environment_, &kSixFloats,
                                                              requirements, &buffer),
              kLiteRtStatusOk);
    return buffer;
  }
  LiteRtTensorBuffer OfType(LiteRtTensorBufferType type) {
    LiteRtTensorBuffer buffer = nullptr;
    EXPECT_EQ(LiteRtCreateManagedTensorBuffer(environment_, type, &kSixFloats, 24, &buffer),
              kLiteRtStatusOk);
    return buffer;
  }
  static LiteRtTensorBufferType TypeOf(LiteRtTensorBuffer buffer) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    EXPECT_EQ(LiteRtGetTensorBufferType(buffer, &type), kLiteRtStatusOk);
    return type;
  }

  // Destroys the buffers.
  std::vector<float> Run(LiteRtTensorBuffer input, LiteRtTensorBuffer output, bool is_async) {
    void* address = nullptr;
    EXPECT_EQ(LiteRtLockTensorBuffer(input, &address, kLiteRtTensorBufferLockModeWrite),
              kLiteRtStatusOk);
    std::memcpy(address, kInput, sizeof(kInput));
    EXPECT_EQ(LiteRtUnlockTensorBuffer(input), kLiteRtStatusOk);
    bool was_async = false;
    const LiteRtStatus ran =
        is_async ? LiteRtRunCompiledModelAsync(compiled_, 0, 1, &input, 1, &output, &was_async)
                 : LiteRtRunCompiledModel(compiled_, 0, 1, &input, 1, &output);
    EXPECT_EQ(ran, kLiteRtStatusOk);
    EXPECT_EQ(was_async, is_async);
    std::vector<float> values(6);
    EXPECT_EQ(LiteRtLockTensorBuffer(output, &address, kLiteRtTensorBufferLockModeRead),
              kLiteRtStatusOk);
    std::memcpy(values.data(), address, 24);
    EXPECT_EQ(LiteRtUnlockTensorBuffer(output), kLiteRtStatusOk);
    LiteRtDestroyTensorBuffer(input);
    LiteRtDestroyTensorBuffer(output);
    return values;
  }

  const std::unique_ptr<Model> model_ = SmallModel();
  LiteRtEnvironment environment_ = nullptr;
  LiteRtOptions options_ = nullptr;
  LiteRtCompiledModel compiled_ = nullptr;
};

TEST_P(AcmeDeviceMemory, IsWhatAnApplicationGetsThatAsksTheModel) {
  Compile(/*prefers_own=*/true);
  for (const bool is_async : {false, true}) {
    LiteRtTensorBuffer input = FromRequirements(/*is_input=*/true);
    LiteRtTensorBuffer output = FromRequirements(/*is_input=*/false);
    EXPECT_EQ(TypeOf(input), kOwn);
    EXPECT_EQ(TypeOf(output), kOwn);
    EXPECT_EQ(Run(input, output, is_async), kExpected);
  }
}

TEST_P(AcmeDeviceMemory, GoesTogetherWithTheHosts) {
  Compile(/*prefers_own=*/true);
  EXPECT_EQ(Run(OfType(kHost), OfType(kOwn), /*is_async=*/false), kExpected);
  EXPECT_EQ(Run(OfType(kOwn), OfType(kHost), /*is_async=*/true), kExpected);
}

TEST_P(AcmeDeviceMemory, IsNotPreferredUnlessAskedFor) {
  Compile(/*prefers_own=*/false);
  LiteRtTensorBuffer input = FromRequirements(/*is_input=*/true);
  EXPECT_EQ(TypeOf(input), kHost);
  EXPECT_EQ(Run(input, OfType(kOwn), /*is_async=*/false), kExpected);
}

// Each model of an environment brings the functions again.
TEST_P(AcmeDeviceMemory, OutlivesTheModelThatBroughtIt) {
  Compile(/*prefers_own=*/true);
  LiteRtTensorBuffer input = FromRequirements(/*is_input=*/true);
  LiteRtDestroyCompiledModel(compiled_);
  Compile(/*prefers_own=*/true);
  EXPECT_EQ(Run(input, FromRequirements(/*is_input=*/false), /*is_async=*/false), kExpected);
}

INSTANTIATE_TEST_SUITE_P(Abis, AcmeDeviceMemory, ::testing::Values("lib-abi2.2", "lib-abi2.3"),
                         [](const auto& test) {
                           return std::string(test.param) == "lib-abi2.2" ? "Abi22" : "Abi23";
                         });

}  // namespace
}  // namespace npukit

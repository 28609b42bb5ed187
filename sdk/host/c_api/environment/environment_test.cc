// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/litert_environment.h"

#include <gtest/gtest.h>

#include <string>

#include "litert/c/internal/litert_accelerator.h"
#include "litert/c/internal/litert_logging.h"
#include "litert/c/internal/litert_logging_helper.h"
#include "litert/vendors/c/litert_linked_in.h"

namespace {

LiteRtEnvOption Text(LiteRtEnvOptionTag tag, const char* text) {
  LiteRtEnvOption option = {};
  option.tag = tag;
  option.value.type = kLiteRtAnyTypeString;
  option.value.str_value = text;
  return option;
}

LiteRtEnvOption Number(LiteRtEnvOptionTag tag, int64_t number) {
  LiteRtEnvOption option = {};
  option.tag = tag;
  option.value.type = kLiteRtAnyTypeInt;
  option.value.int_value = number;
  return option;
}

class EnvironmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string directory = "/plugins";
    const LiteRtEnvOption option =
        Text(kLiteRtEnvOptionTagCompilerPluginLibraryDir, directory.c_str());
    ASSERT_EQ(LiteRtCreateEnvironment(1, &option, &environment_), kLiteRtStatusOk);
    directory = "overwritten";  // the environment has a copy
    ASSERT_EQ(LiteRtGetEnvironmentOptions(environment_, &options_), kLiteRtStatusOk);
  }
  void TearDown() override { LiteRtDestroyEnvironment(environment_); }

  std::string TextOf(LiteRtEnvOptionTag tag) {
    LiteRtAny value = {};
    if (LiteRtGetEnvironmentOptionsValue(options_, tag, &value) != kLiteRtStatusOk) {
      return "(none)";
    }
    return value.type == kLiteRtAnyTypeString ? value.str_value : "(no text)";
  }

  LiteRtEnvironment environment_ = nullptr;
  LiteRtEnvironmentOptions options_ = nullptr;
};

TEST_F(EnvironmentTest, KeepsCopiesOfOptions) {
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagCompilerPluginLibraryDir), "/plugins");
  LiteRtAny value = {};
  EXPECT_EQ(
      LiteRtGetEnvironmentOptionsValue(options_, kLiteRtEnvOptionTagDispatchLibraryDir, &value),
      kLiteRtStatusErrorNotFound);
}

TEST_F(EnvironmentTest, AddsWithAndWithoutOverwriting) {
  const LiteRtEnvOption more[] = {Text(kLiteRtEnvOptionTagDispatchLibraryDir, "/dispatch"),
                                  Text(kLiteRtEnvOptionTagCompilerPluginLibraryDir, "/other")};
  EXPECT_EQ(LiteRtAddEnvironmentOptions(environment_, 2, more, false),
            kLiteRtStatusErrorAlreadyExists);
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagDispatchLibraryDir), "(none)");
  ASSERT_EQ(LiteRtAddEnvironmentOptions(environment_, 2, more, true), kLiteRtStatusOk);
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagDispatchLibraryDir), "/dispatch");
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagCompilerPluginLibraryDir), "/other");
}

TEST_F(EnvironmentTest, SetReplaces) {
  ASSERT_EQ(LiteRtSetEnvironmentOptionsValue(options_,
                                             Text(kLiteRtEnvOptionTagCompilerCacheDir, "/cache")),
            kLiteRtStatusOk);
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagCompilerCacheDir), "/cache");
  // From its own old value.
  LiteRtAny value = {};
  ASSERT_EQ(LiteRtGetEnvironmentOptionsValue(options_, kLiteRtEnvOptionTagCompilerCacheDir, &value),
            kLiteRtStatusOk);
  ASSERT_EQ(
      LiteRtSetEnvironmentOptionsValue(options_, {kLiteRtEnvOptionTagCompilerCacheDir, value}),
      kLiteRtStatusOk);
  EXPECT_EQ(TextOf(kLiteRtEnvOptionTagCompilerCacheDir), "/cache");
  EXPECT_EQ(LiteRtSetEnvironmentOptionsValue(options_,
                                             Text(kLiteRtEnvOptionTagCompilerCacheDir, nullptr)),
            kLiteRtStatusErrorInvalidArgument);
}

TEST_F(EnvironmentTest, BadArguments) {
  const LiteRtStatus invalid = kLiteRtStatusErrorInvalidArgument;
  LiteRtEnvironment other = nullptr;
  EXPECT_EQ(LiteRtCreateEnvironment(1, nullptr, &other), invalid);
  EXPECT_EQ(LiteRtCreateEnvironment(-1, nullptr, &other), invalid);
  EXPECT_EQ(other, nullptr);
  ASSERT_EQ(LiteRtCreateEnvironment(0, nullptr, &other), kLiteRtStatusOk);
  LiteRtDestroyEnvironment(other);
  EXPECT_EQ(LiteRtAddEnvironmentOptions(environment_, 1, nullptr, true), invalid);
}

TEST_F(EnvironmentTest, HasNoGpu) {
  bool answer = true;
  EXPECT_EQ(LiteRtEnvironmentSupportsClGlInterop(environment_, &answer), kLiteRtStatusOk);
  EXPECT_FALSE(answer);
  answer = true;
  LiteRtEnvironmentHasGpuEnvironment(environment_, &answer);
  EXPECT_FALSE(answer);
  EXPECT_EQ(LiteRtGpuEnvironmentCreate(environment_, 0, nullptr), kLiteRtStatusErrorUnsupported);
}

TEST_F(EnvironmentTest, HasTheNpuWhereThereIsADispatchLibrary) {
  EXPECT_EQ(LiteRtGetGpuEnvironment(environment_), nullptr);
  EXPECT_EQ(LiteRtRegisterNpuAccelerator(environment_), kLiteRtStatusErrorInvalidArgument);
  const LiteRtEnvOption folder = Text(kLiteRtEnvOptionTagDispatchLibraryDir, "/dispatch");
  ASSERT_EQ(LiteRtAddEnvironmentOptions(environment_, 1, &folder, false), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtRegisterNpuAccelerator(environment_), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtRegisterNpuAccelerator(environment_), kLiteRtStatusOk) << "again";
}

LiteRtStatus NoTables(LiteRtDispatchApi*) { return kLiteRtStatusErrorUnsupported; }
LiteRtStatus NoTable(int, LiteRtApiVersion, const void**) { return kLiteRtStatusErrorUnsupported; }

TEST_F(EnvironmentTest, HasTheNpuWhereADispatchLibraryIsLinkedIn) {
  LiteRtEnvironment environment = nullptr;
  ASSERT_EQ(LiteRtCreateEnvironment(0, nullptr, &environment), kLiteRtStatusOk);
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumAccelerators(environment, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtStaticLinkedDispatchGetApi = NoTables;
  ASSERT_EQ(LiteRtGetNumAccelerators(environment, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(LiteRtRegisterNpuAccelerator(environment), kLiteRtStatusOk);
  LiteRtStaticLinkedDispatchGetApi = nullptr;
  ASSERT_EQ(LiteRtGetNumAccelerators(environment, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtStaticLinkedDispatchQueryInterface = NoTable;
  ASSERT_EQ(LiteRtGetNumAccelerators(environment, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 2u);
  LiteRtStaticLinkedDispatchQueryInterface = nullptr;
  LiteRtDestroyEnvironment(environment);
}

TEST_F(EnvironmentTest, SeverityReachesTheLogger) {
  LiteRtLogSeverity before = {};
  ASSERT_EQ(LiteRtGetMinLoggerSeverity(LiteRtGetDefaultLogger(), &before), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtPropagateMinLoggerSeverity(options_), kLiteRtStatusErrorNotFound);
  const auto propagate = [&](int64_t severity) {
    EXPECT_EQ(LiteRtSetEnvironmentOptionsValue(
                  options_, Number(kLiteRtEnvOptionTagMinLoggerSeverity, severity)),
              kLiteRtStatusOk);
    return LiteRtPropagateMinLoggerSeverity(options_);
  };
  ASSERT_EQ(propagate(kLiteRtLogSeverityError), kLiteRtStatusOk);
  LiteRtLogSeverity now = {};
  ASSERT_EQ(LiteRtGetMinLoggerSeverity(LiteRtGetDefaultLogger(), &now), kLiteRtStatusOk);
  EXPECT_EQ(now, kLiteRtLogSeverityError);
  EXPECT_EQ(propagate(1000), kLiteRtStatusErrorInvalidArgument);
  LiteRtSetMinLoggerSeverity(LiteRtGetDefaultLogger(), before);
}

TEST_F(EnvironmentTest, ListsItsAccelerators) {
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumAccelerators(environment_, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2u);
  const struct {
    const char* name;
    LiteRtHwAcceleratorSet hardware;
  } expected[] = {{"NpuAccelerator", kLiteRtHwAcceleratorNpu},
                  {"CpuAccelerator", kLiteRtHwAcceleratorCpu}};
  for (size_t i = 0; i < count; ++i) {
    LiteRtAccelerator accelerator = nullptr;
    ASSERT_EQ(LiteRtGetAccelerator(environment_, i, &accelerator), kLiteRtStatusOk);
    const char* name = nullptr;
    ASSERT_EQ(LiteRtGetAcceleratorName(accelerator, &name), kLiteRtStatusOk);
    EXPECT_STREQ(name, expected[i].name);
    LiteRtHwAcceleratorSet hardware = 0;
    ASSERT_EQ(LiteRtGetAcceleratorHardwareSupport(accelerator, &hardware), kLiteRtStatusOk);
    EXPECT_EQ(hardware, expected[i].hardware);
    LiteRtAcceleratorId id = 9;
    ASSERT_EQ(LiteRtGetAcceleratorId(accelerator, &id), kLiteRtStatusOk);
    EXPECT_EQ(id, i);
    LiteRtEnvironment environment = nullptr;
    ASSERT_EQ(LiteRtGetAcceleratorEnvironment(accelerator, &environment), kLiteRtStatusOk);
    EXPECT_EQ(environment, environment_);
    LiteRtApiVersion version = {};
    ASSERT_EQ(LiteRtGetAcceleratorVersion(accelerator, &version), kLiteRtStatusOk);
    EXPECT_EQ(version.major, 1);
    bool jit = true;
    ASSERT_EQ(LiteRtIsAcceleratorDelegateResponsibleForJitCompilation(accelerator, &jit),
              kLiteRtStatusOk);
    EXPECT_FALSE(jit);
  }
  LiteRtAccelerator accelerator = nullptr;
  EXPECT_EQ(LiteRtGetAccelerator(environment_, 2, &accelerator), kLiteRtStatusErrorIndexOOB);

  LiteRtEnvironment without_plugins = nullptr;
  ASSERT_EQ(LiteRtCreateEnvironment(0, nullptr, &without_plugins), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetNumAccelerators(without_plugins, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtDestroyEnvironment(without_plugins);
}

}  // namespace

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The boundary of npukit/plugin.h, through the functions that MiniPlugin
// exports, which are linked here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "litert/cc/internal/litert_logging.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/explain.h"
#include "npukit/extensions/last_error.h"
#include "npukit/plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/partition/selection.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;
using ::testing::StrEq;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr LiteRtApiVersion kVersion = {0, 1, 0};

// x -> MUL -> y -> TANH -> z.
std::unique_ptr<Model> TwoOps() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
  b.AddOp(kLiteRtOpCodeTflTanh, {y}, {z});
  b.Output(z);
  return Ok(b.Build());
}

class PluginTest : public ::testing::Test {
 protected:
  PluginTest() {
    EXPECT_EQ(LiteRtCreateCompilerPlugin(&plugin_, nullptr, nullptr), kLiteRtStatusOk);
  }
  ~PluginTest() override {
    LiteRtDestroyCompiledResult(result_);
    LiteRtDestroyCompilerPlugin(plugin_);
  }

  LiteRtStatus Compile(const char* soc) {
    LiteRtDestroyCompiledResult(result_);
    return LiteRtCompilerPluginCompile(plugin_, soc, model_.get(), &result_);
  }
  std::string Module() {
    const void* bytes = nullptr;
    size_t size = 0;
    EXPECT_EQ(LiteRtGetCompiledResultByteCode(result_, 0, &bytes, &size), kLiteRtStatusOk);
    return std::string(static_cast<const char*>(bytes), size);
  }

  litert::InterceptLogs logs_;
  std::string Log() {
    std::ostringstream text;
    text << logs_;
    return text.str();
  }

  std::unique_ptr<Model> model_ = TwoOps();
  LiteRtCompilerPlugin plugin_ = nullptr;
  LiteRtCompiledResult result_ = nullptr;
};

TEST_F(PluginTest, IntroducesItself) {
  LiteRtApiVersion version{};
  EXPECT_EQ(LiteRtGetCompilerPluginVersion(&version), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCompareApiVersion(version, kVersion), 0);
  EXPECT_STREQ(LiteRtGetCompilerPluginSocManufacturer(), "Mini");
  LiteRtHwAccelerators hardware{};
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedHardware(plugin_, &hardware), kLiteRtStatusOk);
  EXPECT_EQ(hardware, kLiteRtHwAcceleratorNpu);
  LiteRtParamIndex num = 0;
  EXPECT_EQ(LiteRtGetNumCompilerPluginSupportedSocModels(plugin_, &num), kLiteRtStatusOk);
  EXPECT_EQ(num, 4u);
  const char* soc = nullptr;
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedSocModel(plugin_, 1, &soc), kLiteRtStatusOk);
  EXPECT_STREQ(soc, "throws");
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedSocModel(plugin_, 4, &soc), kLiteRtStatusErrorIndexOOB);
}

TEST_F(PluginTest, SelectsWhatItsTableSupports) {
  for (const char* soc : {static_cast<const char*>(nullptr), "", "good"}) {
    LiteRtOpListT selected;
    EXPECT_EQ(LiteRtCompilerPluginPartition(plugin_, soc, &model_->main_subgraph(), &selected),
              kLiteRtStatusOk);
    ASSERT_EQ(selected.selection().size(), 1u);
    EXPECT_EQ(selected.selection()[0].op, model_->main_subgraph().ops()[0].get());
  }
}

TEST_F(PluginTest, SelectsNothingForAnUnknownSoc) {
  LiteRtOpListT selected;
  EXPECT_EQ(LiteRtCompilerPluginPartition(plugin_, "other", &model_->main_subgraph(), &selected),
            kLiteRtStatusOk);
  EXPECT_TRUE(selected.selection().empty());
  EXPECT_EQ(Compile("other"), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(result_, nullptr);
}

TEST_F(PluginTest, CompilesAndAnswersForTheResult) {
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  LiteRtParamIndex num = 0;
  EXPECT_EQ(LiteRtCompiledResultNumByteCodeModules(result_, &num), kLiteRtStatusOk);
  EXPECT_EQ(num, 1u);
  EXPECT_EQ(Module(), "good");
  EXPECT_EQ(LiteRtGetNumCompiledResultCalls(result_, &num), kLiteRtStatusOk);
  EXPECT_EQ(num, 1u);
  const void* info = nullptr;
  size_t size = 0;
  LiteRtParamIndex module = 9;
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(result_, 0, &info, &size, &module), kLiteRtStatusOk);
  EXPECT_EQ(std::string(static_cast<const char*>(info), size), "entry_0");
  EXPECT_EQ(module, 0u);
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(result_, 1, &info, &size, &module),
            kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(LiteRtGetCompiledResultByteCode(result_, 1, &info, &size), kLiteRtStatusErrorIndexOOB);
}

TEST_F(PluginTest, TurnsWhatGoesWrongIntoAStatusAndALogLine) {
  EXPECT_EQ(Compile("throws"), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(Compile("fails"), kLiteRtStatusErrorCompilation);
  EXPECT_EQ(Compile("malformed"), kLiteRtStatusErrorCompilation);
  EXPECT_EQ(result_, nullptr);
  EXPECT_THAT(Log(), HasSubstr("LiteRtCompilerPluginCompile: exception: out of registers"));
  EXPECT_THAT(Log(), HasSubstr("LiteRtCompilerPluginCompile: no schedule found"));
  EXPECT_THAT(Log(), HasSubstr("0 calls for 1 partitions"));
}

// What hosts put behind the status, of the calls of this thread alone.
TEST_F(PluginTest, RemembersWhyItsLastCallFailed) {
  EXPECT_EQ(Compile("fails"), kLiteRtStatusErrorCompilation);
  EXPECT_THAT(NpukitLastError(), StrEq("no schedule found"));
  std::string elsewhere = "?";
  std::thread([&] { elsewhere = NpukitLastError(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_EQ(Compile("throws"), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_THAT(NpukitLastError(), StrEq("exception: out of registers"));
  LiteRtHwAccelerators hardware = kLiteRtHwAcceleratorNone;
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedHardware(plugin_, &hardware), kLiteRtStatusOk);
  EXPECT_THAT(NpukitLastError(), StrEq(""));
}

TEST_F(PluginTest, HasNothingWhenNothingWasSelected) {
  LiteRtParamIndex num = 9;
  EXPECT_EQ(LiteRtCompiledResultNumByteCodeModules(nullptr, &num), kLiteRtStatusOk);
  EXPECT_EQ(num, 0u);
}

TEST_F(PluginTest, ChecksCompatibility) {
  const auto check = [&](LiteRtApiVersion version, const char* soc) {
    return LiteRtCompilerPluginCheckCompilerCompatibility(version, plugin_, nullptr, nullptr, soc);
  };
  EXPECT_EQ(check(kVersion, nullptr), kLiteRtStatusOk);
  EXPECT_EQ(check(kVersion, "good"), kLiteRtStatusOk);
  EXPECT_EQ(check(kVersion, "fails"), kLiteRtStatusErrorUnsupportedCompilerVersion);
  EXPECT_EQ(check(kVersion, "other"), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(check({0, 2, 0}, "good"), kLiteRtStatusErrorUnsupportedCompilerVersion);
}

TEST_F(PluginTest, RegistersTransformations) {
  LiteRtTransformation* transformations = nullptr;
  LiteRtParamIndex num = 0;
  EXPECT_EQ(LiteRtCompilerPluginRegisterAllTransformations(plugin_, &transformations, &num),
            kLiteRtStatusOk);
  ASSERT_EQ(num, 1u);
  EXPECT_STREQ(transformations[0].name, "never");
  EXPECT_EQ(transformations[0].benefit, 3u);
}

TEST_F(PluginTest, RefusesNullArguments) {
  constexpr auto kInvalid = kLiteRtStatusErrorInvalidArgument;
  LiteRtParamIndex num = 0;
  const char* text = nullptr;
  const void* bytes = nullptr;
  size_t size = 0;
  LiteRtOpListT selected;
  LiteRtHwAccelerators hardware{};
  LiteRtTransformation* transformations = nullptr;
  Subgraph* subgraph = &model_->main_subgraph();
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCreateCompilerPlugin(nullptr, nullptr, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetCompilerPluginVersion(nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedHardware(nullptr, &hardware), kInvalid);
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedHardware(plugin_, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetNumCompilerPluginSupportedSocModels(nullptr, &num), kInvalid);
  EXPECT_EQ(LiteRtGetNumCompilerPluginSupportedSocModels(plugin_, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedSocModel(nullptr, 0, &text), kInvalid);
  EXPECT_EQ(LiteRtGetCompilerPluginSupportedSocModel(plugin_, 0, nullptr), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginPartition(nullptr, nullptr, subgraph, &selected), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginPartition(plugin_, nullptr, nullptr, &selected), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginPartition(plugin_, nullptr, subgraph, nullptr), kInvalid);
  LiteRtCompiledResult other = nullptr;
  EXPECT_EQ(LiteRtCompilerPluginCompile(nullptr, nullptr, model_.get(), &other), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginCompile(plugin_, nullptr, nullptr, &other), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginCompile(plugin_, nullptr, model_.get(), nullptr), kInvalid);
  EXPECT_EQ(LiteRtCompiledResultNumByteCodeModules(result_, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultByteCode(nullptr, 0, &bytes, &size), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultByteCode(result_, 0, nullptr, &size), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultByteCode(result_, 0, &bytes, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(nullptr, 0, &bytes, &size, &num), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(result_, 0, nullptr, &size, &num), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(result_, 0, &bytes, nullptr, &num), kInvalid);
  EXPECT_EQ(LiteRtGetCompiledResultCallInfo(result_, 0, &bytes, &size, nullptr), kInvalid);
  EXPECT_EQ(LiteRtGetNumCompiledResultCalls(nullptr, &num), kInvalid);
  EXPECT_EQ(LiteRtGetNumCompiledResultCalls(result_, nullptr), kInvalid);
  EXPECT_EQ(LiteRtCompilerPluginRegisterAllTransformations(nullptr, &transformations, &num),
            kInvalid);
  EXPECT_EQ(
      LiteRtCompilerPluginCheckCompilerCompatibility(kVersion, nullptr, nullptr, nullptr, nullptr),
      kInvalid);
  LiteRtDestroyCompilerPlugin(nullptr);
  LiteRtDestroyCompiledResult(nullptr);
}

TEST_F(PluginTest, ExplainsWhatItLeaves) {
  Subgraph* subgraph = &model_->main_subgraph();
  char why[64] = "untouched";
  EXPECT_EQ(NpukitExplainOp(plugin_, nullptr, subgraph, subgraph->ops()[0].get(), why, sizeof(why)),
            kLiteRtStatusOk);
  EXPECT_THAT(why, StrEq(""));
  LiteRtOp tanh = subgraph->ops()[1].get();
  EXPECT_EQ(NpukitExplainOp(plugin_, nullptr, subgraph, tanh, why, sizeof(why)), kLiteRtStatusOk);
  EXPECT_THAT(why, StrEq("the plugin does not have this op"));
  EXPECT_EQ(NpukitExplainOp(plugin_, "other", subgraph, tanh, why, sizeof(why)), kLiteRtStatusOk);
  EXPECT_THAT(why, StrEq("unknown SoC model 'other'"));
  EXPECT_EQ(NpukitExplainOp(plugin_, nullptr, subgraph, tanh, why, 5), kLiteRtStatusOk);
  EXPECT_THAT(why, StrEq("the "));
  EXPECT_EQ(NpukitExplainOp(plugin_, nullptr, subgraph, tanh, why, 0),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(NpukitExplainOp(plugin_, nullptr, subgraph, nullptr, why, sizeof(why)),
            kLiteRtStatusErrorInvalidArgument);
}

TEST_F(PluginTest, HandsCompileSpecsToCompile) {
  const auto spec = [](const char* key, const char* value) {
    return NpukitCompileSpec{key, value, std::strlen(value)};
  };
  const NpukitCompileSpec all = spec("prefix", "-all");
  const NpukitCompileSpec own = spec("prefix", "-own");
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, NPUKIT_ALL_PARTITIONS, &all, 1), kLiteRtStatusOk);
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  EXPECT_EQ(Module(), "good-all");
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, 0, &own, 1), kLiteRtStatusOk);
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  EXPECT_EQ(Module(), "good-own");
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, 0, nullptr, 0), kLiteRtStatusOk);
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, NPUKIT_ALL_PARTITIONS, nullptr, 0), kLiteRtStatusOk);
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  EXPECT_EQ(Module(), "good");

  const NpukitCompileSpec unknown = spec("nonsense", "");
  testing::internal::CaptureStderr();
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, 0, &unknown, 1), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "an answer, and no error";
  const NpukitCompileSpec twice[] = {own, own};
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, 0, twice, 2), kLiteRtStatusErrorInvalidArgument);
  const NpukitCompileSpec no_key = {nullptr, nullptr, 0};
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, 0, &no_key, 1), kLiteRtStatusErrorInvalidArgument);
}

TEST(JitOption, IsFoundAmongTheOthers) {
  const struct {
    const char* toml;
    std::optional<bool> found;
  } cases[] = {
      {"", std::nullopt},
      {"enable_just_in_time = true", true},
      {"a = 1\r\n\tenable_just_in_time=false # why\n", false},
      {"enable_just_in_time = true\nenable_just_in_time = false\n", false},
      {"enable_just_in_time = 1", std::nullopt},
      {"enable_just_in_time", std::nullopt},
      {"enable_just_in_time_too = true", std::nullopt},
      {"# enable_just_in_time = true", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(internal::FindJitOption(c.toml), c.found) << c.toml;
}

// abi 2.1 has no executables.
TEST_F(PluginTest, TheSpecOfCompilingInMemoryIsOfAbi22) {
  const NpukitCompileSpec jit = {NPUKIT_SPEC_ENABLE_JIT, "true", 4};
  EXPECT_EQ(NpukitSetCompileSpecs(plugin_, NPUKIT_ALL_PARTITIONS, &jit, 1),
            kLiteRtStatusErrorUnsupported);
}

TEST_F(PluginTest, ListsDebugHandles) {
  ASSERT_EQ(Compile(nullptr), kLiteRtStatusOk);
  size_t num = 0;
  EXPECT_EQ(NpukitGetNumDebugHandles(result_, 0, &num), kLiteRtStatusOk);
  ASSERT_EQ(num, 1u);
  NpukitDebugHandleInfo info{};
  EXPECT_EQ(NpukitGetDebugHandle(result_, 0, 0, &info), kLiteRtStatusErrorWrongVersion);
  info.struct_size = sizeof(info);
  EXPECT_EQ(NpukitGetDebugHandle(result_, 0, 0, &info), kLiteRtStatusOk);
  EXPECT_EQ(info.handle, 5u);
  EXPECT_STREQ(info.name, "mul kernel");
  ASSERT_EQ(info.num_ops, 1u);
  EXPECT_EQ(info.op_indices[0], 0u);
  EXPECT_EQ(NpukitGetDebugHandle(result_, 0, 1, &info), kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(NpukitGetNumDebugHandles(result_, 1, &num), kLiteRtStatusErrorIndexOOB);
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The vendors that are linked into this program, as an application for LiteRT finds them: by
// litert::CompiledModel and the C API, in an environment that names no folder.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "litert/c/internal/litert_accelerator.h"
#include "litert/c/litert_environment.h"
#include "litert/cc/litert_compiled_model.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/tests/linked/linked_models.h"

namespace litert {
namespace {

using ::npukit::Ok;

struct AppRun {
  std::vector<float> output;
  bool accelerated = false;
};

AppRun RunApp(const std::vector<uint8_t>& bytes, HwAcceleratorSet accelerators) {
  Environment env = Ok(Environment::Create({}));
  Options options = Ok(Options::Create());
  Ok(options.SetHardwareAccelerators(accelerators));
  CompiledModel model = Ok(CompiledModel::Create(
      env, BufferRef<uint8_t>(const_cast<uint8_t*>(bytes.data()), bytes.size()), options));
  auto inputs = Ok(model.CreateInputBuffers());
  auto outputs = Ok(model.CreateOutputBuffers());
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<float> values(16);
    for (size_t at = 0; at < values.size(); ++at) {
      values[at] = static_cast<float>(at) - static_cast<float>(3 * i);
    }
    Ok(inputs[i].Write<float>(values));
  }
  Ok(model.Run(inputs, outputs));
  AppRun run;
  run.output.resize(16);
  Ok(outputs[0].Read<float>(internal::Span<float>(run.output)));
  run.accelerated = Ok(model.IsFullyAccelerated());
  return run;
}

const HwAcceleratorSet kCpu = HwAcceleratorSet(HwAccelerators::kCpu);
const HwAcceleratorSet kNpuOrCpu = HwAccelerators::kNpu | HwAccelerators::kCpu;

TEST(LinkedApp, CompilesAtLoad) {
  const auto model = npukit::MulAddModel(kLiteRtOpCodeTflMul, kLiteRtOpCodeTflMul);
  const auto bytes = Ok(npukit::SerializeModel(*model, {}));
  const AppRun cpu = RunApp(bytes, kCpu);
  EXPECT_FALSE(cpu.accelerated);
  const AppRun npu = RunApp(bytes, kNpuOrCpu);
  EXPECT_TRUE(npu.accelerated);
  EXPECT_EQ(npu.output, cpu.output);
}

TEST(LinkedApp, RunsWhatWasCompiledAheadOfTime) {
  const auto model = npukit::MulAddModel();
  const AppRun cpu = RunApp(Ok(npukit::SerializeModel(*model, {})), kCpu);
  const auto choice = Ok(npukit::ChoosePlugins("", {"Contoso", "Fabrikam"}));
  const auto applied =
      Ok(npukit::ApplyPlugins(*model, std::vector{&choice.plugins[0], &choice.plugins[1]}, {}));
  const AppRun npu = RunApp(Ok(npukit::SerializeModel(*applied.model, {})), kNpuOrCpu);
  EXPECT_TRUE(npu.accelerated);
  EXPECT_EQ(npu.output, cpu.output);
}

TEST(LinkedApp, TheEnvironmentHasTheNpu) {
  LiteRtEnvironment env = nullptr;
  ASSERT_EQ(LiteRtCreateEnvironment(0, nullptr, &env), kLiteRtStatusOk);
  LiteRtParamIndex num = 0;
  ASSERT_EQ(LiteRtGetNumAccelerators(env, &num), kLiteRtStatusOk);
  EXPECT_EQ(num, 2u);
  // The functions that drive one library by hand open the first.
  ASSERT_EQ(LiteRtDispatchInitialize(env, nullptr), kLiteRtStatusOk);
  const char* vendor = nullptr;
  ASSERT_EQ(LiteRtDispatchGetVendorId(&vendor), kLiteRtStatusOk);
  EXPECT_STREQ(vendor, "Contoso");
  LiteRtDestroyEnvironment(env);
}

}  // namespace
}  // namespace litert

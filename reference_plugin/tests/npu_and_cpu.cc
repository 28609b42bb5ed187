// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/tests/npu_and_cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/runtime/random_inputs.h"
#include "sdk/host/runtime/session.h"

namespace npukit {
namespace {

using Outputs = std::vector<std::vector<uint8_t>>;

struct Run {
  Outputs outputs;
  Placement placement;
};

litert::Expected<Run> RunModel(const OpCase& test, SessionOptions options) {
  ModelBuilder builder;
  test.build(builder);
  LITERT_ASSIGN_OR_RETURN(auto model, builder.Build());
  LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(model), std::move(options)));
  Run run;
  run.placement = session->placement();
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner());
  for (int i = 0; i < 2; ++i) {
    FillRandomInputs(*runner, 7);
    LITERT_RETURN_IF_ERROR(runner->Run());
    Outputs now;
    for (size_t out = 0; out < runner->outputs().size(); ++out)
      now.emplace_back(runner->output(out).begin(), runner->output(out).end());
    if (i == 1 && now != run.outputs)
      return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "the second run differs");
    run.outputs = std::move(now);
  }
  LITERT_RETURN_IF_ERROR(session->Close());
  return run;
}

SessionOptions NpuOptions(const OpCase& test, const std::string& soc) {
  setenv("ACME_CHECK_RACES", test.check_races ? "1" : "0", 1);
  SessionOptions options{.plugin_dir = NPUKIT_BUILD_DIR "/lib", .jit = true};
  if (!soc.ends_with(".yaml")) {
    options.soc = soc;
    return options;
  }
  options.placement.specs.push_back(
      {.spec = {.key = NPUKIT_SPEC_SOC_FILE, .bytes = {soc.begin(), soc.end()}}, .where = "test"});
  return options;
}

void ExpectEqualBytes(const std::vector<uint8_t>& npu, const std::vector<uint8_t>& cpu) {
  ASSERT_EQ(npu.size(), cpu.size());
  size_t differing = 0;
  size_t first = 0;
  for (size_t i = npu.size(); i-- > 0;) {
    if (npu[i] == cpu[i]) continue;
    ++differing;
    first = i;
  }
  EXPECT_EQ(differing, 0u) << "of " << npu.size() << " bytes; byte " << first << " is "
                           << int{npu[first]} << ", the CPU has " << int{cpu[first]};
}

void ExpectClose(const std::vector<uint8_t>& npu, const std::vector<uint8_t>& cpu,
                 double absolute) {
  ASSERT_EQ(npu.size(), cpu.size());
  for (size_t at = 0; at + sizeof(float) <= npu.size(); at += sizeof(float)) {
    float got = 0;
    float want = 0;
    std::memcpy(&got, npu.data() + at, sizeof(float));
    std::memcpy(&want, cpu.data() + at, sizeof(float));
    ASSERT_LE(std::abs(got - want), absolute)
        << "element " << at / sizeof(float) << ": " << got << ", the CPU has " << want;
  }
}

}  // namespace

void ExpectNpuEqualsCpu(const OpCase& test, const std::string& soc) {
  const auto cpu = RunModel(test, {});
  ASSERT_TRUE(cpu) << cpu.Error().Message();
  const auto npu = RunModel(test, NpuOptions(test, soc));
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(npu->placement.fallback_reason, "");
  EXPECT_EQ(npu->placement.partitions, 1u);
  EXPECT_EQ(npu->placement.cpu_ops, 0u);
  ASSERT_EQ(npu->outputs.size(), cpu->outputs.size());
  for (size_t i = 0; i < cpu->outputs.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    if (test.absolute == 0) {
      ExpectEqualBytes(npu->outputs[i], cpu->outputs[i]);
    } else {
      ExpectClose(npu->outputs[i], cpu->outputs[i], test.absolute);
    }
  }
}

void ExpectDeclined(const OpCase& test, const std::string& soc) {
  const auto npu = RunModel(test, NpuOptions(test, soc));
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(npu->placement.npu_ops, 0u);
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/tests/npu_and_cpu.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/metrics.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using Outputs = std::vector<std::vector<uint8_t>>;

struct OutputsAndPlacement {
  Outputs outputs;
  SessionPlacement placement;
};

litert::Expected<std::unique_ptr<Model>> Build(const OpCase& test) {
  if (!test.build) return BuildSampleModel(test.name);
  ModelBuilder builder;
  test.build(builder);
  return builder.Build();
}

// Twice, with the same inputs: what a run leaves behind must not show in the next.
litert::Expected<OutputsAndPlacement> RunModel(const OpCase& test, SessionOptions options) {
  LITERT_ASSIGN_OR_RETURN(auto model, Build(test));
  LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(model), std::move(options)));
  OutputsAndPlacement run;
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
  SessionOptions options{.plugin_dir = kPluginDir, .jit = true};
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
                 const OpCase& test) {
  ASSERT_EQ(npu.size(), cpu.size());
  for (size_t at = 0; at + sizeof(float) <= npu.size(); at += sizeof(float)) {
    float got = 0;
    float want = 0;
    std::memcpy(&got, npu.data() + at, sizeof(float));
    std::memcpy(&want, cpu.data() + at, sizeof(float));
    if (std::isnan(got) && std::isnan(want)) continue;
    // Without an activation the CPU's kernels make infinities the largest finite numbers.
    constexpr float kLargest = std::numeric_limits<float>::max();
    if (std::clamp(got, -kLargest, kLargest) == want) continue;
    ASSERT_LE(std::abs(got - want), test.absolute + test.relative * std::abs(want))
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
  EXPECT_EQ(npu->placement.partitions, test.partitions);
  EXPECT_EQ(npu->placement.cpu_ops, test.cpu_ops);
  ASSERT_EQ(npu->outputs.size(), cpu->outputs.size());
  for (size_t i = 0; i < cpu->outputs.size(); ++i) {
    SCOPED_TRACE(fmt::format("output {}", i));
    if (test.absolute == 0 && test.relative == 0) {
      ExpectEqualBytes(npu->outputs[i], cpu->outputs[i]);
    } else {
      ExpectClose(npu->outputs[i], cpu->outputs[i], test);
    }
  }
}

NpuCycles MeasureCycles(const OpCase& test, const std::string& soc) {
  const auto measure = [&]() -> litert::Expected<NpuCycles> {
    LITERT_ASSIGN_OR_RETURN(auto model, Build(test));
    LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(model), NpuOptions(test, soc)));
    EXPECT_EQ(session->placement().fallback_reason, "");
    EXPECT_EQ(session->placement().cpu_ops, 0u);
    SignatureRunner& runner = session->default_runner();
    FillRandomInputs(runner, 7);
    LITERT_RETURN_IF_ERROR(runner.StartMetrics(0));
    LITERT_RETURN_IF_ERROR(runner.Run());
    LITERT_ASSIGN_OR_RETURN(const auto metrics, runner.StopMetrics());
    NpuCycles sum;
    for (const DispatchMetrics& metric : metrics) {
      sum.cycles += metric.Number(NPUKIT_METRIC_CYCLES).value_or(0);
      sum.roofline_cycles += metric.Number(NPUKIT_METRIC_ROOFLINE_CYCLES).value_or(0);
      sum.macs += metric.Number(NPUKIT_METRIC_MACS).value_or(0);
      sum.array_macs += metric.Number(NPUKIT_METRIC_ARRAY_MACS).value_or(0);
    }
    LITERT_RETURN_IF_ERROR(session->Close());
    return sum;
  };
  const auto measured = measure();
  EXPECT_TRUE(measured) << measured.Error().Message();
  return measured ? *measured : NpuCycles();
}

void ExpectDeclined(const OpCase& test, const std::string& soc) {
  const auto npu = RunModel(test, NpuOptions(test, soc));
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(npu->placement.npu_ops, 0u);
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What run, diff and failed runs say of a model that the plugin of this folder rewrote: the ops are
// those of the model as it was given, whether it is compiled at load or ahead of time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/litert_compiled_model.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_options.h"
#include "npukit/metrics.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kVendor = " --plugin-dir " NPUKIT_BUILD_DIR "/test_plugins/rewriting_vendor";

// The plugin makes of it SQUARED_DIFFERENCE q, ADD p, NEG negative, MAXIMUM a, which it takes, and
// SUB z, TANH t, which stay.
std::string SaveGiven() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* y = b.Input("y", type, {4});
  Tensor* d = b.Value("d", type, {4});
  Tensor* q = b.Value("q", type, {4});
  Tensor* p = b.Value("p", type, {4});
  Tensor* a = b.Value("a", type, {4});
  Tensor* m = b.Value("m", type, {4});
  Tensor* z = b.Value("z", type, {4});
  Tensor* t = b.Value("t", type, {4});
  b.AddOp(kLiteRtOpCodeTflSub, {x, y}, {d});
  b.AddOp(kLiteRtOpCodeTflMul, {d, d}, {q});
  b.AddOp(kLiteRtOpCodeTflAdd, {q, x}, {p});
  b.AddOp(kLiteRtOpCodeTflAbs, {p}, {a});
  b.AddOp(kLiteRtOpCodeTflNeg, {a}, {m});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, m}, {z});
  b.AddOp(kLiteRtOpCodeTflTanh, {z}, {t});
  b.Output(t);
  auto model = b.Build();
  const std::string path = TestFolder() + "given.tflite";
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

// The model with what says how to run it: compiled at load, or compiled before.
std::string RunArguments(bool ahead_of_time, const std::string& specs = "") {
  const std::string given = SaveGiven();
  if (!ahead_of_time) return given + " --jit" + kVendor + specs;
  const std::string compiled = TestFolder() + "compiled.tflite";
  const VerbResult result = RunVerb("apply " + given + " -o " + compiled + kVendor + specs);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return compiled + kVendor;
}

// Two ways of calling a pattern, and two of building.
TEST(RewritingPlugin, RewritesAlikeInEveryAbi) {
  const auto model = LoadModel(SaveGiven());
  ASSERT_TRUE(model) << model.Error().Message();
  std::string of_first;
  for (const char* folder :
       {"rewriting_vendor", "rewriting_vendor_abi2_2", "rewriting_vendor_abi2_3"}) {
    const auto plugin = LoadedPlugin::Load(std::string(NPUKIT_BUILD_DIR "/test_plugins/") + folder +
                                           "/libLiteRtCompilerPlugin_Rewriting.so");
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    EXPECT_EQ(plugin->pattern_context() != nullptr, plugin->abi() == "2.3") << folder;
    const LoadedPlugin* const plugins[] = {&*plugin};
    const auto applied = ApplyPlugins(**model, plugins);
    ASSERT_TRUE(applied) << applied.Error().Message();
    const std::string text = ToString(*applied);
    EXPECT_THAT(text, HasSubstr("SQUARED_DIFFERENCE")) << folder;
    if (of_first.empty()) of_first = text;
    EXPECT_EQ(text, of_first) << folder;
  }
}

class RewritingVendor : public ::testing::TestWithParam<bool> {};

// "1 MUL q 50": position, op, name, cycles.
std::vector<std::string> Rows(const Json& profile) {
  std::vector<std::string> rows;
  for (const Json& row : profile) {
    std::string text = std::to_string(row["index"].get<int>()) + " " +
                       row["op"].get<std::string>() + " " + row["name"].get<std::string>();
    text += row["target"] == "npu" ? " " + std::to_string(row["cycles"].get<int>()) : " cpu";
    rows.push_back(text);
  }
  return rows;
}

TEST_P(RewritingVendor, TheProfileHasTheGivenModelsOps) {
  const VerbResult result = RunVerb("run " + RunArguments(GetParam()) + " --profile --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  // Two ops that became one have half of its cycles each; one that became two has both's.
  EXPECT_THAT(Rows(result.json()["profile"]),
              ElementsAre("0 SUB d 50", "1 MUL q 50", "2 ADD p 100", "3 ABS a 200", "4 NEG m cpu",
                          "5 ADD z cpu", "6 TANH t cpu"));
}

TEST_P(RewritingVendor, TheTraceHasTheGivenModelsOps) {
  const std::string trace = TestFolder() + "trace.json";
  const VerbResult result = RunVerb("run " + RunArguments(GetParam()) + " --trace " + trace);
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json whole = Json::parse(ReadTextFile(trace));
  std::vector<std::string> steps;
  std::vector<std::string> slices;
  for (const Json& event : whole["traceEvents"]) {
    if (event["ph"] != "X") continue;
    std::string& text = (event["pid"] == 1 ? steps : slices).emplace_back();
    for (const Json& op : event["args"]["ops"]) text += op.get<std::string>() + "; ";
  }
  EXPECT_THAT(slices,
              ElementsAre("0 SUB (d); 1 MUL (q); ", "2 ADD (p); ", "3 ABS (a); ", "3 ABS (a); "));
  EXPECT_THAT(steps, ElementsAre("0 SUB (d); 1 MUL (q); 2 ADD (p); 3 ABS (a); ",
                                 "4 NEG (m); 5 ADD (z); ", "6 TANH (t); "));
}

TEST_P(RewritingVendor, AFailedRunNamesTheGivenModelsOps) {
  const VerbResult fused =
      RunVerb("run " + RunArguments(GetParam(), " --spec fail=squared_difference"));
  EXPECT_EQ(fused.exit_code, 1);
  EXPECT_THAT(fused.error, HasSubstr("in op 0 SUB (d), op 1 MUL (q): smoke"));
  const VerbResult split = RunVerb("run " + RunArguments(GetParam(), " --spec fail=neg"));
  EXPECT_EQ(split.exit_code, 1);
  EXPECT_THAT(split.error, HasSubstr("in op 3 ABS (a): smoke"));
}

INSTANTIATE_TEST_SUITE_P(Jit, RewritingVendor, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(AheadOfTime, RewritingVendor, ::testing::Values(true));

// "1 MUL q equal"; what the plugin's own tensors hold has no row.
std::vector<std::string> Inside(const Json& diff) {
  std::vector<std::string> rows;
  for (const Json& row : diff["inside"]) {
    rows.push_back(std::to_string(row["index"].get<int>()) + " " + row["op"].get<std::string>() +
                   " " + row["name"].get<std::string>() +
                   (row["gap"]["differing_elems"] == 0 ? " equal" : " differs"));
  }
  return rows;
}

std::vector<std::string> Sources(const Json& tensors) {
  std::vector<std::string> rows;
  for (const Json& tensor : tensors) {
    std::string& row = rows.emplace_back(tensor["name"].get<std::string>() + ":");
    for (const Json& op : tensor["source_ops"]) row += " " + op.get<std::string>();
  }
  return rows;
}

TEST(RewritingVendorDiff, HasTheGivenModelsOps) {
  const VerbResult result = RunVerb("diff " + SaveGiven() + kVendor + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json diff = result.json();
  EXPECT_THAT(Inside(diff), ElementsAre("1 MUL q equal", "2 ADD p equal", "3 ABS a equal"));
  EXPECT_EQ(diff["first_op_divergence"], nullptr);
  EXPECT_EQ(diff["first_divergence"], nullptr);
  EXPECT_THAT(Sources(diff["tensors"]), ElementsAre("a: 0 SUB (d) 1 MUL (q) 2 ADD (p) 3 ABS (a)",
                                                    "z: 4 NEG (m) 5 ADD (z)", "t: 6 TANH (t)"));
  EXPECT_THAT(Sources(diff["ops"]),
              ElementsAre("q: 0 SUB (d) 1 MUL (q)", "p: 2 ADD (p)", "a: 3 ABS (a)"));
}

TEST(RewritingVendorDiff, NamesTheFirstOpToDiffer) {
  const VerbResult result =
      RunVerb("diff " + SaveGiven() + kVendor + " --spec wrong=squared_difference --json");
  ASSERT_EQ(result.exit_code, 1) << result.error;
  const Json diff = result.json();
  EXPECT_THAT(Inside(diff), ElementsAre("1 MUL q differs", "2 ADD p differs", "3 ABS a differs"));
  EXPECT_EQ(diff["first_op_divergence"], "q");
  // A value that the given model does not have is no divergence by itself.
  const VerbResult hidden = RunVerb("diff " + SaveGiven() + kVendor + " --spec wrong=neg --json");
  ASSERT_EQ(hidden.exit_code, 1) << hidden.error;
  EXPECT_EQ(Inside(hidden.json()).size(), 3u);
}

// -- A program's options

// ADD, TANH, ADD, ADD: the vendor's partitions are of one and of two ops.
std::string SaveTwoPartitions() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* value = b.Input("x", type, {4});
  int number = 0;
  for (const LiteRtOpCode code :
       {kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflTanh, kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflAdd}) {
    Tensor* next = b.Value("t" + std::to_string(number++), type, {4});
    const bool is_unary = code == kLiteRtOpCodeTflTanh;
    b.AddOp(code, is_unary ? std::vector<Tensor*>{value} : std::vector<Tensor*>{value, value},
            {next});
    value = next;
  }
  b.Output(value);
  auto model = b.Build();
  const std::string path = TestFolder() + "two.tflite";
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

// Of one run of the model, compiled at load.
int64_t CyclesWith(litert::Options& options) {
  using litert::EnvironmentOptions;
  const char* folder = NPUKIT_BUILD_DIR "/test_plugins/rewriting_vendor";
  const std::vector<EnvironmentOptions::Option> folders = {
      {EnvironmentOptions::Tag::kCompilerPluginLibraryDir, folder},
      {EnvironmentOptions::Tag::kDispatchLibraryDir, folder}};
  auto env = litert::Environment::Create(EnvironmentOptions(folders));
  if (!env) return -1;
  auto model = litert::CompiledModel::Create(*env, SaveTwoPartitions(), options);
  if (!model) return -1;
  auto inputs = model->CreateInputBuffers();
  auto outputs = model->CreateOutputBuffers();
  EXPECT_TRUE(inputs && outputs);
  EXPECT_EQ(LiteRtCompiledModelStartMetricsCollection(model->Get(), 0), kLiteRtStatusOk);
  EXPECT_TRUE(model->Run(*inputs, *outputs));
  LiteRtMetrics metrics = nullptr;
  EXPECT_EQ(LiteRtCreateMetrics(&metrics), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCompiledModelStopMetricsCollection(model->Get(), metrics), kLiteRtStatusOk);
  int count = 0;
  EXPECT_EQ(LiteRtGetNumMetrics(metrics, &count), kLiteRtStatusOk);
  int64_t cycles = -1;
  for (int i = 0; i < count; ++i) {
    LiteRtMetric metric = {};
    EXPECT_EQ(LiteRtGetMetric(metrics, i, &metric), kLiteRtStatusOk);
    if (std::string(metric.name) == NPUKIT_METRIC_CYCLES) cycles = metric.value.int_value;
  }
  LiteRtDestroyMetrics(metrics);
  return cycles;
}

TEST(RewritingVendorOptions, SoManyPartitionsAreKept) {
  for (const auto& [most, cycles] : {std::pair(0, 300), {1, 200}, {2, 300}}) {
    auto options = litert::Options::Create();
    ASSERT_TRUE(options);
    ASSERT_TRUE(options->SetHardwareAccelerators(litert::HwAccelerators::kNpu |
                                                 litert::HwAccelerators::kCpu));
    auto compiler = options->GetCompilerOptions();
    ASSERT_TRUE(compiler);
    ASSERT_TRUE(compiler->SetMaxPartitions(static_cast<size_t>(most)));
    EXPECT_EQ(CyclesWith(*options), cycles) << most;
  }
}

}  // namespace
}  // namespace npukit

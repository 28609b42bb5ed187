// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AcmeCorp as a delegate: debug handles, compile specs, a custom operator that it shares with an
// operator package, and its bytecode beside another vendor's.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "npukit/compile_spec.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/runtime/diagnostics/numeric_diff.h"
#include "sdk/host/runtime/diagnostics/op_profile.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// 0 ADD a, 1 MUL b, 2 SUB c. The NPU takes two of these in one pass where nobody sees what is between.
enum class Seen { kTheLast, kAll };
std::unique_ptr<Model> ChainWith(Seen seen) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {2, 64});
  Tensor* y = b.Input("y", type, {2, 64});
  Tensor* a = b.Value("a", type, {2, 64});
  Tensor* m = b.Value("b", type, {2, 64});
  Tensor* c = b.Value("c", type, {2, 64});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, y}, {a});
  b.AddOp(kLiteRtOpCodeTflMul, {a, y}, {m});
  b.AddOp(kLiteRtOpCodeTflSub, {m, x}, {c});
  if (seen == Seen::kAll) {
    b.Output(a);
    b.Output(m);
  }
  b.Output(c);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

std::unique_ptr<Model> Chain() { return ChainWith(Seen::kTheLast); }

SessionOptions Jit() {
  SessionOptions options;
  options.plugin_dir = kPluginDir;
  options.jit = true;
  return options;
}

std::unique_ptr<Session> Open(std::unique_ptr<Model> model, const SessionOptions& options) {
  auto session = Session::Create(std::move(model), options);
  if (!session) {
    ADD_FAILURE() << session.Error().Message();
    return nullptr;
  }
  EXPECT_EQ((*session)->placement().fallback_reason, "");
  return std::move(*session);
}

std::vector<float> RunFloats(SignatureRunner& runner) {
  FillRandomInputs(runner, 3);
  const auto run = runner.Run();
  EXPECT_TRUE(run) << run.Error().Message();
  std::vector<float> values(runner.output(0).size() / sizeof(float));
  std::memcpy(values.data(), runner.output(0).data(), runner.output(0).size());
  return values;
}

std::vector<float> CpuResult(std::unique_ptr<Model> model, SessionOptions options = {}) {
  options.plugin_dir.clear();
  options.jit = false;
  const auto session = Open(std::move(model), options);
  return session == nullptr ? std::vector<float>() : RunFloats(session->default_runner());
}

TEST(AcmeDelegate, TheProfileNamesTheSourcesOps) {
  const auto session = Open(ChainWith(Seen::kAll), Jit());
  ASSERT_NE(session, nullptr);
  SignatureRunner& runner = session->default_runner();
  runner.EnableStepTimes(true);
  const auto recording = runner.SetRecording(kNpukitRecordProfile);
  ASSERT_TRUE(recording) << recording.Error().Message();
  RunFloats(runner);
  const auto profile = ProfileByOp(runner, session->placement());
  ASSERT_TRUE(profile) << profile.Error().Message();
  const std::pair<const char*, const char*> kOps[] = {{"ADD", "a"}, {"MUL", "b"}, {"SUB", "c"}};
  ASSERT_GE(profile->size(), std::size(kOps));
  for (size_t i = 0; i < std::size(kOps); ++i) {
    const OpProfile& op = (*profile)[i];
    EXPECT_EQ(op.index, i);
    EXPECT_EQ(op.op, kOps[i].first);
    EXPECT_EQ(op.name, kOps[i].second);
    EXPECT_EQ(op.plugin, "AcmeCorp");
    EXPECT_GT(op.cycles, 0);
    EXPECT_GT(op.num_events, 0u);
    ASSERT_TRUE(op.unit_cycles.contains("vector")) << op.name;
    EXPECT_GT(op.unit_cycles.at("vector"), 0);
  }
}

// The model's values on the NPU, beside those of the CPU, for the same inputs.
template <typename MakeModel>
litert::Expected<NumericDiff> DiffWithCpu(MakeModel&& make_model) {
  SessionOptions cpu_options;
  cpu_options.keep_intermediates = true;
  SessionOptions options = Jit();
  options.keep_intermediates = true;
  options.placement.specs.push_back({.plugin = "AcmeCorp",
                                     .partition = {},
                                     .spec = {NPUKIT_SPEC_KEEP_INTERMEDIATES, {'1'}},
                                     .where = "test"});
  const auto npu = Open(make_model(), options);
  const auto cpu = Open(make_model(), cpu_options);
  if (npu == nullptr || cpu == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "no session");
  for (Session* session : {npu.get(), cpu.get()}) FillRandomInputs(session->default_runner(), 5);
  return DiffRuns(cpu->model(), cpu->default_runner(), npu->default_runner());
}

TEST(AcmeDelegate, IntermediateValuesAreThoseOfTheCpu) {
  SessionOptions options = Jit();
  options.keep_intermediates = true;
  {
    // Compiled without, there is nothing to record.
    const auto session = Open(Chain(), options);
    ASSERT_NE(session, nullptr);
    const auto recording = session->default_runner().SetRecording(kNpukitRecordIntermediates);
    ASSERT_FALSE(recording);
    EXPECT_EQ(recording.Error().Status(), kLiteRtStatusErrorUnsupported);
  }
  const auto diff = DiffWithCpu(Chain);
  ASSERT_TRUE(diff) << diff.Error().Message();
  EXPECT_EQ(diff->CountBeyond(), 0u);
  ASSERT_EQ(diff->ops.size(), 3u);
  const char* const kNames[] = {"a", "b", "c"};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(diff->ops[i].op.name, kNames[i]);
    EXPECT_EQ(diff->ops[i].op.index, i);
    ASSERT_TRUE(diff->ops[i].gap);
    EXPECT_EQ(diff->ops[i].gap->elems, 128);
    EXPECT_TRUE(diff->ops[i].gap->is_exact()) << kNames[i];
  }
  EXPECT_EQ(diff->first_op_divergence, -1);
}

// Of an op with several outputs it is the first: not what its last layer makes.
TEST(AcmeDelegate, IntermediateValuesAreFirstOutputs) {
  const auto model = [] {
    ModelBuilder b;
    const auto type = kLiteRtElementTypeFloat32;
    Tensor* x = b.Input("x", type, {2, 64});
    Tensor* first = b.Value("first", type, {64});
    Tensor* second = b.Value("second", type, {64});
    Tensor* sum = b.Value("sum", type, {64});
    b.AddOp(kLiteRtOpCodeTflUnpack, UnpackOptions{.num = 2, .axis = 0}, {x}, {first, second});
    b.AddOp(kLiteRtOpCodeTflAdd, {first, second}, {sum});
    b.Output(sum);
    return b.BuildUnchecked();
  };
  const auto diff = DiffWithCpu(model);
  ASSERT_TRUE(diff) << diff.Error().Message();
  ASSERT_EQ(diff->ops.size(), 2u);
  EXPECT_EQ(diff->ops[0].op.name, "first");
  ASSERT_TRUE(diff->ops[0].gap);
  EXPECT_TRUE(diff->ops[0].gap->is_exact());
}

// The smaller of two, by a comparison: its truth values are intermediate ones too.
TEST(AcmeDelegate, IntermediateValuesMayBeTruthValues) {
  const auto model = [] {
    ModelBuilder b;
    const auto type = kLiteRtElementTypeFloat32;
    Tensor* x = b.Input("x", type, {2, 64});
    Tensor* y = b.Input("y", type, {2, 64});
    Tensor* is_less = b.Value("is_less", kLiteRtElementTypeBool, {2, 64});
    Tensor* less = b.Value("less", type, {2, 64});
    b.AddOp(kLiteRtOpCodeTflLess, {x, y}, {is_less});
    b.AddOp(kLiteRtOpCodeTflSelectV2, {is_less, x, y}, {less});
    b.Output(less);
    return b.BuildUnchecked();
  };
  const auto diff = DiffWithCpu(model);
  ASSERT_TRUE(diff) << diff.Error().Message();
  ASSERT_EQ(diff->ops.size(), 2u);
  EXPECT_EQ(diff->ops[0].op.name, "is_less");
  for (const auto& op : diff->ops) {
    ASSERT_TRUE(op.gap) << op.op.name;
    EXPECT_TRUE(op.gap->is_exact()) << op.op.name;
  }
}

// More values than one program can address.
TEST(AcmeDelegate, IntermediateValuesMayBeMany) {
  constexpr size_t kNumOps = 600;
  const auto model = [] {
    ModelBuilder b;
    const auto type = kLiteRtElementTypeFloat32;
    Tensor* x = b.Input("x", type, {8});
    Tensor* y = b.Input("y", type, {8});
    Tensor* sum = x;
    for (size_t i = 0; i < kNumOps; ++i) {
      Tensor* next = b.Value(fmt::format("sum{}", i), type, {8});
      b.AddOp(kLiteRtOpCodeTflAdd, {sum, y}, {next});
      sum = next;
    }
    b.Output(sum);
    return b.BuildUnchecked();
  };
  const auto diff = DiffWithCpu(model);
  ASSERT_TRUE(diff) << diff.Error().Message();
  ASSERT_EQ(diff->ops.size(), kNumOps);
  for (const auto& op : diff->ops) {
    ASSERT_TRUE(op.gap) << op.op.name;
    EXPECT_TRUE(op.gap->is_exact()) << op.op.name;
  }
}

// What the ISA can't address is an error that says so.
TEST(AcmeDelegate, APartitionWithTooManyOutputsIsRefused) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {8});
  Tensor* y = b.Input("y", type, {8});
  for (int i = 0; i < 253; ++i) {
    Tensor* sum = b.Value(fmt::format("sum{}", i), type, {8});
    b.AddOp(kLiteRtOpCodeTflAdd, {x, y}, {sum});
    b.Output(sum);
  }
  ::testing::internal::CaptureStderr();
  const auto session = Session::Create(b.BuildUnchecked(), Jit());
  const std::string log = ::testing::internal::GetCapturedStderr();
  ASSERT_TRUE(session) << session.Error().Message();
  EXPECT_THAT((*session)->placement().fallback_reason, HasSubstr("kLiteRtStatusErrorUnsupported"));
  EXPECT_THAT(log, HasSubstr("2 inputs and 253 outputs; a program addresses at most 254"));
}

TEST(AcmeDelegate, CompileSpecsReachTheDispatchLibrary) {
  SessionOptions options = Jit();
  const std::string file = "/nowhere/chip.yaml";
  options.placement.specs.push_back({.plugin = {},
                                     .partition = {},
                                     .spec = {"soc_file", {file.begin(), file.end()}},
                                     .where = "test"});
  const auto session = Session::Create(Chain(), options);
  ASSERT_TRUE(session) << session.Error().Message();
  // The library logs the path; its C API hands up a status.
  EXPECT_THAT((*session)->placement().fallback_reason, HasSubstr("kLiteRtStatusErrorFileIO"));
  options.placement.specs[0].spec = {"nonsense", {}};
  const auto refused = Session::Create(Chain(), options);
  ASSERT_TRUE(refused);
  EXPECT_THAT((*refused)->placement().fallback_reason,
              HasSubstr("no plugin knows the compile spec 'nonsense'"));
}

// x * y by AcmeCorp's custom operator.
std::unique_ptr<Model> MulRelu() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {2, 64});
  Tensor* y = b.Input("y", type, {2, 64});
  Tensor* z = b.Value("z", type, {2, 64});
  b.AddCustomOp("acme.mul_relu", {}, {x, y}, {z});
  b.Output(z);
  return b.BuildUnchecked();
}

TEST(AcmeDelegate, ACustomOperatorOnTheNpuAndFromAPackageOnTheCpu) {
  SessionOptions options;
  options.op_package_dirs = {NPUKIT_BUILD_DIR "/test_plugins/op_packages/acme_mul_relu"};
  const std::vector<float> cpu = CpuResult(MulRelu(), options);
  const auto npu = Open(MulRelu(), Jit());
  ASSERT_NE(npu, nullptr);
  EXPECT_EQ(npu->placement().npu_ops, 1u);
  EXPECT_EQ(RunFloats(npu->default_runner()), cpu);
}

// A folder with both vendors' libraries, under names that sort one way or the other.
std::string FolderOfTwo(const std::string& acme, const std::string& mimic) {
  namespace fs = std::filesystem;
  const fs::path folder = ::testing::TempDir() + "npukit_two_vendors_" + acme + mimic;
  fs::remove_all(folder);
  for (const std::string kind : {"CompilerPlugin", "Dispatch"}) {
    const std::string acme_file = "libLiteRt" + kind + "_AcmeCorp.so";
    const std::string mimic_file = "libLiteRt" + kind + "_Mimic.so";
    fs::create_directories(folder / acme);
    fs::create_directories(folder / mimic);
    fs::create_symlink(kPluginDir + "/" + acme_file, folder / acme / acme_file);
    fs::create_symlink(NPUKIT_BUILD_DIR "/faulty_plugins/healthy/" + mimic_file,
                       folder / mimic / mimic_file);
  }
  return folder.string();
}

TEST(AcmeDelegate, TwoVendorsInOneFileWhateverTheOrderOnDisk) {
  const std::vector<float> cpu = CpuResult(Chain());
  std::vector<std::vector<uint8_t>> files;
  for (const auto& [acme, mimic] : {std::pair("a", "b"), std::pair("b", "a")}) {
    const std::string folder = FolderOfTwo(acme, mimic);
    auto acme_plugin =
        LoadedPlugin::Load(folder + "/" + acme + "/libLiteRtCompilerPlugin_AcmeCorp.so");
    auto mimic_plugin =
        LoadedPlugin::Load(folder + "/" + mimic + "/libLiteRtCompilerPlugin_Mimic.so");
    ASSERT_TRUE(acme_plugin) << acme_plugin.Error().Message();
    ASSERT_TRUE(mimic_plugin) << mimic_plugin.Error().Message();
    ApplyOptions options;
    PlacementRule& rule = options.placement.rules.emplace_back();
    rule.plugin = mimic_plugin->manufacturer();
    rule.types = {"MUL"};
    rule.where = "test";
    const LoadedPlugin* const plugins[] = {&*acme_plugin, &*mimic_plugin};
    const auto model = Chain();
    const auto applied = ApplyPlugins(*model, plugins, options);
    ASSERT_TRUE(applied) << applied.Error().Message();
    EXPECT_EQ(applied->partitions.size(), 3u);
    const auto bytes = SerializeModel(*applied->model);
    ASSERT_TRUE(bytes);
    files.push_back(*bytes);
    auto loaded = ParseModel(SharedBytes::Copy(*bytes), "two vendors");
    ASSERT_TRUE(loaded) << loaded.Error().Message();
    SessionOptions run;
    run.plugin_dir = folder + "/**";
    const auto session = Open(std::move(*loaded), run);
    ASSERT_NE(session, nullptr);
    EXPECT_THAT(session->placement().dispatch, AllOf(HasSubstr("AcmeCorp"), HasSubstr("Mimic")));
    EXPECT_EQ(RunFloats(session->default_runner()), cpu);
  }
  EXPECT_EQ(files[0], files[1]);
}

}  // namespace
}  // namespace npukit

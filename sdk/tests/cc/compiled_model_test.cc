// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// What a litert::CompiledModel tells and takes beside running.

#include "litert/cc/litert_compiled_model.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "litert/c/litert_model.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_model.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_tensor_buffer.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// sum = left + right, of four floats each, as signature "add".
std::vector<uint8_t> AddModel() {
  npukit::Model model;
  npukit::Subgraph& graph = model.AddSubgraph();
  const auto add_tensor = [&](const char* name) {
    npukit::Tensor& tensor = graph.AddTensor();
    tensor.name = name;
    tensor.element_type = kLiteRtElementTypeFloat32;
    tensor.shape = {4};
    return &tensor;
  };
  npukit::Tensor* x = add_tensor("x");
  npukit::Tensor* y = add_tensor("y");
  npukit::Tensor* z = add_tensor("z");
  npukit::Op& op = graph.AddOp();
  op.code = kLiteRtOpCodeTflAdd;
  op.options = npukit::AddOptions{};
  npukit::Subgraph::AddInput(op, x);
  npukit::Subgraph::AddInput(op, y);
  npukit::Subgraph::AddOutput(op, *z);
  graph.inputs = {x, y};
  graph.outputs = {z};
  auto signature = std::make_unique<npukit::Signature>();
  signature->key = "add";
  signature->subgraph = &graph;
  signature->inputs = {{"left", x}, {"right", y}};
  signature->outputs = {{"sum", z}};
  model.signatures.push_back(std::move(signature));
  return Ok(npukit::SerializeModel(model, {}));
}

class CompiledModelTest : public ::testing::Test {
 protected:
  CompiledModel Compile() {
    return Ok(CompiledModel::Create(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size()),
                                    HwAccelerators::kCpu));
  }
  const std::vector<uint8_t> bytes_ = AddModel();
  Environment env_ = Ok(Environment::Create({}));
};

TEST_F(CompiledModelTest, TellsItsSignatures) {
  const CompiledModel model = Compile();
  EXPECT_THAT(Ok(model.GetSignatureKeys()), ElementsAre("add"));
  EXPECT_EQ(CompiledModel::DefaultSignatureKey(), "<placeholder signature>");
  EXPECT_EQ(Ok(model.GetSignatures()).size(), 1u);
  EXPECT_THAT(Ok(model.GetSignature(0)).InputNames(), ElementsAre("left", "right"));
  EXPECT_THAT(Ok(model.FindSignature("add")).OutputNames(), ElementsAre("sum"));
  EXPECT_FALSE(model.FindSignature("subtract"));
  EXPECT_FALSE(model.GetSignature(1));

  const RankedTensorType four_floats = Ok(model.GetInputTensorType("left"));
  EXPECT_EQ(four_floats.ElementType(), ElementType::Float32);
  EXPECT_THAT(four_floats.Layout().Dimensions(), ElementsAre(4));
  EXPECT_EQ(Ok(model.GetInputTensorType("add", "right")), four_floats);
  EXPECT_EQ(Ok(model.GetInputTensorType(size_t{0}, size_t{1})), four_floats);
  EXPECT_EQ(Ok(model.GetOutputTensorType("sum")), four_floats);
  EXPECT_EQ(Ok(model.GetOutputTensorType("add", size_t{0})), four_floats);
  EXPECT_FALSE(model.GetOutputTensorType("left"));
}

TEST_F(CompiledModelTest, KeepsHints) {
  CompiledModel model = Compile();
  EXPECT_FALSE(Ok(model.GetDispatchAnnotation("priority")).has_value());
  Ok(model.SetDispatchAnnotation("priority", "high"));
  EXPECT_EQ(Ok(model.GetDispatchAnnotation("add", "priority")), "high");
  Ok(model.RemoveDispatchAnnotation("priority"));
  EXPECT_FALSE(Ok(model.GetDispatchAnnotation("priority")).has_value());
  EXPECT_FALSE(model.SetDispatchAnnotation("subtract", "priority", "high"));
  Ok(model.SetSchedulingInfo(LiteRtSchedulingInfo{}));
  Ok(model.ClearSchedulingInfo());
}

TEST_F(CompiledModelTest, RunsOnBuffersOfNoEnvironment) {
  const CompiledModel model = Compile();
  const RankedTensorType type = Ok(model.GetInputTensorType("left"));
  std::vector<TensorBuffer> inputs;
  for (float first : {1.0f, 10.0f}) {
    inputs.push_back(Ok(TensorBuffer::CreateManagedHostMemory(type, 4 * sizeof(float))));
    const std::vector<float> values = {first, 2, 3, 4};
    Ok(inputs.back().Write<float>(values));
  }
  auto outputs = Ok(model.CreateOutputBuffers());
  Ok(model.Run(inputs, outputs));
  std::vector<float> sum(4);
  Ok(outputs[0].Read<float>(internal::Span<float>(sum)));
  EXPECT_THAT(sum, ElementsAre(11, 4, 6, 8));
}

TEST_F(CompiledModelTest, ModelsComeFromOpenFilesToo) {
  const std::string path = ::testing::TempDir() + "/npukit_add_model";
  std::ofstream(path, std::ios::binary)
      << "head" << std::string(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  const int fd = open(path.c_str(), O_RDONLY);
  EXPECT_THAT(Ok(Ok(Model::CreateFromFd(fd, 4, bytes_.size())).GetSignatureKeys()),
              ElementsAre("add"));
  EXPECT_TRUE(Model::CreateFromFd(env_, fd, 4, bytes_.size()));
  EXPECT_FALSE(Model::CreateFromFd(fd, 0, bytes_.size()));
  close(fd);
  std::remove(path.c_str());
  EXPECT_TRUE(Model::CreateFromBuffer(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size())));
  EXPECT_FALSE(Model::CreateFromFile(env_, "/no/such/model.tflite"));
}

TEST_F(CompiledModelTest, TakesTheKindsOfOptionsAlong) {
  Options options = Ok(Options::Create());
  Ok(options.SetHardwareAccelerators(HwAccelerators::kCpu));
  auto made = options.GetCpuOptions();
  ASSERT_TRUE(made);
  CpuOptions& cpu = *made;
  EXPECT_FALSE(cpu.GetNumThreads());
  Ok(cpu.SetNumThreads(2));
  auto again = options.GetCpuOptions();
  ASSERT_TRUE(again);
  EXPECT_EQ(&*again, &cpu);
  EXPECT_EQ(Ok(cpu.GetNumThreads()), 2);
  Ok(cpu.SetXNNPackWeightCachePath("/cache"));
  EXPECT_EQ(Ok(cpu.GetXNNPackWeightCachePath()), "/cache");
  const auto profile = [&]() -> Expected<void> {
    LITERT_ASSIGN_OR_RETURN(RuntimeOptions & runtime, options.GetRuntimeOptions());
    return runtime.SetEnableProfiling(true);
  };
  Ok(profile());
  Ok(CompiledModel::Create(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size()), options));
  auto opaque = Ok(options.GetOpaqueOptions());
  EXPECT_THAT(Ok(FindOpaqueData<char>(opaque, LrtGetCpuOptionsIdentifier())),
              HasSubstr("num_threads = 2\n"));
  EXPECT_THAT(Ok(FindOpaqueData<char>(opaque, LrtGetRuntimeOptionsIdentifier())),
              HasSubstr("enable_profiling = true\n"));
  EXPECT_FALSE(FindOpaqueData<char>(opaque, LrtGetCompilerOptionsIdentifier()));
}

size_t NumThreads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST_F(CompiledModelTest, TheCpusThreadsAreThoseAskedFor) {
  for (const auto& [asked, more] : {std::pair(1, 0), {4, 3}, {0, 0}, {-1, 0}}) {
    Options options = Ok(Options::Create());
    Ok(options.SetHardwareAccelerators(HwAccelerators::kCpu));
    auto cpu = options.GetCpuOptions();
    ASSERT_TRUE(cpu);
    Ok(cpu->SetNumThreads(asked));
    const size_t before = NumThreads();
    const auto model =
        CompiledModel::Create(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size()), options);
    ASSERT_TRUE(model) << asked;
    EXPECT_EQ(NumThreads() - before, static_cast<size_t>(more)) << asked;
  }
}

TEST_F(CompiledModelTest, OptionsThatMakeNoSenseAreRefused) {
  Options threads = Ok(Options::Create());
  Ok(threads.SetHardwareAccelerators(HwAccelerators::kCpu));
  auto cpu = threads.GetCpuOptions();
  ASSERT_TRUE(cpu);
  Ok(cpu->SetNumThreads(100000));
  Options reporter = Ok(Options::Create());
  Ok(reporter.SetHardwareAccelerators(HwAccelerators::kCpu));
  auto runtime = reporter.GetRuntimeOptions();
  ASSERT_TRUE(runtime);
  Ok(runtime->SetErrorReporterMode(static_cast<LiteRtErrorReporterMode>(9)));
  for (Options* options : {&threads, &reporter}) {
    const auto model =
        CompiledModel::Create(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size()), *options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.Error().Status(), kLiteRtStatusErrorInvalidArgument);
  }
}

TEST_F(CompiledModelTest, ErrorsGoWhereTheOptionsSay) {
  struct Case {
    std::optional<LiteRtErrorReporterMode> mode;
    LiteRtStatus status;  // of asking for what was kept
    const char* printed;
  };
  for (const Case& c :
       {Case{std::nullopt, kLiteRtStatusOk, ""},
        Case{kLiteRtErrorReporterModeBuffer, kLiteRtStatusOk, ""},
        Case{kLiteRtErrorReporterModeStderr, kLiteRtStatusErrorUnsupported, "mark 7\n"},
        Case{kLiteRtErrorReporterModeNone, kLiteRtStatusErrorInvalidArgument, ""}}) {
    Options options = Ok(Options::Create());
    Ok(options.SetHardwareAccelerators(HwAccelerators::kCpu));
    if (c.mode) {
      auto runtime = options.GetRuntimeOptions();
      ASSERT_TRUE(runtime);
      Ok(runtime->SetErrorReporterMode(*c.mode));
    }
    auto model =
        CompiledModel::Create(env_, BufferRef<uint8_t>(bytes_.data(), bytes_.size()), options);
    ASSERT_TRUE(model);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(LiteRtCompiledModelReportError(model->Get(), "mark %d", 7), kLiteRtStatusOk);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), c.printed);
    char* kept = nullptr;
    EXPECT_EQ(LiteRtCompiledModelGetErrorMessages(model->Get(), &kept), c.status);
    EXPECT_STREQ(kept, c.status == kLiteRtStatusOk ? "mark 7\n" : nullptr);
    std::free(kept);
    EXPECT_EQ(LiteRtCompiledModelClearErrors(model->Get()), c.status);
  }
}

TEST_F(CompiledModelTest, TheNumberOfPartitionsIsAnOption) {
  CompilerOptions compiler = Ok(CompilerOptions::Create());
  EXPECT_FALSE(compiler.GetMaxPartitions());
  Ok(compiler.SetMaxPartitions(3));
  EXPECT_EQ(Ok(compiler.GetMaxPartitions()), 3u);
}

TEST_F(CompiledModelTest, TheEnvironmentSharesNoDeviceMemory) {
  EXPECT_FALSE(env_.SupportsClGlInterop());
  EXPECT_FALSE(env_.SupportsAhwbClInterop());
  EXPECT_FALSE(env_.SupportsAhwbGlInterop());
}

}  // namespace
}  // namespace litert

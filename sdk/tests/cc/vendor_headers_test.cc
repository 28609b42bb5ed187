// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// What vendors' sources include of LiteRT beside the graph and the buffers: options as classes,
// sizes of tensors, files, names of ops, the enums of TFLite's schema.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "litert/cc/options/litert_arm_options.h"
#include "litert/cc/options/litert_google_tensor_options.h"
#include "litert/cc/options/litert_gpu_options.h"
#include "litert/cc/options/litert_intel_openvino_options.h"
#include "litert/cc/options/litert_mediatek_options.h"
#include "litert/cc/options/litert_qualcomm_options.h"
#include "litert/cc/options/litert_samsung_options.h"
#include "litert/cc/options/litert_webnn_options.h"
#include "litert/core/dynamic_loading.h"
#include "litert/core/filesystem.h"
#include "litert/core/util/tensor_type_util.h"
#include "litert/vendors/cc/namespace_heuristics.h"
#include "sdk/tests/expect_ok.h"
#include "tests/support/temporary_folder.h"
#include "tflite/schema/schema_generated.h"

namespace litert {
namespace {

using ::npukit::Ok;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// The text that options become.
std::string TextOf(const ConcreteOptionsBase& options) {
  const char* identifier = nullptr;
  void* payload = nullptr;
  void (*deleter)(void*) = nullptr;
  EXPECT_EQ(options.GetOpaqueOptionsData(&identifier, &payload, &deleter), kLiteRtStatusOk);
  std::string text = static_cast<const char*>(payload);
  deleter(payload);
  return text;
}

TEST(VendorOptionsTest, Qualcomm) {
  using qualcomm::QualcommOptions;
  auto options = Ok(QualcommOptions::Create());
  EXPECT_EQ(options.GetLogLevel(), QualcommOptions::LogLevel::kInfo);
  EXPECT_TRUE(options.GetUseConvHMX());
  EXPECT_EQ(options.GetLpaiFtrtRatio(), 10u);
  options.SetLogLevel(QualcommOptions::LogLevel::kVerbose);
  options.SetBackend(QualcommOptions::Backend::kDsp);
  options.SetIrJsonDir("/ir");
  options.SetDumpTensorIds({3, 5});
  EXPECT_EQ(options.GetLogLevel(), QualcommOptions::LogLevel::kVerbose);
  EXPECT_EQ(options.GetBackend(), QualcommOptions::Backend::kDsp);
  EXPECT_EQ(options.GetIrJsonDir(), "/ir");
  EXPECT_THAT(options.GetDumpTensorIds(), ElementsAre(3, 5));
  ASSERT_EQ(options.SetCustomOpPackage({"n", "p", "c", "d", "t"}), kLiteRtStatusOk);
  EXPECT_EQ(options.GetCustomOpPackage().interface_provider, "p");
  EXPECT_THAT(TextOf(options), HasSubstr("log_level = 4\n"));

  QualcommOptions moved = std::move(options);
  EXPECT_EQ(options.Get(), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(options.GetBackend(), QualcommOptions::Backend::kUndefined) << "moved from: no crash";
  EXPECT_EQ(moved.GetBackend(), QualcommOptions::Backend::kDsp);
}

TEST(VendorOptionsTest, OthersGiveBackWhatWasSet) {
  auto mediatek = Ok(mediatek::MediatekOptions::Create());
  mediatek.SetPerformanceMode(mediatek::MediatekOptions::PerformanceMode::kTurboBoost);
  mediatek.SetEnableL1CacheOptimizations(true);
  mediatek.SetMediatekDlaDir("/dla");
  EXPECT_EQ(mediatek.GetPerformanceMode(), mediatek::MediatekOptions::PerformanceMode::kTurboBoost);
  EXPECT_TRUE(mediatek.GetEnableL1CacheOptimizations());
  EXPECT_EQ(mediatek.GetMediatekDlaDir(), "/dla");

  auto google = Ok(google_tensor::GoogleTensorOptions::Create());
  google.SetOutputDir("/out");
  google.SetInputCoherency("main", "x", true);
  EXPECT_EQ(google.GetOutputDir(), "/out");
  EXPECT_TRUE(google.GetInputCoherency("main", "x"));
  EXPECT_FALSE(google.GetOutputCoherency("main", "x"));

  auto openvino = Ok(intel_openvino::IntelOpenVinoOptions::Create());
  openvino.SetConfigsMapOption("NPU_TURBO", "YES");
  openvino.SetGraphBackend(1, kLiteRtIntelOpenVinoGraphBackendCPU);
  ASSERT_EQ(openvino.GetNumConfigsMapOptions(), 1);
  EXPECT_EQ(openvino.GetConfigsMapOption(0),
            std::pair(std::string("NPU_TURBO"), std::string("YES")));
  EXPECT_EQ(openvino.GetConfigsMapOption(7).first, "");
  EXPECT_EQ(openvino.GetNumGraphOverrides(), 1);
  EXPECT_EQ(Ok(openvino.GetGraphBackend(1)), kLiteRtIntelOpenVinoGraphBackendCPU);
  EXPECT_FALSE(openvino.GetGraphBackend(0));

  auto gpu = Ok(GpuOptions::Create());
  Ok(gpu.SetPrecision(GpuOptions::Precision::kFp16));
  EXPECT_EQ(gpu.SetNumThreadsToUpload(3), kLiteRtStatusOk);
  EXPECT_EQ(gpu.SetModelCacheKey("key"), kLiteRtStatusOk);
  EXPECT_EQ(Ok(WebNnOptions::Create()).SetPrecision(kLiteRtWebNnPrecisionFp16), kLiteRtStatusOk);

  auto arm = Ok(arm::ArmOptions::Create());
  EXPECT_FALSE(Ok(arm.GetEnableJustInTime()));
  Ok(arm.SetEnableJustInTime(true));
  EXPECT_EQ(TextOf(arm), "enable_just_in_time = true\n");
}

// As of v2.1.4: opaque options themselves.
TEST(VendorOptionsTest, Samsung) {
  auto options = Ok(samsung::SamsungOptions::Create());
  EXPECT_EQ(Ok(options.GetIdentifier()), "samsung");
  EXPECT_TRUE(FindOpaqueOptions<samsung::SamsungOptions>(options));
}

TEST(TensorTypeTest, CountsBytes) {
  using internal::GetNumBytes;
  using internal::GetNumPackedBytes;
  using Shape = std::vector<int32_t>;
  EXPECT_EQ(Ok(GetNumPackedBytes(kLiteRtElementTypeFloat32, Shape{2, 3})), 24u);
  EXPECT_EQ(Ok(GetNumPackedBytes(kLiteRtElementTypeInt4, Shape{3})), 2u) << "rounded up";
  EXPECT_EQ(Ok(GetNumPackedBytes(kLiteRtElementTypeInt2, Shape{5})), 2u);
  EXPECT_EQ(Ok(GetNumPackedBytes(kLiteRtElementTypeInt8, Shape{})), 1u);
  EXPECT_EQ(Ok(GetNumBytes(kLiteRtElementTypeInt16, Shape{2, 3}, Shape{4, 1})), 14u);
  EXPECT_FALSE(GetNumPackedBytes(kLiteRtElementTypeTfString, Shape{1}));
  EXPECT_FALSE(GetNumPackedBytes(kLiteRtElementTypeInt8, Shape{2, -1}));
  EXPECT_FALSE(GetNumPackedBytes(kLiteRtElementTypeInt8, Shape{0}));
  EXPECT_FALSE(GetNumBytes(kLiteRtElementTypeInt8, Shape{2}, Shape{-1}));
  EXPECT_FALSE(GetNumBytes(kLiteRtElementTypeInt8, Shape{2}, Shape{1, 1}));
  const std::vector<uint64_t> huge = {std::numeric_limits<uint64_t>::max(), 2};
  EXPECT_FALSE(GetNumPackedBytes(kLiteRtElementTypeInt8, huge));
  LiteRtRankedTensorType type = {};
  type.element_type = kLiteRtElementTypeFloat64;
  type.layout.rank = 2;
  type.layout.dimensions[0] = 2;
  type.layout.dimensions[1] = 5;
  EXPECT_EQ(Ok(GetNumPackedBytes(type)), 80u);
}

class VendorFilesTest : public ::testing::Test {
 protected:
  npukit::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

TEST_F(VendorFilesTest, Files) {
  namespace files = internal;
  const std::string file = files::Join({folder_, "sub", "a.bin"});
  EXPECT_EQ(file, folder_ + "/sub/a.bin");
  Ok(files::MkDir(Ok(files::Parent(file))));
  EXPECT_FALSE(files::Size(file));
  std::ofstream(file) << "abc";
  EXPECT_EQ(Ok(files::Size(file)), 3u);
  EXPECT_EQ(Ok(files::LoadBinaryFile(file)).StrView(), "abc");
  EXPECT_EQ(files::Stem(file), "a");
  EXPECT_EQ(Ok(files::Filename(file)), "a.bin");
  EXPECT_EQ(Ok(files::Relative(file, folder_)), "sub/a.bin");
  EXPECT_THAT(Ok(files::ListDir(folder_)), ElementsAre(folder_ + "/sub"));
  EXPECT_THAT(Ok(files::RecursiveListDir(folder_)), UnorderedElementsAre(folder_ + "/sub", file));
  Ok(files::RemoveFile(file));
  EXPECT_FALSE(files::RemoveFile(file)) << "it is gone";
  EXPECT_FALSE(files::ListDir(file));
}

TEST_F(VendorFilesTest, Libraries) {
  for (const char* name : {"libLiteRtDispatch_X.so", "libLiteRtCompilerPlugin_X.so", "libQnn.so",
                           "libLiteRtDispatch.txt"}) {
    std::ofstream(folder_ + "/" + name) << "x";
  }
  std::vector<std::string> found;
  EXPECT_EQ(internal::FindLiteRtDispatchSharedLibs(folder_, found), kLiteRtStatusOk);
  EXPECT_THAT(found, ElementsAre(folder_ + "/libLiteRtDispatch_X.so"));
  found.clear();
  EXPECT_EQ(internal::FindLiteRtCompilerPluginSharedLibs(folder_, found), kLiteRtStatusOk);
  EXPECT_THAT(found, ElementsAre(folder_ + "/libLiteRtCompilerPlugin_X.so"));
  EXPECT_EQ(internal::FindLiteRtDispatchSharedLibs("/no/such", found),
            kLiteRtStatusErrorInvalidArgument);

  setenv("LD_LIBRARY_PATH", "/first", 1);
  EXPECT_EQ(internal::PutLibOnLdPath(folder_, "libQnn"), kLiteRtStatusOk);
  EXPECT_EQ(internal::PutLibOnLdPath(folder_, "libQnn"), kLiteRtStatusOk) << "only once";
  EXPECT_EQ(std::string(getenv("LD_LIBRARY_PATH")), "/first:" + folder_);
}

TEST(NamespaceHeuristicsTest, NamesLikeTheOp) {
  const std::vector<std::string> names = {"net/block/weights", "net/Conv2D_1", "net/bias"};
  EXPECT_EQ(TfliteNodeNamespaceHeuristic("conv_2d", names), "net/Conv2D_1");
  EXPECT_EQ(TfliteNodeNamespaceHeuristic("conv_2d", std::vector<std::string>{}), "");
  EXPECT_EQ(TfliteNodeNamespaceHeuristic("conv_2d", std::vector<std::string>{"x"}), "x");
  const std::vector<std::string> twice = {"a/add", "b/add"};
  EXPECT_EQ(TfliteNodeNamespaceHeuristic("add", twice), "b/add") << "the last";
  const std::vector<std::string> numbers = {"a/1", "b/2"};
  EXPECT_EQ(TfliteNodeNamespaceHeuristic("add", numbers), "a/1") << "no letters";
  EXPECT_EQ(GetTfliteOpName(kLiteRtOpCodeTflAveragePool2d), "AveragePool2d");
  EXPECT_EQ(GetTfliteOpName(kLiteRtOpCodeShloAdd), "StablehloAdd");
  EXPECT_EQ(GetTfliteOpName(static_cast<LiteRtOpCode>(9999)), "Unknown");
}

TEST(TfliteSchemaTest, Enums) {
  EXPECT_STREQ(tflite::EnumNameActivationFunctionType(tflite::ActivationFunctionType_RELU6),
               "RELU6");
  EXPECT_STREQ(tflite::EnumNamePadding(static_cast<tflite::Padding>(9)), "");
  EXPECT_STREQ(tflite::EnumNamesMirrorPadMode()[1], "SYMMETRIC");
  EXPECT_EQ(tflite::ActivationFunctionType_MAX, tflite::ActivationFunctionType_SIGN_BIT);
  EXPECT_EQ(tflite::TensorType_INT4, 17);
}

}  // namespace
}  // namespace litert

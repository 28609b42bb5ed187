// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of vendors that no table has: lists of entries, and what is written otherwise than read.

#include <gtest/gtest.h>

#include <string>

#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/c/options/litert_intel_openvino_options.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "sdk/host/c_api/support/testing/options_text.h"

namespace {

using npukit::TextOf;

TEST(GoogleTensorOptionsTest, Coherency) {
  LrtGoogleTensorOptions options = nullptr;
  ASSERT_EQ(LrtCreateGoogleTensorOptions(&options), kLiteRtStatusOk);
  ASSERT_EQ(LrtGoogleTensorOptionsSetInputCoherency(options, "main", "x", true), kLiteRtStatusOk);
  ASSERT_EQ(LrtGoogleTensorOptionsSetInputCoherency(options, "main", "a:b", false),
            kLiteRtStatusOk);
  ASSERT_EQ(LrtGoogleTensorOptionsSetOutputCoherency(options, "main", "y", true), kLiteRtStatusOk);
  EXPECT_EQ(LrtGoogleTensorOptionsSetInputCoherency(options, "a:b", "x", true),
            kLiteRtStatusErrorInvalidArgument);
  const std::string text =
      TextOf<LrtGoogleTensorOptions>(options, LrtGetOpaqueGoogleTensorOptionsData, "google_tensor");
  EXPECT_NE(text.find("input_coherency_main:x = true\n"), std::string::npos) << text;
  LrtDestroyGoogleTensorOptions(options);

  ASSERT_EQ(LrtCreateGoogleTensorOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
  int count = 0;
  ASSERT_EQ(LrtGoogleTensorOptionsGetNumInputCoherencyEntries(options, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2);
  const char* signature = nullptr;
  const char* tensor = nullptr;
  bool coherent = true;
  ASSERT_EQ(
      LrtGoogleTensorOptionsGetInputCoherencyEntry(options, 0, &signature, &tensor, &coherent),
      kLiteRtStatusOk);
  EXPECT_STREQ(signature, "main");
  EXPECT_STREQ(tensor, "a:b");
  EXPECT_FALSE(coherent);
  EXPECT_EQ(
      LrtGoogleTensorOptionsGetInputCoherencyEntry(options, 2, &signature, &tensor, &coherent),
      kLiteRtStatusErrorInvalidArgument);
  ASSERT_EQ(LrtGoogleTensorOptionsGetOutputCoherency(options, "main", "y", &coherent),
            kLiteRtStatusOk);
  EXPECT_TRUE(coherent);
  ASSERT_EQ(LrtGoogleTensorOptionsGetOutputCoherency(options, "main", "z", &coherent),
            kLiteRtStatusOk);
  EXPECT_FALSE(coherent);
  LrtDestroyGoogleTensorOptions(options);
}

TEST(QualcommOptionsTest, CustomOpPackage) {
  LrtQualcommOptions options = nullptr;
  ASSERT_EQ(LrtCreateQualcommOptions(&options), kLiteRtStatusOk);
  const char* parts[5] = {};
  const auto get = [&] {
    return LrtQualcommOptionsGetCustomOpPackage(options, &parts[0], &parts[1], &parts[2], &parts[3],
                                                &parts[4]);
  };
  ASSERT_EQ(get(), kLiteRtStatusOk);
  for (const char* part : parts) EXPECT_STREQ(part, "");
  EXPECT_EQ(LrtQualcommOptionsSetCustomOpPackage(options, "a;b", "p", "c", "d", "t"),
            kLiteRtStatusErrorInvalidArgument);
  ASSERT_EQ(LrtQualcommOptionsSetCustomOpPackage(options, "n", "p", "/c.so", "C:/d.so", "HTP"),
            kLiteRtStatusOk);
  const std::string text =
      TextOf<LrtQualcommOptions>(options, LrtGetOpaqueQualcommOptionsData, "qualcomm");
  EXPECT_EQ(text,
            "custom_op_package = \"name:n;interface_provider:p;compile_package_path:/c.so;"
            "dispatch_package_path:C:/d.so;target:HTP;\"\n");
  LrtDestroyQualcommOptions(options);
  ASSERT_EQ(LrtCreateQualcommOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
  ASSERT_EQ(get(), kLiteRtStatusOk);
  EXPECT_STREQ(parts[0], "n");
  EXPECT_STREQ(parts[3], "C:/d.so");
  EXPECT_STREQ(parts[4], "HTP");
  LrtDestroyQualcommOptions(options);
  ASSERT_EQ(LrtCreateQualcommOptionsFromToml("custom_op_package = \"colour:red;\"", &options),
            kLiteRtStatusOk);
  EXPECT_EQ(get(), kLiteRtStatusErrorInvalidArgument);
  LrtDestroyQualcommOptions(options);
}

TEST(OpenVinoOptionsTest, DeviceTypeOfV214) {
  LrtIntelOpenVinoOptions options = nullptr;
  ASSERT_EQ(LrtIntelOpenVinoOptionsCreate(&options), kLiteRtStatusOk);
  LiteRtIntelOpenVinoDeviceType device = {};
  ASSERT_EQ(LrtIntelOpenVinoOptionsGetDeviceType(options, &device), kLiteRtStatusOk);
  EXPECT_EQ(device, kLiteRtIntelOpenVinoDeviceTypeNPU);
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetDeviceType(options, kLiteRtIntelOpenVinoDeviceTypeGPU),
            kLiteRtStatusOk);
  const std::string text = TextOf<LrtIntelOpenVinoOptions>(
      options, LrtGetOpaqueIntelOpenVinoOptionsData, "intel_openvino");
  EXPECT_EQ(text, "device_type = 1\n");
  LrtDestroyIntelOpenVinoOptions(options);
  ASSERT_EQ(LrtCreateIntelOpenVinoOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
  ASSERT_EQ(LrtIntelOpenVinoOptionsGetDeviceType(options, &device), kLiteRtStatusOk);
  EXPECT_EQ(device, kLiteRtIntelOpenVinoDeviceTypeGPU);
  LrtDestroyIntelOpenVinoOptions(options);
}

}  // namespace

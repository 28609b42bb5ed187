// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions that litert/c/options/*.def name.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/c/options/litert_samsung_options.h"

namespace {

struct Unset {};
constexpr Unset UNSET;

// A value that is not the fallback.
template <typename T, typename Fallback>
T Other(Fallback fallback) {
  if constexpr (std::is_same_v<T, const char*>) {
    return "some text";
  } else if constexpr (std::is_same_v<Fallback, Unset>) {
    return static_cast<T>(1);
  } else if constexpr (std::is_same_v<T, bool>) {
    return !fallback;
  } else {
    return static_cast<T>(static_cast<int>(fallback) + 1);
  }
}

template <typename T>
bool Equal(T a, T b) {
  if constexpr (std::is_same_v<T, const char*>) {
    return std::string(a) == b;
  } else {
    return a == b;
  }
}

template <typename Handle, typename ConstHandle, typename T, typename Fallback>
void CheckOption(const char* name, Handle options, LiteRtStatus (*set)(Handle, T),
                 LiteRtStatus (*get)(ConstHandle, T*), Fallback fallback) {
  SCOPED_TRACE(name);
  T value = {};
  if constexpr (std::is_same_v<Fallback, Unset>) {
    EXPECT_EQ(get(options, &value), kLiteRtStatusErrorNotFound);
  } else {
    ASSERT_EQ(get(options, &value), kLiteRtStatusOk);
    EXPECT_TRUE(Equal<T>(value, fallback));
  }
  const T other = Other<T>(fallback);
  ASSERT_EQ(set(options, other), kLiteRtStatusOk);
  ASSERT_EQ(get(options, &value), kLiteRtStatusOk);
  EXPECT_TRUE(Equal<T>(value, other));
  EXPECT_EQ(set(nullptr, other), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(get(nullptr, &value), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(get(options, nullptr), kLiteRtStatusErrorInvalidArgument);
}

// The value in `options` is the one that CheckOption set.
template <typename ConstHandle, typename T, typename Fallback>
void CheckKept(const char* name, ConstHandle options, LiteRtStatus (*get)(ConstHandle, T*),
               Fallback fallback) {
  SCOPED_TRACE(name);
  T value = {};
  ASSERT_EQ(get(options, &value), kLiteRtStatusOk);
  EXPECT_TRUE(Equal<T>(value, Other<T>(fallback)));
}

template <typename ConstHandle>
std::string TextOf(ConstHandle options,
                   LiteRtStatus (*get_data)(ConstHandle, const char**, void**, void (**)(void*)),
                   const std::string& identifier) {
  const char* found = nullptr;
  void* payload = nullptr;
  void (*deleter)(void*) = nullptr;
  EXPECT_EQ(get_data(options, &found, &payload, &deleter), kLiteRtStatusOk);
  EXPECT_EQ(found, identifier);
  const std::string text = static_cast<const char*>(payload);
  deleter(payload);
  EXPECT_EQ(get_data(nullptr, &found, &payload, &deleter), kLiteRtStatusErrorInvalidArgument);
  return text;
}

TEST(TableOptionsTest, Cpu) {
  LrtCpuOptions* options = nullptr;
  ASSERT_EQ(LrtCreateCpuOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_cpu_options.def"
  const std::string text =
      TextOf<const LrtCpuOptions*>(options, LrtGetOpaqueCpuOptionsData, "xnnpack");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_cpu_options.def"
  LrtDestroyCpuOptions(options);
}

TEST(TableOptionsTest, Runtime) {
  LrtRuntimeOptions* options = nullptr;
  ASSERT_EQ(LrtCreateRuntimeOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_runtime_options.def"
  const std::string text = TextOf<const LrtRuntimeOptions*>(options, LrtGetOpaqueRuntimeOptionsData,
                                                            "runtime_options_string");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_runtime_options.def"
  LrtDestroyRuntimeOptions(options);
}

TEST(TableOptionsTest, Mediatek) {
  LrtMediatekOptions* options = nullptr;
  ASSERT_EQ(LrtCreateMediatekOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_mediatek_options.def"
  const std::string text =
      TextOf<const LrtMediatekOptions*>(options, LrtGetOpaqueMediatekOptionsData, "mediatek");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_mediatek_options.def"
  LrtDestroyMediatekOptions(options);
  ASSERT_EQ(LrtCreateMediatekOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) \
  CheckKept<const LrtMediatekOptions*>(#key, options, get, fallback);
#include "litert/c/options/litert_mediatek_options.def"
  LrtDestroyMediatekOptions(options);
}

TEST(TableOptionsTest, GoogleTensor) {
  LrtGoogleTensorOptions options = nullptr;
  ASSERT_EQ(LrtCreateGoogleTensorOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_google_tensor_options.def"
  const std::string text =
      TextOf<LrtGoogleTensorOptions>(options, LrtGetOpaqueGoogleTensorOptionsData, "google_tensor");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_google_tensor_options.def"
  LrtDestroyGoogleTensorOptions(options);
  ASSERT_EQ(LrtCreateGoogleTensorOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) \
  CheckKept<LrtGoogleTensorOptions>(#key, options, get, fallback);
#include "litert/c/options/litert_google_tensor_options.def"
  LrtDestroyGoogleTensorOptions(options);
}

TEST(TableOptionsTest, Qualcomm) {
  LrtQualcommOptions options = nullptr;
  ASSERT_EQ(LrtCreateQualcommOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_qualcomm_options.def"
  const std::string text =
      TextOf<LrtQualcommOptions>(options, LrtGetOpaqueQualcommOptionsData, "qualcomm");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_qualcomm_options.def"
  LrtDestroyQualcommOptions(options);
  ASSERT_EQ(LrtCreateQualcommOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) \
  CheckKept<LrtQualcommOptions>(#key, options, get, fallback);
#include "litert/c/options/litert_qualcomm_options.def"
  LrtDestroyQualcommOptions(options);
}

TEST(TableOptionsTest, Samsung) {
  LrtSamsungOptions options = nullptr;
  ASSERT_EQ(LrtCreateSamsungOptions(&options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) CheckOption(#key, options, set, get, fallback);
#include "litert/c/options/litert_samsung_options.def"
  const std::string text =
      TextOf<LrtSamsungOptions>(options, LrtGetOpaqueSamsungOptionsData, "samsung");
#define OPTION(type, set, get, key, fallback) \
  EXPECT_NE(("\n" + text).find("\n" #key " = "), std::string::npos) << #key;
#include "litert/c/options/litert_samsung_options.def"
  LrtDestroySamsungOptions(options);
  ASSERT_EQ(LrtCreateSamsungOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk);
#define OPTION(type, set, get, key, fallback) \
  CheckKept<LrtSamsungOptions>(#key, options, get, fallback);
#include "litert/c/options/litert_samsung_options.def"
  LrtDestroySamsungOptions(options);
}

TEST(TableOptionsTest, TextIsReadWithCare) {
  LrtQualcommOptions options = nullptr;
  ASSERT_EQ(LrtCreateQualcommOptionsFromToml(
                "# made by hand\r\n\n  vtcm_size=7\nnew_key = {a = 1}\nlog_level = \"high\"\n"
                "dump_tensor_ids = [3, -4,5]\nir_json_dir = 'a = b'",
                &options),
            kLiteRtStatusOk);
  uint32_t vtcm_size = 0;
  EXPECT_EQ(LrtQualcommOptionsGetVtcmSize(options, &vtcm_size), kLiteRtStatusOk);
  EXPECT_EQ(vtcm_size, 7u);
  LrtQualcommOptionsLogLevel level = {};
  EXPECT_EQ(LrtQualcommOptionsGetLogLevel(options, &level), kLiteRtStatusErrorInvalidArgument);
  const char* dir = nullptr;
  EXPECT_EQ(LrtQualcommOptionsGetIrJsonDir(options, &dir), kLiteRtStatusOk);
  EXPECT_STREQ(dir, "a = b");
  const int32_t* ids = nullptr;
  size_t count = 0;
  ASSERT_EQ(LrtQualcommOptionsGetDumpTensorIds(options, &ids, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 3u);
  EXPECT_EQ(ids[1], -4);
  const int32_t two[] = {8, 9};
  ASSERT_EQ(LrtQualcommOptionsSetDumpTensorIds(options, two, 2), kLiteRtStatusOk);
  const std::string text = TextOf<LrtQualcommOptions>(options, LrtGetOpaqueQualcommOptionsData,
                                                      LrtQualcommOptionsGetIdentifier());
  EXPECT_NE(text.find("dump_tensor_ids = [8, 9]\n"), std::string::npos) << text;
  LrtDestroyQualcommOptions(options);

  for (const char* bad : {"vtcm_size", "= 7", "vtcm_size =\n"}) {
    EXPECT_EQ(LrtCreateQualcommOptionsFromToml(bad, &options), kLiteRtStatusErrorInvalidArgument)
        << bad;
    EXPECT_EQ(options, nullptr);
  }
  ASSERT_EQ(LrtCreateQualcommOptionsFromToml(nullptr, &options), kLiteRtStatusOk);
  LrtDestroyQualcommOptions(options);
}

}  // namespace

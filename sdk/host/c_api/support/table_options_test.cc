// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions that litert/c/options/*.def name.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/c/options/litert_gpu_options.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/c/options/litert_samsung_options.h"
#include "litert/c/options/litert_webnn_options.h"
#include "sdk/host/c_api/support/testing/options_text.h"

namespace {

using npukit::TextOf;

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
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(static_cast<int>(fallback) == 0 ? 1 : 0);  // every enumeration has both
  } else {
    return static_cast<T>(static_cast<int>(fallback) + 1);
  }
}

template <typename T>
bool Equal(T a, T b) {
  if constexpr (std::is_same_v<T, const char*>) {
    if (a == nullptr || b == nullptr) return a == b;
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
template <typename T, typename Handle, typename ConstHandle, typename Fallback>
void CheckKept(const char* name, Handle options, LiteRtStatus (*get)(ConstHandle, T*),
               Fallback fallback) {
  SCOPED_TRACE(name);
  T value = {};
  ASSERT_EQ(get(options, &value), kLiteRtStatusOk);
  EXPECT_TRUE(Equal<T>(value, Other<T>(fallback)));
}

// What is asked of one line of a table.
template <typename Handle>
struct Line {
  const char* key;
  void (*check)(Handle options);       // sets it
  void (*check_kept)(Handle options);  // after `check`
};
#define TABLE_LINE(type, set, get, key, fallback)                              \
  {#key, [](auto options) { CheckOption(#key, options, set, get, fallback); }, \
   [](auto options) { CheckKept<type>(#key, options, get, fallback); }},

// The functions of one kind of options.
template <typename Handle, typename ConstHandle>
struct Functions {
  LiteRtStatus (*create)(Handle*);
  void (*destroy)(Handle);
  LiteRtStatus (*get_data)(ConstHandle, const char**, void**, void (**)(void*));
  const char* identifier;
};

// The text of options with all lines set.
template <typename Handle, typename ConstHandle>
std::string CheckTable(const Functions<Handle, ConstHandle>& functions,
                       const std::vector<Line<Handle>>& lines) {
  Handle options = nullptr;
  EXPECT_EQ(functions.create(&options), kLiteRtStatusOk);
  if (options == nullptr) return {};
  for (const Line<Handle>& line : lines) line.check(options);
  const std::string text = TextOf<ConstHandle>(options, functions.get_data, functions.identifier);
  for (const Line<Handle>& line : lines) {
    EXPECT_NE(("\n" + text).find("\n" + std::string(line.key) + " = "), std::string::npos)
        << line.key;
  }
  functions.destroy(options);
  return text;
}

// The same of a kind that is made from text, too.
template <typename Handle, typename ConstHandle>
void CheckTable(const Functions<Handle, ConstHandle>& functions,
                LiteRtStatus (*create_from_toml)(const char*, Handle*),
                const std::vector<Line<Handle>>& lines) {
  const std::string text = CheckTable(functions, lines);
  Handle options = nullptr;
  ASSERT_EQ(create_from_toml(text.c_str(), &options), kLiteRtStatusOk);
  for (const Line<Handle>& line : lines) line.check_kept(options);
  functions.destroy(options);
}

TEST(TableOptionsTest, Cpu) {
  CheckTable<LrtCpuOptions*, const LrtCpuOptions*>(
      {LrtCreateCpuOptions, LrtDestroyCpuOptions, LrtGetOpaqueCpuOptionsData, "xnnpack"}, {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_cpu_options.def"
                                                                                          });
}

TEST(TableOptionsTest, Runtime) {
  CheckTable<LrtRuntimeOptions*, const LrtRuntimeOptions*>(
      {LrtCreateRuntimeOptions, LrtDestroyRuntimeOptions, LrtGetOpaqueRuntimeOptionsData,
       "runtime_options_string"},
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_runtime_options.def"
      });
}

TEST(TableOptionsTest, WebNn) {
  CheckTable<LrtWebNnOptions*, const LrtWebNnOptions*>(
      {LrtCreateWebNnOptions, LrtDestroyWebNnOptions, LrtGetOpaqueWebNnOptionsData,
       "webnn_options_string"},
      LrtCreateWebNnOptionsFromToml,
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_webnn_options.def"
      });
}

TEST(TableOptionsTest, Gpu) {
  EXPECT_STREQ(LrtGetGpuOptionsIdentifier(), "gpu_options");
  CheckTable<LrtGpuOptions*, const LrtGpuOptions*>(
      {LrtCreateGpuOptions, LrtDestroyGpuOptions, LrtGetOpaqueGpuOptionsData, "gpu_options"},
      LrtCreateGpuOptionsFromToml,
      {
#define OPTION_OPTIONS_FIRST TABLE_LINE
#define OPTION(type, set, get, key, fallback)                                                  \
  TABLE_LINE(type, set,                                                                        \
             (+[](const LrtGpuOptions* options, type* value) { return get(value, options); }), \
             key, fallback)
#include "litert/c/options/litert_gpu_options.def"
      });
}

TEST(TableOptionsTest, GpuTextIsTakenAwayByNull) {
  LrtGpuOptions* options = nullptr;
  ASSERT_EQ(LrtCreateGpuOptions(&options), kLiteRtStatusOk);
  const char* key = "unset";
  ASSERT_EQ(LrtSetGpuAcceleratorCompilationOptionsModelCacheKey(options, "m"), kLiteRtStatusOk);
  ASSERT_EQ(LrtSetGpuAcceleratorCompilationOptionsModelCacheKey(options, nullptr), kLiteRtStatusOk);
  ASSERT_EQ(LrtGetGpuAcceleratorCompilationOptionsModelCacheKey(&key, options), kLiteRtStatusOk);
  EXPECT_EQ(key, nullptr);
  LrtDestroyGpuOptions(options);
}

// What is no line of the table: an address, and lists of patterns.
TEST(TableOptionsTest, GpuAddressAndPatterns) {
  LrtGpuOptions* made = nullptr;
  ASSERT_EQ(LrtCreateGpuOptions(&made), kLiteRtStatusOk);
  int place = 0;
  void* maps = &place;
  ASSERT_EQ(LrtGetGpuAcceleratorCompilationOptionsSharedTensorMaps(&maps, made), kLiteRtStatusOk);
  EXPECT_EQ(maps, nullptr);
  ASSERT_EQ(LrtSetGpuAcceleratorCompilationOptionsSharedTensorMaps(made, &place), kLiteRtStatusOk);
  for (const char* pattern : {"a, b", "kv*"})
    ASSERT_EQ(LrtAddGpuOptionsExternalTensorPattern(made, pattern), kLiteRtStatusOk);
  ASSERT_EQ(LrtAddGpuOptionsBufferStorageTensorPattern(made, "w"), kLiteRtStatusOk);
  EXPECT_EQ(LrtAddGpuOptionsBufferStorageTensorPattern(made, nullptr),
            kLiteRtStatusErrorInvalidArgument);
  const std::string text =
      TextOf<const LrtGpuOptions*>(made, LrtGetOpaqueGpuOptionsData, "gpu_options");
  EXPECT_NE(text.find("external_tensor_patterns = [\"a, b\", \"kv*\"]\n"), std::string::npos);
  LrtDestroyGpuOptions(made);

  LrtGpuOptions* read = nullptr;
  ASSERT_EQ(LrtCreateGpuOptionsFromToml(text.c_str(), &read), kLiteRtStatusOk);
  ASSERT_EQ(LrtGetGpuAcceleratorCompilationOptionsSharedTensorMaps(&maps, read), kLiteRtStatusOk);
  EXPECT_EQ(maps, &place);
  int count = 0;
  ASSERT_EQ(LrtGetNumGpuAcceleratorCompilationOptionsExternalTensorPatterns(&count, read),
            kLiteRtStatusOk);
  EXPECT_EQ(count, 2);
  const char* pattern = nullptr;
  ASSERT_EQ(LrtGetGpuAcceleratorCompilationOptionsExternalTensorPattern(&pattern, 1, read),
            kLiteRtStatusOk);
  EXPECT_STREQ(pattern, "kv*");
  for (int index : {-1, 2}) {
    EXPECT_EQ(LrtGetGpuAcceleratorCompilationOptionsExternalTensorPattern(&pattern, index, read),
              kLiteRtStatusErrorIndexOOB);
  }
  ASSERT_EQ(LrtGetNumGpuAcceleratorCompilationOptionsBufferStorageTensorPatterns(&count, read),
            kLiteRtStatusOk);
  EXPECT_EQ(count, 1);
  LrtDestroyGpuOptions(read);
  EXPECT_EQ(LrtCreateGpuOptionsFromToml(nullptr, &read), kLiteRtStatusErrorInvalidArgument);
}

// A list that is cut short or mixed sets nothing.
TEST(TableOptionsTest, ListsThatAreNoneSetNothing) {
  for (const char* list : {"[\"a]", "[\"a\" \"b\"]", "[\"a\", 1]", "[a\"]"}) {
    LrtGpuOptions* options = nullptr;
    const std::string text = std::string("external_tensor_patterns = ") + list + "\n";
    ASSERT_EQ(LrtCreateGpuOptionsFromToml(text.c_str(), &options), kLiteRtStatusOk) << list;
    int count = -1;
    ASSERT_EQ(LrtGetNumGpuAcceleratorCompilationOptionsExternalTensorPatterns(&count, options),
              kLiteRtStatusOk);
    EXPECT_EQ(count, 0) << list;
    LrtDestroyGpuOptions(options);
  }
}

TEST(TableOptionsTest, Mediatek) {
  CheckTable<LrtMediatekOptions*, const LrtMediatekOptions*>(
      {LrtCreateMediatekOptions, LrtDestroyMediatekOptions, LrtGetOpaqueMediatekOptionsData,
       "mediatek"},
      LrtCreateMediatekOptionsFromToml,
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_mediatek_options.def"
      });
}

TEST(TableOptionsTest, GoogleTensor) {
  CheckTable<LrtGoogleTensorOptions, LrtGoogleTensorOptions>(
      {LrtCreateGoogleTensorOptions, LrtDestroyGoogleTensorOptions,
       LrtGetOpaqueGoogleTensorOptionsData, "google_tensor"},
      LrtCreateGoogleTensorOptionsFromToml,
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_google_tensor_options.def"
      });
}

TEST(TableOptionsTest, Qualcomm) {
  CheckTable<LrtQualcommOptions, LrtQualcommOptions>(
      {LrtCreateQualcommOptions, LrtDestroyQualcommOptions, LrtGetOpaqueQualcommOptionsData,
       "qualcomm"},
      LrtCreateQualcommOptionsFromToml,
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_qualcomm_options.def"
      });
}

TEST(TableOptionsTest, Samsung) {
  CheckTable<LrtSamsungOptions, LrtSamsungOptions>(
      {LrtCreateSamsungOptions, LrtDestroySamsungOptions, LrtGetOpaqueSamsungOptionsData,
       "samsung"},
      LrtCreateSamsungOptionsFromToml,
      {
#define OPTION TABLE_LINE
#include "litert/c/options/litert_samsung_options.def"
      });
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

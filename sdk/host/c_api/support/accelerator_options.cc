// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions of accelerators that npukit's host does not have: they keep values
// and give them back.

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/options/litert_gpu_options.h"
#include "litert/c/options/litert_webnn_options.h"
#include "sdk/host/c_api/support/option_functions.h"
#include "sdk/host/c_api/support/toml_options.h"

struct LrtGpuOptions : npukit::TomlOptions {};
struct LrtWebNnOptions : npukit::TomlOptions {};

using npukit::option_functions::Create;
using npukit::option_functions::Data;
using npukit::option_functions::Get;
using npukit::option_functions::Set;

namespace {

constexpr char kSharedTensorMaps[] = "shared_tensor_maps";
constexpr char kExternalPatterns[] = "external_tensor_patterns";
constexpr char kBufferStoragePatterns[] = "buffer_storage_tensor_patterns";

// Null text takes the option away.
template <typename T>
LiteRtStatus SetOrErase(npukit::TomlOptions* options, const char* key, T value) {
  if constexpr (std::is_same_v<T, const char*>) {
    if (options != nullptr && value == nullptr) {
      options->Erase(key);
      return kLiteRtStatusOk;
    }
  }
  return Set(options, key, value);
}

// Null if there are none.
const std::vector<std::string>* Patterns(const npukit::TomlOptions& options, const char* key) {
  const npukit::TomlValue* found = options.Find(key);
  return found == nullptr ? nullptr : std::get_if<std::vector<std::string>>(found);
}

LiteRtStatus AddPattern(npukit::TomlOptions* options, const char* key, const char* pattern) {
  if (options == nullptr || pattern == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto* known = Patterns(*options, key);
  auto patterns = known == nullptr ? std::vector<std::string>() : *known;
  patterns.emplace_back(pattern);
  options->Set(key, std::move(patterns));
  return kLiteRtStatusOk;
}

LiteRtStatus CountPatterns(const npukit::TomlOptions* options, const char* key, int* count) {
  if (options == nullptr || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto* list = Patterns(*options, key);
  *count = list == nullptr ? 0 : static_cast<int>(list->size());
  return kLiteRtStatusOk;
}

// The text stays where it is until the list grows.
LiteRtStatus GetPattern(const npukit::TomlOptions* options, const char* key, int index,
                        const char** pattern) {
  if (options == nullptr || pattern == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto* list = Patterns(*options, key);
  if (list == nullptr || index < 0 || static_cast<size_t>(index) >= list->size())
    return kLiteRtStatusErrorIndexOOB;
  *pattern = (*list)[static_cast<size_t>(index)].c_str();
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

// -- webnn

DEFINE_OPTIONS(WebNn, LrtWebNnOptions*, const LrtWebNnOptions*, "webnn_options_string")
LiteRtStatus LrtCreateWebNnOptionsFromToml(const char* toml_string, LrtWebNnOptions** options) {
  return toml_string == nullptr ? kLiteRtStatusErrorInvalidArgument : Create(toml_string, options);
}
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtWebNnOptions*, const LrtWebNnOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_webnn_options.def"

// -- gpu

DEFINE_OPTIONS(Gpu, LrtGpuOptions*, const LrtGpuOptions*, "gpu_options")
const char* LrtGetGpuOptionsIdentifier(void) { return "gpu_options"; }
LiteRtStatus LrtCreateGpuOptionsFromToml(const char* toml_string, LrtGpuOptions** options) {
  return toml_string == nullptr ? kLiteRtStatusErrorInvalidArgument : Create(toml_string, options);
}
#define OPTION(type, set, get, key, fallback)                   \
  LiteRtStatus set(LrtGpuOptions* options, type value) {        \
    return SetOrErase(options, #key, value);                    \
  }                                                             \
  LiteRtStatus get(type* value, const LrtGpuOptions* options) { \
    return Get(options, #key, value, fallback);                 \
  }
#define OPTION_OPTIONS_FIRST(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtGpuOptions*, const LrtGpuOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_gpu_options.def"

LiteRtStatus LrtSetGpuAcceleratorCompilationOptionsSharedTensorMaps(LrtGpuOptions* options,
                                                                    void* shared_tensor_maps) {
  return Set(options, kSharedTensorMaps, reinterpret_cast<intptr_t>(shared_tensor_maps));
}

LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsSharedTensorMaps(void** shared_tensor_maps,
                                                                    const LrtGpuOptions* options) {
  if (shared_tensor_maps == nullptr) return kLiteRtStatusErrorInvalidArgument;
  intptr_t address = 0;
  const LiteRtStatus status = Get(options, kSharedTensorMaps, &address, 0);
  if (status == kLiteRtStatusOk) *shared_tensor_maps = reinterpret_cast<void*>(address);
  return status;
}

LiteRtStatus LrtAddGpuOptionsExternalTensorPattern(LrtGpuOptions* options, const char* pattern) {
  return AddPattern(options, kExternalPatterns, pattern);
}

LiteRtStatus LrtGetNumGpuAcceleratorCompilationOptionsExternalTensorPatterns(
    int* num_patterns, const LrtGpuOptions* options) {
  return CountPatterns(options, kExternalPatterns, num_patterns);
}

LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsExternalTensorPattern(
    const char** pattern, int pattern_index, const LrtGpuOptions* options) {
  return GetPattern(options, kExternalPatterns, pattern_index, pattern);
}

LiteRtStatus LrtAddGpuOptionsBufferStorageTensorPattern(LrtGpuOptions* options,
                                                        const char* pattern) {
  return AddPattern(options, kBufferStoragePatterns, pattern);
}

LiteRtStatus LrtGetNumGpuAcceleratorCompilationOptionsBufferStorageTensorPatterns(
    int* num_patterns, const LrtGpuOptions* options) {
  return CountPatterns(options, kBufferStoragePatterns, num_patterns);
}

LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsBufferStorageTensorPattern(
    const char** pattern, int pattern_index, const LrtGpuOptions* options) {
  return GetPattern(options, kBufferStoragePatterns, pattern_index, pattern);
}

}  // extern "C"

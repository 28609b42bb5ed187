// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions of litert/c/options, by their tables.

#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "litert/c/internal/litert_options_helper.h"
#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/c/options/litert_samsung_options.h"
#include "sdk/host/c_api/support/toml_options.h"

struct LrtCpuOptions : npukit::TomlOptions {};
struct LrtRuntimeOptions : npukit::TomlOptions {};
struct LrtMediatekOptions : npukit::TomlOptions {};
class LrtGoogleTensorOptionsT : public npukit::TomlOptions {};
class LrtQualcommOptionsT : public npukit::TomlOptions {};
class LrtSamsungOptionsT : public npukit::TomlOptions {};

namespace {

using npukit::TomlOptions;

struct Unset {};
constexpr Unset UNSET;

template <typename T>
LiteRtStatus Set(TomlOptions* options, const char* key, T value) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  if constexpr (std::is_same_v<T, bool>) {
    options->Set(key, value);
  } else if constexpr (std::is_same_v<T, const char*>) {
    if (!value) return kLiteRtStatusErrorInvalidArgument;
    options->Set(key, std::string(value));
  } else {
    options->Set(key, static_cast<int64_t>(value));
  }
  return kLiteRtStatusOk;
}

template <typename T, typename Fallback>
LiteRtStatus Get(const TomlOptions* options, const char* key, T* value, Fallback fallback) {
  if (!options || !value) return kLiteRtStatusErrorInvalidArgument;
  const npukit::TomlValue* found = options->Find(key);
  if (!found) {
    if constexpr (std::is_same_v<Fallback, Unset>) {
      return kLiteRtStatusErrorNotFound;
    } else {
      *value = static_cast<T>(fallback);
      return kLiteRtStatusOk;
    }
  }
  if constexpr (std::is_same_v<T, bool>) {
    const bool* flag = std::get_if<bool>(found);
    if (!flag) return kLiteRtStatusErrorInvalidArgument;
    *value = *flag;
  } else if constexpr (std::is_same_v<T, const char*>) {
    const std::string* text = std::get_if<std::string>(found);
    if (!text) return kLiteRtStatusErrorInvalidArgument;
    *value = text->c_str();
  } else {
    const int64_t* number = std::get_if<int64_t>(found);
    if (!number) return kLiteRtStatusErrorInvalidArgument;
    *value = static_cast<T>(*number);
  }
  return kLiteRtStatusOk;
}

template <typename Options>
LiteRtStatus Create(const char* text, Options** options) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  auto created = std::make_unique<Options>();
  const LiteRtStatus status = text ? created->Parse(text) : kLiteRtStatusOk;
  *options = status == kLiteRtStatusOk ? created.release() : nullptr;
  return status;
}

LiteRtStatus Data(const TomlOptions* options, const char* own_identifier, const char** identifier,
                  void** payload, void (**payload_deleter)(void*)) {
  if (!options || !identifier || !payload || !payload_deleter) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *identifier = own_identifier;
  litert::internal::MakeCStringPayload(options->Text(), payload, payload_deleter);
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

// -- cpu
// ---------------------------------------------------------------------------------------------

LiteRtStatus LrtCreateCpuOptions(LrtCpuOptions** options) { return Create(nullptr, options); }
void LrtDestroyCpuOptions(LrtCpuOptions* options) { delete options; }
LiteRtStatus LrtGetOpaqueCpuOptionsData(const LrtCpuOptions* options, const char** identifier,
                                        void** payload, void (**payload_deleter)(void*)) {
  return Data(options, "xnnpack", identifier, payload, payload_deleter);
}
const char* LrtGetCpuOptionsIdentifier(void) { return "xnnpack"; }
#define OPTION(type, set, get, key, fallback)                                                \
  LiteRtStatus set(LrtCpuOptions* options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(const LrtCpuOptions* options, type* value) {                              \
    return Get(options, #key, value, fallback);                                              \
  }
#include "litert/c/options/litert_cpu_options.def"

// -- runtime
// -----------------------------------------------------------------------------------------

LiteRtStatus LrtCreateRuntimeOptions(LrtRuntimeOptions** options) {
  return Create(nullptr, options);
}
void LrtDestroyRuntimeOptions(LrtRuntimeOptions* options) { delete options; }
LiteRtStatus LrtGetOpaqueRuntimeOptionsData(const LrtRuntimeOptions* options,
                                            const char** identifier, void** payload,
                                            void (**payload_deleter)(void*)) {
  return Data(options, "runtime_options_string", identifier, payload, payload_deleter);
}
const char* LrtGetRuntimeOptionsIdentifier(void) { return "runtime_options_string"; }
#define OPTION(type, set, get, key, fallback)                                                    \
  LiteRtStatus set(LrtRuntimeOptions* options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(const LrtRuntimeOptions* options, type* value) {                              \
    return Get(options, #key, value, fallback);                                                  \
  }
#include "litert/c/options/litert_runtime_options.def"

// -- mediatek
// ----------------------------------------------------------------------------------------

LiteRtStatus LrtCreateMediatekOptions(LrtMediatekOptions** options) {
  return Create(nullptr, options);
}
void LrtDestroyMediatekOptions(LrtMediatekOptions* options) { delete options; }
LiteRtStatus LrtCreateMediatekOptionsFromToml(const char* toml_payload,
                                              LrtMediatekOptions** options) {
  return Create(toml_payload, options);
}
LiteRtStatus LrtGetOpaqueMediatekOptionsData(const LrtMediatekOptions* options,
                                             const char** identifier, void** payload,
                                             void (**payload_deleter)(void*)) {
  return Data(options, "mediatek", identifier, payload, payload_deleter);
}
#define OPTION(type, set, get, key, fallback)                                                     \
  LiteRtStatus set(LrtMediatekOptions* options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(const LrtMediatekOptions* options, type* value) {                              \
    return Get(options, #key, value, fallback);                                                   \
  }
#include "litert/c/options/litert_mediatek_options.def"

// -- google_tensor
// -----------------------------------------------------------------------------------

LiteRtStatus LrtCreateGoogleTensorOptions(LrtGoogleTensorOptions* options) {
  return Create(nullptr, options);
}
void LrtDestroyGoogleTensorOptions(LrtGoogleTensorOptions options) { delete options; }
LiteRtStatus LrtCreateGoogleTensorOptionsFromToml(const char* toml_payload,
                                                  LrtGoogleTensorOptions* options) {
  return Create(toml_payload, options);
}
LiteRtStatus LrtGetOpaqueGoogleTensorOptionsData(LrtGoogleTensorOptions options,
                                                 const char** identifier, void** payload,
                                                 void (**payload_deleter)(void*)) {
  return Data(options, "google_tensor", identifier, payload, payload_deleter);
}
const char* LrtGoogleTensorOptionsGetIdentifier(void) { return "google_tensor"; }
#define OPTION(type, set, get, key, fallback)                     \
  LiteRtStatus set(LrtGoogleTensorOptions options, type value) {  \
    return Set(options, #key, value);                             \
  }                                                               \
  LiteRtStatus get(LrtGoogleTensorOptions options, type* value) { \
    return Get(options, #key, value, fallback);                   \
  }
#include "litert/c/options/litert_google_tensor_options.def"

// -- qualcomm
// ----------------------------------------------------------------------------------------

LiteRtStatus LrtCreateQualcommOptions(LrtQualcommOptions* options) {
  return Create(nullptr, options);
}
void LrtDestroyQualcommOptions(LrtQualcommOptions options) { delete options; }
LiteRtStatus LrtCreateQualcommOptionsFromToml(const char* toml_payload,
                                              LrtQualcommOptions* options) {
  return Create(toml_payload, options);
}
LiteRtStatus LrtGetOpaqueQualcommOptionsData(LrtQualcommOptions options, const char** identifier,
                                             void** payload, void (**payload_deleter)(void*)) {
  return Data(options, "qualcomm", identifier, payload, payload_deleter);
}
const char* LrtQualcommOptionsGetIdentifier(void) { return "qualcomm"; }
#define OPTION(type, set, get, key, fallback)                                                    \
  LiteRtStatus set(LrtQualcommOptions options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(LrtQualcommOptions options, type* value) {                                    \
    return Get(options, #key, value, fallback);                                                  \
  }
#include "litert/c/options/litert_qualcomm_options.def"

// -- samsung
// -----------------------------------------------------------------------------------------

LiteRtStatus LrtCreateSamsungOptions(LrtSamsungOptions* options) {
  return Create(nullptr, options);
}
void LrtDestroySamsungOptions(LrtSamsungOptions options) { delete options; }
LiteRtStatus LrtCreateSamsungOptionsFromToml(const char* toml_payload, LrtSamsungOptions* options) {
  return Create(toml_payload, options);
}
LiteRtStatus LrtGetOpaqueSamsungOptionsData(LrtSamsungOptions options, const char** identifier,
                                            void** payload, void (**payload_deleter)(void*)) {
  return Data(options, "samsung", identifier, payload, payload_deleter);
}
const char* LrtSamsungOptionsGetIdentifier(void) { return "samsung"; }
#define OPTION(type, set, get, key, fallback)                                                   \
  LiteRtStatus set(LrtSamsungOptions options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(LrtSamsungOptions options, type* value) {                                    \
    return Get(options, #key, value, fallback);                                                 \
  }
#include "litert/c/options/litert_samsung_options.def"

LiteRtStatus LrtQualcommOptionsSetDumpTensorIds(LrtQualcommOptions options, const int32_t* ids,
                                                size_t number_of_ids) {
  if (!options || (number_of_ids > 0 && !ids)) return kLiteRtStatusErrorInvalidArgument;
  options->Set("dump_tensor_ids", std::vector<int32_t>(ids, ids + number_of_ids));
  return kLiteRtStatusOk;
}

LiteRtStatus LrtQualcommOptionsGetDumpTensorIds(LrtQualcommOptions options, const int32_t** ids,
                                                size_t* number_of_ids) {
  if (!options || !ids || !number_of_ids) return kLiteRtStatusErrorInvalidArgument;
  *ids = nullptr;
  *number_of_ids = 0;
  const npukit::TomlValue* found = options->Find("dump_tensor_ids");
  if (!found) return kLiteRtStatusOk;
  const auto* list = std::get_if<std::vector<int32_t>>(found);
  if (!list) return kLiteRtStatusErrorInvalidArgument;
  *ids = list->data();
  *number_of_ids = list->size();
  return kLiteRtStatusOk;
}

}  // extern "C"

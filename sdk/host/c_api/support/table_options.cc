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

// The functions that all kinds have; a handle is a pointer to the options, in LiteRT a typedef for
// some kinds.
#define DEFINE_OPTIONS(Kind, Handle, ConstHandle, own_identifier)                                 \
  LiteRtStatus LrtCreate##Kind##Options(Handle* options) { return Create(nullptr, options); }     \
  void LrtDestroy##Kind##Options(Handle options) { delete options; }                              \
  LiteRtStatus LrtGetOpaque##Kind##OptionsData(ConstHandle options, const char** identifier,      \
                                               void** payload, void (**payload_deleter)(void*)) { \
    return Data(options, own_identifier, identifier, payload, payload_deleter);                   \
  }
#define DEFINE_OPTIONS_FROM_TOML(Kind, Handle)                                               \
  LiteRtStatus LrtCreate##Kind##OptionsFromToml(const char* toml_payload, Handle* options) { \
    return Create(toml_payload, options);                                                    \
  }
// One line of a kind's table.
#define DEFINE_OPTION(Handle, ConstHandle, type, set, get, key, fallback)            \
  LiteRtStatus set(Handle options, type value) { return Set(options, #key, value); } \
  LiteRtStatus get(ConstHandle options, type* value) { return Get(options, #key, value, fallback); }

extern "C" {

// -- cpu

DEFINE_OPTIONS(Cpu, LrtCpuOptions*, const LrtCpuOptions*, "xnnpack")
const char* LrtGetCpuOptionsIdentifier(void) { return "xnnpack"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtCpuOptions*, const LrtCpuOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_cpu_options.def"

// -- runtime

DEFINE_OPTIONS(Runtime, LrtRuntimeOptions*, const LrtRuntimeOptions*, "runtime_options_string")
const char* LrtGetRuntimeOptionsIdentifier(void) { return "runtime_options_string"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtRuntimeOptions*, const LrtRuntimeOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_runtime_options.def"

// -- mediatek

DEFINE_OPTIONS(Mediatek, LrtMediatekOptions*, const LrtMediatekOptions*, "mediatek")
DEFINE_OPTIONS_FROM_TOML(Mediatek, LrtMediatekOptions*)
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtMediatekOptions*, const LrtMediatekOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_mediatek_options.def"

// -- google_tensor

DEFINE_OPTIONS(GoogleTensor, LrtGoogleTensorOptions, LrtGoogleTensorOptions, "google_tensor")
DEFINE_OPTIONS_FROM_TOML(GoogleTensor, LrtGoogleTensorOptions)
const char* LrtGoogleTensorOptionsGetIdentifier(void) { return "google_tensor"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtGoogleTensorOptions, LrtGoogleTensorOptions, type, set, get, key, fallback)
#include "litert/c/options/litert_google_tensor_options.def"

// -- qualcomm

DEFINE_OPTIONS(Qualcomm, LrtQualcommOptions, LrtQualcommOptions, "qualcomm")
DEFINE_OPTIONS_FROM_TOML(Qualcomm, LrtQualcommOptions)
const char* LrtQualcommOptionsGetIdentifier(void) { return "qualcomm"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtQualcommOptions, LrtQualcommOptions, type, set, get, key, fallback)
#include "litert/c/options/litert_qualcomm_options.def"

// -- samsung

DEFINE_OPTIONS(Samsung, LrtSamsungOptions, LrtSamsungOptions, "samsung")
DEFINE_OPTIONS_FROM_TOML(Samsung, LrtSamsungOptions)
const char* LrtSamsungOptionsGetIdentifier(void) { return "samsung"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtSamsungOptions, LrtSamsungOptions, type, set, get, key, fallback)
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

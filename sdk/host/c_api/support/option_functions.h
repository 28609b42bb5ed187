// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the Lrt...Options functions of litert/c/options do, whatever the kind of options.

#ifndef NPUKIT_SDK_HOST_C_API_SUPPORT_OPTION_FUNCTIONS_H_
#define NPUKIT_SDK_HOST_C_API_SUPPORT_OPTION_FUNCTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "litert/c/internal/litert_options_helper.h"
#include "litert/c/litert_common.h"
#include "sdk/host/c_api/support/toml_options.h"

namespace npukit::option_functions {

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
  const TomlValue* found = options->Find(key);
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

inline LiteRtStatus Data(const TomlOptions* options, const char* own_identifier,
                         const char** identifier, void** payload, void (**payload_deleter)(void*)) {
  if (!options || !identifier || !payload || !payload_deleter) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *identifier = own_identifier;
  litert::internal::MakeCStringPayload(options->Text(), payload, payload_deleter);
  return kLiteRtStatusOk;
}

}  // namespace npukit::option_functions

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

#endif  // NPUKIT_SDK_HOST_C_API_SUPPORT_OPTION_FUNCTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions of litert/c/options, by their tables.

#include <variant>
#include <vector>

#include "litert/c/options/litert_compiler_options.h"
#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/c/options/litert_samsung_options.h"
#include "sdk/host/c_api/support/option_functions.h"
#include "sdk/host/c_api/support/toml_options.h"

struct LrtCompilerOptions : npukit::TomlOptions {};
struct LrtCpuOptions : npukit::TomlOptions {};
struct LrtRuntimeOptions : npukit::TomlOptions {};
struct LrtMediatekOptions : npukit::TomlOptions {};
class LrtGoogleTensorOptionsT : public npukit::TomlOptions {};
class LrtQualcommOptionsT : public npukit::TomlOptions {};
class LrtSamsungOptionsT : public npukit::TomlOptions {};

using npukit::option_functions::Create;
using npukit::option_functions::Data;
using npukit::option_functions::Get;
using npukit::option_functions::Set;
using npukit::option_functions::UNSET;

extern "C" {

// -- compiler

DEFINE_OPTIONS(Compiler, LrtCompilerOptions*, const LrtCompilerOptions*, "compiler_options_string")
const char* LrtGetCompilerOptionsIdentifier(void) { return "compiler_options_string"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtCompilerOptions*, const LrtCompilerOptions*, type, set, get, key, fallback)
#include "litert/c/options/litert_compiler_options.def"

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

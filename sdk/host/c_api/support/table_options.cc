// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Lrt...Options functions of litert/c/options, by their tables.

#include "litert/c/options/litert_arm_options.h"
#include "litert/c/options/litert_compiler_options.h"
#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/c/options/litert_samsung_options.h"
#include "sdk/host/c_api/support/option_functions.h"
#include "sdk/host/c_api/support/toml_options.h"

struct LrtCompilerOptions : npukit::TomlOptions {};
struct LrtCpuOptions : npukit::TomlOptions {};
struct LrtRuntimeOptions : npukit::TomlOptions {};
struct LrtMediatekOptions : npukit::TomlOptions {};
class LrtArmOptionsT : public npukit::TomlOptions {};
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

// -- samsung

DEFINE_OPTIONS(Samsung, LrtSamsungOptions, LrtSamsungOptions, "samsung")
DEFINE_OPTIONS_FROM_TOML(Samsung, LrtSamsungOptions)
const char* LrtSamsungOptionsGetIdentifier(void) { return "samsung"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtSamsungOptions, LrtSamsungOptions, type, set, get, key, fallback)
#include "litert/c/options/litert_samsung_options.def"

// -- arm

DEFINE_OPTIONS(Arm, LrtArmOptions, LrtArmOptions, "Arm")
DEFINE_OPTIONS_FROM_TOML(Arm, LrtArmOptions)
const char* LrtArmOptionsGetIdentifier(void) { return "Arm"; }
DEFINE_OPTION(LrtArmOptions, LrtArmOptions, bool, LrtArmOptionsSetEnableJustInTime,
              LrtArmOptionsGetEnableJustInTime, enable_just_in_time, false)

}  // extern "C"

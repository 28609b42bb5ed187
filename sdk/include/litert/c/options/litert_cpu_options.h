// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the CPU's kernels. Text of "key = value" lines in opaque options
// (litert_opaque_options.h) under the identifier "xnnpack": a program makes them, appends them to
// the options of a compiled model, and the library that knows them reads them back. npukit's host
// passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_CPU_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_CPU_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LrtCpuOptions LrtCpuOptions;

typedef enum LiteRtCpuKernelMode {
  kLiteRtCpuKernelModeXnnpack = 0,
  kLiteRtCpuKernelModeDelegate = kLiteRtCpuKernelModeXnnpack,  // its name on LiteRT's main
  kLiteRtCpuKernelModeReference = 1,
  kLiteRtCpuKernelModeBuiltin = 2,
} LiteRtCpuKernelMode;

LiteRtStatus LrtCreateCpuOptions(LrtCpuOptions** options);
void LrtDestroyCpuOptions(LrtCpuOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueCpuOptionsData(const LrtCpuOptions* options, const char** identifier,
                                        void** payload, void (**payload_deleter)(void*));
const char* LrtGetCpuOptionsIdentifier(void);

// One function each to set and to get; litert_cpu_options.def names them, with the value got where
// none was set (UNSET: kLiteRtStatusErrorNotFound). Text is copied; text got lives until it is set
// again. kLiteRtStatusErrorInvalidArgument for null, and for getting what the text has as another
// kind of value.
#define OPTION(type, set, get, key, fallback)           \
  LiteRtStatus set(LrtCpuOptions* options, type value); \
  LiteRtStatus get(const LrtCpuOptions* options, type* value);
#include "litert/c/options/litert_cpu_options.def"

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_CPU_OPTIONS_H_

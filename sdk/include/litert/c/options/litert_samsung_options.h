// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of Samsung's plugin, as LiteRT has them from v2.2.0 on. Text of "key = value" lines in
// opaque options (litert_opaque_options.h) under the identifier "samsung": a program makes them,
// appends them to the options of a compiled model, and the library that knows them reads them back.
// npukit's host passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LrtSamsungOptions);

LiteRtStatus LrtCreateSamsungOptions(LrtSamsungOptions* options);
void LrtDestroySamsungOptions(LrtSamsungOptions options);
// From text: null or empty for none set. Unknown keys are ignored;
// kLiteRtStatusErrorInvalidArgument for a line without a key or a value.
LiteRtStatus LrtCreateSamsungOptionsFromToml(const char* toml_payload, LrtSamsungOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueSamsungOptionsData(LrtSamsungOptions options, const char** identifier,
                                            void** payload, void (**payload_deleter)(void*));
const char* LrtSamsungOptionsGetIdentifier(void);

// One function each to set and to get; litert_samsung_options.def names them, with the value got
// where none was set (UNSET: kLiteRtStatusErrorNotFound). Text is copied; text got lives until it
// is set again. kLiteRtStatusErrorInvalidArgument for null, and for getting what the text has as
// another kind of value.
#define OPTION(type, set, get, key, fallback)              \
  LiteRtStatus set(LrtSamsungOptions options, type value); \
  LiteRtStatus get(LrtSamsungOptions options, type* value);
#include "litert/c/options/litert_samsung_options.def"

// As LiteRT has them up to v2.1.4, where they are exported by its library: opaque options that hold
// nothing yet under the same identifier.

LITERT_DEFINE_HANDLE(LiteRtSamsungOptions);

LiteRtStatus LiteRtSamsungOptionsCreate(LiteRtOpaqueOptions* options);
const char* LiteRtSamsungOptionsGetIdentifier(void);
// Lends what the first of `options` holds. kLiteRtStatusErrorInvalidArgument for null, and for
// options of another identifier.
LiteRtStatus LiteRtSamsungOptionsGet(LiteRtOpaqueOptions options,
                                     LiteRtSamsungOptions* options_data);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_

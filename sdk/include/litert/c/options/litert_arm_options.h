// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of Arm's plugin, which LiteRT has since v2.2.0. Text of "key = value" lines in opaque
// options (litert_opaque_options.h) under the identifier "Arm": a program makes them, appends them
// to the options of a compiled model, and the library that knows them reads them back. npukit's host
// passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_ARM_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_ARM_OPTIONS_H_

#include <stdbool.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LrtArmOptions);

LiteRtStatus LrtCreateArmOptions(LrtArmOptions* options);
void LrtDestroyArmOptions(LrtArmOptions options);
// From text: null or empty for none set. Unknown keys are ignored;
// kLiteRtStatusErrorInvalidArgument for a line without a key or a value.
LiteRtStatus LrtCreateArmOptionsFromToml(const char* toml_payload, LrtArmOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueArmOptionsData(LrtArmOptions options, const char** identifier,
                                        void** payload, void (**payload_deleter)(void*));
const char* LrtArmOptionsGetIdentifier(void);

// Key enable_just_in_time, false where none was set. kLiteRtStatusErrorInvalidArgument for null.
LiteRtStatus LrtArmOptionsSetEnableJustInTime(LrtArmOptions options, bool enable_just_in_time);
LiteRtStatus LrtArmOptionsGetEnableJustInTime(LrtArmOptions options, bool* enable_just_in_time);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_ARM_OPTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of Google Tensor's plugin. Text of "key = value" lines in opaque options
// (litert_opaque_options.h) under the identifier "google_tensor": a program makes them, appends
// them to the options of a compiled model, and the library that knows them reads them back.
// npukit's host passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_google_tensor_options_type.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LrtGoogleTensorOptions);

LiteRtStatus LrtCreateGoogleTensorOptions(LrtGoogleTensorOptions* options);
void LrtDestroyGoogleTensorOptions(LrtGoogleTensorOptions options);
// From text: null or empty for none set. Unknown keys are ignored;
// kLiteRtStatusErrorInvalidArgument for a line without a key or a value.
LiteRtStatus LrtCreateGoogleTensorOptionsFromToml(const char* toml_payload,
                                                  LrtGoogleTensorOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueGoogleTensorOptionsData(LrtGoogleTensorOptions options,
                                                 const char** identifier, void** payload,
                                                 void (**payload_deleter)(void*));
const char* LrtGoogleTensorOptionsGetIdentifier(void);

// One function each to set and to get; litert_google_tensor_options.def names them, with the value
// got where none was set (UNSET: kLiteRtStatusErrorNotFound). Text is copied; text got lives until
// it is set again. kLiteRtStatusErrorInvalidArgument for null, and for getting what the text has as
// another kind of value.
#define OPTION(type, set, get, key, fallback)                   \
  LiteRtStatus set(LrtGoogleTensorOptions options, type value); \
  LiteRtStatus get(LrtGoogleTensorOptions options, type* value);
#include "litert/c/options/litert_google_tensor_options.def"

// Keys input_coherency_SIGNATURE:TENSOR and output_coherency_SIGNATURE:TENSOR, after v2.2.0: whether
// that memory is to be coherent with the CPU's caches. False where nothing was set. Entries are
// ordered by signature, then tensor; a position past the end is kLiteRtStatusErrorInvalidArgument.
// Names got live until the next call for the same options.
LiteRtStatus LrtGoogleTensorOptionsSetInputCoherency(LrtGoogleTensorOptions options,
                                                     const char* signature_name,
                                                     const char* tensor_name, bool prefer_coherent);
LiteRtStatus LrtGoogleTensorOptionsGetInputCoherency(LrtGoogleTensorOptions options,
                                                     const char* signature_name,
                                                     const char* tensor_name,
                                                     bool* prefer_coherent);
LiteRtStatus LrtGoogleTensorOptionsGetNumInputCoherencyEntries(LrtGoogleTensorOptions options,
                                                               int* num_entries);
LiteRtStatus LrtGoogleTensorOptionsGetInputCoherencyEntry(LrtGoogleTensorOptions options,
                                                          int entry_idx,
                                                          const char** signature_name,
                                                          const char** tensor_name,
                                                          bool* prefer_coherent);
LiteRtStatus LrtGoogleTensorOptionsSetOutputCoherency(LrtGoogleTensorOptions options,
                                                      const char* signature_name,
                                                      const char* tensor_name,
                                                      bool prefer_coherent);
LiteRtStatus LrtGoogleTensorOptionsGetOutputCoherency(LrtGoogleTensorOptions options,
                                                      const char* signature_name,
                                                      const char* tensor_name,
                                                      bool* prefer_coherent);
LiteRtStatus LrtGoogleTensorOptionsGetNumOutputCoherencyEntries(LrtGoogleTensorOptions options,
                                                                int* num_entries);
LiteRtStatus LrtGoogleTensorOptionsGetOutputCoherencyEntry(LrtGoogleTensorOptions options,
                                                           int entry_idx,
                                                           const char** signature_name,
                                                           const char** tensor_name,
                                                           bool* prefer_coherent);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_

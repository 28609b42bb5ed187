// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options that only one vendor understands: a singly linked list of payloads,
// each found by its identifier. A handle names an item and the list from there
// on.

#ifndef ODML_LITERT_LITERT_C_LITERT_OPAQUE_OPTIONS_H_
#define ODML_LITERT_LITERT_C_LITERT_OPAQUE_OPTIONS_H_

#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// A list of one item. The identifier is copied. The item owns the payload from
// then on and hands it to the destructor at the end; neither may be null.
LiteRtStatus LiteRtCreateOpaqueOptions(const char* payload_identifier, void* payload_data,
                                       void (*payload_destructor)(void* payload_data),
                                       LiteRtOpaqueOptions* options);

// Destroys the item and all that follow it.
void LiteRtDestroyOpaqueOptions(LiteRtOpaqueOptions options);

// Of the first item of the list.
LiteRtStatus LiteRtGetOpaqueOptionsIdentifier(LiteRtOpaqueOptions options,
                                              const char** payload_identifier);
LiteRtStatus LiteRtGetOpaqueOptionsData(LiteRtOpaqueOptions options, void** payload_data);

// Of the first item with that identifier; kLiteRtStatusErrorNotFound if there
// is none.
LiteRtStatus LiteRtFindOpaqueOptionsData(LiteRtOpaqueOptions options,
                                         const char* payload_identifier, void** payload_data);

// Moves `*options` on to the next item, to null after the last one.
LiteRtStatus LiteRtGetNextOpaqueOptions(LiteRtOpaqueOptions* options);

// Puts `appended_options` at the end of the list, which then owns it.
// `*options` may be null: an empty list.
LiteRtStatus LiteRtAppendOpaqueOptions(LiteRtOpaqueOptions* options,
                                       LiteRtOpaqueOptions appended_options);

// Destroys the last item; sets `*options` to null if it was the only one.
LiteRtStatus LiteRtPopOpaqueOptions(LiteRtOpaqueOptions* options);

// A digest of a payload: equal payloads give equal digests.
typedef uint64_t (*LiteRtOpaqueOptionsHashFunc)(const void* payload_data);

// Of the first item of the list. Asking for the digest of an item without a
// function fails with kLiteRtStatusErrorUnsupported.
LiteRtStatus LiteRtSetOpaqueOptionsHash(LiteRtOpaqueOptions options,
                                        LiteRtOpaqueOptionsHashFunc payload_hash_func);
LiteRtStatus LiteRtGetOpaqueOptionsHash(LiteRtOpaqueOptions options, uint64_t* hash);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_OPAQUE_OPTIONS_H_

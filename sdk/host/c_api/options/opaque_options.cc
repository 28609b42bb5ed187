// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/options/opaque_options.h"

#include "litert/c/litert_opaque_options.h"

extern "C" {

LiteRtStatus LiteRtCreateOpaqueOptions(const char* payload_identifier, void* payload_data,
                                       void (*payload_destructor)(void* payload_data),
                                       LiteRtOpaqueOptions* options) {
  if (!payload_identifier || !payload_data || !payload_destructor || !options) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *options = new LiteRtOpaqueOptionsT(payload_identifier, payload_data, payload_destructor);
  return kLiteRtStatusOk;
}

void LiteRtDestroyOpaqueOptions(LiteRtOpaqueOptions options) {
  while (options) {
    LiteRtOpaqueOptions next = options->next;
    delete options;
    options = next;
  }
}

LiteRtStatus LiteRtGetOpaqueOptionsIdentifier(LiteRtOpaqueOptions options,
                                              const char** payload_identifier) {
  if (!options || !payload_identifier) return kLiteRtStatusErrorInvalidArgument;
  *payload_identifier = options->identifier.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetOpaqueOptionsData(LiteRtOpaqueOptions options, void** payload_data) {
  if (!options || !payload_data) return kLiteRtStatusErrorInvalidArgument;
  *payload_data = options->payload.get();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtFindOpaqueOptionsData(LiteRtOpaqueOptions options,
                                         const char* payload_identifier, void** payload_data) {
  if (!options || !payload_identifier || !payload_data) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  for (LiteRtOpaqueOptions item = options; item; item = item->next) {
    if (item->identifier == payload_identifier) {
      *payload_data = item->payload.get();
      return kLiteRtStatusOk;
    }
  }
  return kLiteRtStatusErrorNotFound;
}

LiteRtStatus LiteRtGetNextOpaqueOptions(LiteRtOpaqueOptions* options) {
  if (!options || !*options) return kLiteRtStatusErrorInvalidArgument;
  *options = (*options)->next;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAppendOpaqueOptions(LiteRtOpaqueOptions* options,
                                       LiteRtOpaqueOptions appended_options) {
  if (!options || !appended_options) return kLiteRtStatusErrorInvalidArgument;
  LiteRtOpaqueOptions* end = options;
  while (*end) {
    // An item that is in the list already would close it to a ring.
    if (*end == appended_options) return kLiteRtStatusErrorInvalidArgument;
    end = &(*end)->next;
  }
  *end = appended_options;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtPopOpaqueOptions(LiteRtOpaqueOptions* options) {
  if (!options || !*options) return kLiteRtStatusErrorInvalidArgument;
  LiteRtOpaqueOptions* last = options;
  while ((*last)->next) last = &(*last)->next;
  delete *last;
  *last = nullptr;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetOpaqueOptionsHash(LiteRtOpaqueOptions options,
                                        LiteRtOpaqueOptionsHashFunc payload_hash_func) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  options->hash = payload_hash_func;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetOpaqueOptionsHash(LiteRtOpaqueOptions options, uint64_t* hash) {
  if (!options || !hash) return kLiteRtStatusErrorInvalidArgument;
  // LiteRT 2.1.4 would here read the payload as text, whatever it is.
  if (!options->hash) return kLiteRtStatusErrorUnsupported;
  *hash = options->hash(options->payload.get());
  return kLiteRtStatusOk;
}

}  // extern "C"

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_OPTIONS_OPAQUE_OPTIONS_H_
#define NPUKIT_SDK_HOST_C_API_OPTIONS_OPAQUE_OPTIONS_H_

#include <memory>
#include <string>

#include "litert/c/litert_opaque_options.h"

// One item of a vendor option list; owns its payload, alone or with copies of the list. The list's
// links are plain pointers: LiteRtDestroyOpaqueOptions walks them.
class LiteRtOpaqueOptionsT {
 public:
  LiteRtOpaqueOptionsT(const char* identifier, void* payload, void (*destructor)(void*))
      : identifier(identifier), payload(payload, destructor) {}

  const std::string identifier;
  const std::shared_ptr<void> payload;
  LiteRtOpaqueOptionsHashFunc hash = nullptr;
  LiteRtOpaqueOptionsT* next = nullptr;
};

#endif  // NPUKIT_SDK_HOST_C_API_OPTIONS_OPAQUE_OPTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPAQUE_OPTIONS_WRAPPER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPAQUE_OPTIONS_WRAPPER_H_

// Of abi 2.2: opaque options, read through a table of host functions.

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_context_wrapper.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert::internal {

// Does not own the options.
class OpaqueOptionsWrapper : public NonOwnedHandle<LiteRtOpaqueOptions> {
 public:
  OpaqueOptionsWrapper(ContextWrapper ctx, LiteRtOpaqueOptions options)
      : NonOwnedHandle<LiteRtOpaqueOptions>(options), ctx_(ctx) {}

  // The payload, which stays with the options, under that identifier.
  Expected<void*> FindOpaqueOptions(const char* payload_identifier) const {
    void* payload = nullptr;
    LITERT_RETURN_IF_ERROR(ctx_.FindOpaqueOptionsData(Get(), payload_identifier, &payload));
    return payload;
  }

 private:
  ContextWrapper ctx_;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPAQUE_OPTIONS_WRAPPER_H_

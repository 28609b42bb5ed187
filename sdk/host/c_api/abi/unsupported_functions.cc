// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Stubs for what is not implemented. The declarations in the headers check
// their signatures.

#include "litert/c/internal/litert_accelerator_registration.h"
#include "litert/c/internal/litert_delegate_wrapper.h"
#include "litert/c/internal/litert_dispatch_delegate.h"
#include "litert/c/internal/litert_external_litert_buffer_context.h"
#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

extern "C" {

#define UNSUPPORTED(name, parameters) \
  LiteRtStatus name parameters { return kLiteRtStatusErrorUnsupported; }
#define UNSUPPORTED_VOID(name, parameters) \
  void name parameters {}
#include "sdk/host/c_api/abi/unsupported_functions.def"

}  // extern "C"

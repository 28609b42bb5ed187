// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_
#define NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_

// The functions of a dispatch library's graph table about scratchpads.

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct ScratchpadCalls {
  // LiteRtDispatchGetScratchpadRequirementsT and LiteRtDispatchAttachScratchpadBufferT, which only the
  // newest headers have.
  using GetFn = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableHandle,
                                 const char*, LiteRtTensorBufferRequirements*);
  using AttachFn = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableHandle,
                                    const char*, LiteRtTensorBufferHandle);

  static constexpr GetFn GetRequirements =
      kDispatchCall<D, &DispatchFunctions::GetScratchpadRequirements>;
  static constexpr AttachFn Attach = kDispatchCall<D, &DispatchFunctions::AttachScratchpad>;

  static constexpr GetFn GetIfAny() { return D::kHasScratchpads ? GetRequirements : nullptr; }
  static constexpr AttachFn AttachIfAny() { return D::kHasScratchpads ? Attach : nullptr; }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_

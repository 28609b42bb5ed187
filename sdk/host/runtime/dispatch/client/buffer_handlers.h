// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensor buffers in memory of a dispatch library's own, which only its functions make and map
// (LiteRtCustomTensorBufferHandlersDef; from LiteRT 2.2.0 on).

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_HANDLERS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_HANDLERS_H_

#include <span>
#include <string>

#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

using BufferHandlers = LiteRtCustomTensorBufferHandlersDef;

// What is wrong with those of a library, for an error; empty if nothing is. Their header is not looked
// at: in LiteRT 2.2.0 it may be left zero.
std::string CheckBufferHandlers(const BufferHandlers& handlers);

// The types that they are for.
std::span<const LiteRtTensorBufferType> HandledTypes(const BufferHandlers& handlers);

// Lets buffers of those types be made with an environment. Once more in the same environment does
// nothing; AlreadyExists if it has others for one of the types.
litert::Expected<void> RegisterBufferHandlers(const BufferHandlers& handlers,
                                              LiteRtEnvironment environment);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_HANDLERS_H_

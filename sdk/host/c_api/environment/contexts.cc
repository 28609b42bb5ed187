// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables by which libraries of abi 2.2 reach the host. LiteRT 2.1.5 and 2.1.6 have the same
// tables without the header, the second one also without its last member, so that a pointer to the
// first function serves them.

// All members that there are; libraries get as much of them as their release knows.
#define NPUKIT_ABI_2_2
#define NPUKIT_ABI_2_3

#include <cstdint>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"

namespace {

// npukit's host is not built on TFLite.
template <typename... Args>
LiteRtStatus NoTfLite(Args...) {
  return kLiteRtStatusErrorUnsupported;
}
constexpr auto LiteRtGetExternalLiteRtBufferContextTensorBuffer =
    NoTfLite<LiteRtExternalLiteRtBufferContext, const TfLiteTensor*, LiteRtTensorBuffer*>;
constexpr auto LiteRtExternalLiteRtBufferContextCreateBufferForTensor =
    NoTfLite<LiteRtExternalLiteRtBufferContext, const TfLiteTensor*, LiteRtTensorBuffer*>;
constexpr auto LiteRtExternalLiteRtBufferContextRegisterTensorBuffer =
    NoTfLite<LiteRtExternalLiteRtBufferContext, const TfLiteTensor*, LiteRtTensorBuffer>;
constexpr auto LiteRtExternalLiteRtBufferContextUnregisterTensorBuffer =
    NoTfLite<LiteRtExternalLiteRtBufferContext, const TfLiteTensor*>;
constexpr auto LiteRtExternalLiteRtBufferContextRegisterBufferRequirements =
    NoTfLite<LiteRtExternalLiteRtBufferContext, const TfLiteTensor*,
             LiteRtTensorBufferRequirements>;
constexpr auto LiteRtExternalLiteRtBufferContextGetEnvironment =
    NoTfLite<LiteRtExternalLiteRtBufferContext, LiteRtEnvironment*>;
constexpr auto LiteRtExternalLiteRtBufferContextIsAsyncExecutionMode =
    NoTfLite<LiteRtExternalLiteRtBufferContext, bool*>;
constexpr auto LiteRtExternalLiteRtBufferContextGetRunOptions =
    NoTfLite<LiteRtExternalLiteRtBufferContext, LiteRtOptions*>;
void LiteRtDestroyExternalLiteRtBufferContext(LiteRtExternalLiteRtBufferContext) {}
constexpr auto LiteRtWrapDelegate =
    NoTfLite<TfLiteOpaqueDelegate*, void (*)(TfLiteOpaqueDelegate*), LiteRtDelegateWrapper*>;
constexpr auto LiteRtUnwrapDelegate = NoTfLite<LiteRtDelegateWrapper, TfLiteOpaqueDelegate**>;

constexpr LiteRtAbiHeader Header(size_t struct_size) {
  return {.struct_size = static_cast<uint16_t>(struct_size),
          .major_version = 1,
          .minor_version = 1,
          .reserved = 0};
}

}  // namespace

extern "C" {

LiteRtCompilerContext* LrtGetCompilerContext(void) {
  static LiteRtCompilerContext context = {
      .abi_header = Header(sizeof(LiteRtCompilerContext)),
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) .member = function,
#include "litert/c/internal/litert_compiler_context.def"
  };
  return &context;
}

LiteRtRuntimeContext* LrtGetRuntimeContext(void) {
  static LiteRtRuntimeContext context = {
      .abi_header = Header(sizeof(LiteRtRuntimeContext)),
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) .member = function,
#include "litert/c/internal/litert_runtime_context.def"
  };
  return &context;
}

}  // extern "C"

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C API for libraries of abi 2.2: each function calls the member of the host's table. Without a
// table, or where the host left the member null, kLiteRtStatusErrorUnsupported.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "npukit/abi.h"

namespace {

constexpr uint16_t kMajorVersion = 1;

std::atomic<const LiteRtCompilerContext*> compiler_context;
std::atomic<const LiteRtRuntimeContext*> runtime_context;

template <typename Context>
LiteRtStatus Use(const Context* context, std::atomic<const Context*>& used) {
  if (context == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (context->abi_header.major_version != kMajorVersion ||
      context->abi_header.struct_size < sizeof(Context)) {
    return kLiteRtStatusErrorWrongVersion;
  }
  used = context;
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

LiteRtStatus NpukitUseCompilerContext(const LiteRtCompilerContext* context) {
  return Use(context, compiler_context);
}
LiteRtStatus NpukitUseRuntimeContext(const LiteRtRuntimeContext* context) {
  return Use(context, runtime_context);
}

#define NONE_LiteRtStatus kLiteRtStatusErrorUnsupported
#define NONE_void

// -- Functions that both tables have: see below ---------------------------------------------------

#define LiteRtGetOpaqueOptions CompilerGetOpaqueOptions
#define LiteRtFindOpaqueOptionsData CompilerFindOpaqueOptionsData
#define LiteRtDestroyOptions CompilerDestroyOptions
#define LiteRtGetEnvironmentOptionsValue CompilerGetEnvironmentOptionsValue

#define CONTEXT_FUNCTION(result, member, function, parameters, arguments)   \
  result function parameters {                                              \
    const LiteRtCompilerContext* const table = compiler_context;            \
    if (table == nullptr || table->member == nullptr) return NONE_##result; \
    return table->member arguments;                                         \
  }
#include "litert/c/internal/litert_compiler_context.def"

#undef LiteRtGetOpaqueOptions
#undef LiteRtFindOpaqueOptionsData
#undef LiteRtDestroyOptions
#undef LiteRtGetEnvironmentOptionsValue
#define LiteRtGetOpaqueOptions RuntimeGetOpaqueOptions
#define LiteRtFindOpaqueOptionsData RuntimeFindOpaqueOptionsData
#define LiteRtDestroyOptions RuntimeDestroyOptions
#define LiteRtGetEnvironmentOptionsValue RuntimeGetEnvironmentOptionsValue

#define CONTEXT_FUNCTION(result, member, function, parameters, arguments)   \
  result function parameters {                                              \
    const LiteRtRuntimeContext* const table = runtime_context;              \
    if (table == nullptr || table->member == nullptr) return NONE_##result; \
    return table->member arguments;                                         \
  }
#include "litert/c/internal/litert_runtime_context.def"

#undef LiteRtGetOpaqueOptions
#undef LiteRtFindOpaqueOptionsData
#undef LiteRtDestroyOptions
#undef LiteRtGetEnvironmentOptionsValue

// -- Functions that both tables have --------------------------------------------------------------

LiteRtStatus LiteRtGetOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions* opaque_options) {
  return compiler_context != nullptr ? CompilerGetOpaqueOptions(options, opaque_options)
                                     : RuntimeGetOpaqueOptions(options, opaque_options);
}

LiteRtStatus LiteRtFindOpaqueOptionsData(LiteRtOpaqueOptions options,
                                         const char* payload_identifier, void** payload_data) {
  return compiler_context != nullptr
             ? CompilerFindOpaqueOptionsData(options, payload_identifier, payload_data)
             : RuntimeFindOpaqueOptionsData(options, payload_identifier, payload_data);
}

void LiteRtDestroyOptions(LiteRtOptions options) {
  compiler_context != nullptr ? CompilerDestroyOptions(options) : RuntimeDestroyOptions(options);
}

LiteRtStatus LiteRtGetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOptionTag tag, LiteRtAny* value) {
  return compiler_context != nullptr ? CompilerGetEnvironmentOptionsValue(options, tag, value)
                                     : RuntimeGetEnvironmentOptionsValue(options, tag, value);
}

// -- Functions that no table has, by others -------------------------------------------------------

// Hosts give LITERT_HOST_MEMORY_BUFFER_ALIGNMENT; more can't be asked for in abi 2.2.
LiteRtStatus LiteRtCreateTensorBufferRequirementsWithAlignment(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, size_t alignment,
    LiteRtTensorBufferRequirements* requirements) {
  if (alignment > LITERT_HOST_MEMORY_BUFFER_ALIGNMENT) return kLiteRtStatusErrorUnsupported;
  return LiteRtCreateTensorBufferRequirements(num_supported_tensor_buffer_types,
                                              supported_tensor_buffer_types, buffer_size,
                                              num_strides, strides, requirements);
}

}  // extern "C"

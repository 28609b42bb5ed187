// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensor buffers behind TFLite's tensors, for delegates. npukit's host is not built on TFLite and
// makes no such context: all of these fail with kLiteRtStatusErrorUnsupported.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_EXTERNAL_LITERT_BUFFER_CONTEXT_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_EXTERNAL_LITERT_BUFFER_CONTEXT_H_

#include <stdbool.h>

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LiteRtStatus LiteRtGetExternalLiteRtBufferContextTensorBuffer(
    LiteRtExternalLiteRtBufferContext context, const TfLiteTensor* tensor,
    LiteRtTensorBuffer* tensor_buffer);
LiteRtStatus LiteRtExternalLiteRtBufferContextCreateBufferForTensor(
    LiteRtExternalLiteRtBufferContext context, const TfLiteTensor* tensor,
    LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtExternalLiteRtBufferContextRegisterTensorBuffer(
    LiteRtExternalLiteRtBufferContext context, const TfLiteTensor* tensor,
    LiteRtTensorBuffer buffer);
LiteRtStatus LiteRtExternalLiteRtBufferContextUnregisterTensorBuffer(
    LiteRtExternalLiteRtBufferContext context, const TfLiteTensor* tensor);
LiteRtStatus LiteRtExternalLiteRtBufferContextRegisterBufferRequirements(
    LiteRtExternalLiteRtBufferContext context, const TfLiteTensor* tensor,
    LiteRtTensorBufferRequirements buffer_requirements);
LiteRtStatus LiteRtExternalLiteRtBufferContextGetEnvironment(
    LiteRtExternalLiteRtBufferContext context, LiteRtEnvironment* env);
LiteRtStatus LiteRtExternalLiteRtBufferContextIsAsyncExecutionMode(
    LiteRtExternalLiteRtBufferContext context, bool* is_async_execution_mode);
// Since v2.2.0.
LiteRtStatus LiteRtExternalLiteRtBufferContextGetRunOptions(
    LiteRtExternalLiteRtBufferContext context, LiteRtOptions* run_options);
void LiteRtDestroyExternalLiteRtBufferContext(LiteRtExternalLiteRtBufferContext context);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_EXTERNAL_LITERT_BUFFER_CONTEXT_H_

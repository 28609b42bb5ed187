// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model made ready to run, on the CPU and on accelerators.

#ifndef ODML_LITERT_LITERT_C_LITERT_COMPILED_MODEL_H_
#define ODML_LITERT_LITERT_C_LITERT_COMPILED_MODEL_H_

#include <stdbool.h>
#include <stddef.h>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Lifecycle ----------------------------------------------------------------

// Prepares `model` to run with `compilation_options` (null for defaults).
// Environment and model outlive the compiled model; the options need not.
LiteRtStatus LiteRtCreateCompiledModel(LiteRtEnvironment environment, LiteRtModel model,
                                       LiteRtOptions compilation_options,
                                       LiteRtCompiledModel* compiled_model);
void LiteRtDestroyCompiledModel(LiteRtCompiledModel compiled_model);

// Whether there are ops, and all run on accelerators other than the CPU. In LiteRT after v2.2.0.
LiteRtStatus LiteRtCompiledModelIsNonCpuFullyAccelerated(LiteRtCompiledModel compiled_model,
                                                         bool* fully_accelerated);

// Lends.
LiteRtStatus LiteRtGetCompiledModelEnvironment(LiteRtCompiledModel compiled_model,
                                               LiteRtEnvironment* environment);

// -- Buffers ------------------------------------------------------------------

// What the buffer for an input or output of a signature must be like. Lent, and
// valid until an input is resized.
LiteRtStatus LiteRtGetCompiledModelInputBufferRequirements(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
    LiteRtParamIndex input_index, LiteRtTensorBufferRequirements* buffer_requirements);
LiteRtStatus LiteRtGetCompiledModelOutputBufferRequirements(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
    LiteRtParamIndex output_index, LiteRtTensorBufferRequirements* buffer_requirements);

// Current shapes. `num_layouts` is the number of outputs; with
// `update_allocation` shapes are first derived anew from those of the inputs.
LiteRtStatus LiteRtGetCompiledModelInputTensorLayout(LiteRtCompiledModel compiled_model,
                                                     LiteRtParamIndex signature_index,
                                                     LiteRtParamIndex input_index,
                                                     LiteRtLayout* layout);
LiteRtStatus LiteRtGetCompiledModelOutputTensorLayouts(LiteRtCompiledModel compiled_model,
                                                       LiteRtParamIndex signature_index,
                                                       size_t num_layouts, LiteRtLayout* layouts,
                                                       bool update_allocation);

// Gives an input `dims_size` new dimensions, of which only dynamic ones may
// change; the non-strict form changes any. kLiteRtStatusErrorUnsupported where
// the model or an accelerator can't follow.
LiteRtStatus LiteRtCompiledModelResizeInputTensor(LiteRtCompiledModel compiled_model,
                                                  LiteRtParamIndex signature_index,
                                                  LiteRtParamIndex input_index, const int* dims,
                                                  size_t dims_size);
LiteRtStatus LiteRtCompiledModelResizeInputTensorNonStrict(LiteRtCompiledModel compiled_model,
                                                           LiteRtParamIndex signature_index,
                                                           LiteRtParamIndex input_index,
                                                           const int* dims, size_t dims_size);

// -- Running ------------------------------------------------------------------
// Buffers are in signature order and stay the caller's. One compiled model runs
// one call at a time.

LiteRtStatus LiteRtRunCompiledModel(LiteRtCompiledModel compiled_model,
                                    LiteRtParamIndex signature_index, size_t num_input_buffers,
                                    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
                                    LiteRtTensorBuffer* output_buffers);

// The same, with options for this call; null for none.
LiteRtStatus LiteRtRunCompiledModelWithOptions(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, LiteRtOptions options);

// Returns as soon as the work is under way: `*async` (may be null) tells
// whether it is, and output buffers then have events.
LiteRtStatus LiteRtRunCompiledModelAsync(LiteRtCompiledModel compiled_model,
                                         LiteRtParamIndex signature_index, size_t num_input_buffers,
                                         LiteRtTensorBuffer* input_buffers,
                                         size_t num_output_buffers,
                                         LiteRtTensorBuffer* output_buffers, bool* async);
LiteRtStatus LiteRtRunCompiledModelAsyncWithOptions(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, bool* async, LiteRtOptions options);

// Scheduling of all calls from now on, and of one call; null for the default.
LiteRtStatus LiteRtCompiledModelSetSchedulingInfo(LiteRtCompiledModel compiled_model,
                                                  const LiteRtSchedulingInfo* scheduling_info);
LiteRtStatus LiteRtRunCompiledModelWithSchedulingInfo(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, const LiteRtSchedulingInfo* scheduling_info);
LiteRtStatus LiteRtRunCompiledModelAsyncWithSchedulingInfo(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, bool* async, const LiteRtSchedulingInfo* scheduling_info);

// Asked between ops; once it answers true the call ends with
// kLiteRtStatusCancelled. Null asks no more.
LiteRtStatus LiteRtSetCompiledModelCancellationFunction(LiteRtCompiledModel compiled_model,
                                                        void* data,
                                                        bool (*check_cancelled_func)(void*));

// -- Observation --------------------------------------------------------------

// Hardware metrics between start and stop, which replaces what `metrics` holds.
LiteRtStatus LiteRtCompiledModelStartMetricsCollection(LiteRtCompiledModel compiled_model,
                                                       int detail_level);
LiteRtStatus LiteRtCompiledModelStopMetricsCollection(LiteRtCompiledModel compiled_model,
                                                      LiteRtMetrics metrics);

// Whether no op stays on the CPU.
LiteRtStatus LiteRtCompiledModelIsFullyAccelerated(LiteRtCompiledModel compiled_model,
                                                   bool* fully_accelerated);

// Lends.
LiteRtStatus LiteRtCompiledModelGetProfiler(LiteRtCompiledModel compiled_model,
                                            LiteRtProfiler* profiler);

// -- Annotations --------------------------------------------------------------
// Hints per signature. This host keeps them for who set them and passes none on
// to dispatch libraries. Keys and values are copied; a value read is lent until
// it is changed, null for a key that is not set. IndexOOB: no such signature.

LiteRtStatus LiteRtCompiledModelSetDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                      LiteRtParamIndex signature_index,
                                                      const char* key, const char* value);
LiteRtStatus LiteRtCompiledModelGetDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                      LiteRtParamIndex signature_index,
                                                      const char* key, const char** value);
LiteRtStatus LiteRtCompiledModelRemoveDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                         LiteRtParamIndex signature_index,
                                                         const char* key);

// -- Errors -------------------------------------------------------------------

// Adds a message, formatted as by printf, to the model's error reporter. The
// other two work in mode kLiteRtErrorReporterModeBuffer only; the text read is
// the caller's to free().
LiteRtStatus LiteRtCompiledModelReportError(LiteRtCompiledModel compiled_model, const char* format,
                                            ...);
LiteRtStatus LiteRtCompiledModelClearErrors(LiteRtCompiledModel compiled_model);
LiteRtStatus LiteRtCompiledModelGetErrorMessages(LiteRtCompiledModel compiled_model,
                                                 char** error_messages);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_COMPILED_MODEL_H_

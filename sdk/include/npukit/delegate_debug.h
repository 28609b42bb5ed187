// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_DELEGATE_DEBUG_H_
#define NPUKIT_DELEGATE_DEBUG_H_

// Debug handles: numbers that a compiler gives to the pieces of its bytecode
// (instructions, kernels) and maps to the ops they came from, so that profile
// events, errors and intermediate values at run time come back by op. Optional
// exports of a compiler plugin and of a dispatch library, looked up by name;
// the host joins them. C11.
//
// A handle is unique within a call (a partition) and is never 0. One handle may
// stand for several ops (fusion), and one op may have several handles (tiling).
//
// Structs start with `struct_size`, which the caller sets to sizeof: a library
// writes no field beyond it, so fields may be added at the end.
//
// Of every function: kLiteRtStatusErrorInvalidArgument for a null handle or
// result, kLiteRtStatusErrorIndexOOB for a call or a position that is not there,
// kLiteRtStatusErrorWrongVersion for a struct_size below that of this version.

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t NpukitDebugHandle;
#define NPUKIT_NO_DEBUG_HANDLE ((NpukitDebugHandle)0)

//
// Compiler plugin.
//

typedef struct NpukitDebugHandleInfo {
  size_t struct_size;
  NpukitDebugHandle handle;
  // What the piece is called in a profile ("matmul tile 3"). Owned by the
  // compiled result.
  const char* name;
  // The ops it came from, [num_ops]: positions in the op list of the subgraph
  // that was compiled. Owned by the compiled result.
  const uint32_t* op_indices;
  size_t num_ops;
} NpukitDebugHandleInfo;

// The number of handles of a call of a compiled result.
LITERT_CAPI_EXPORT LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult compiled_result,
                                                         LiteRtParamIndex call_idx,
                                                         size_t* num_handles);

// The handle at a position in [0, num_handles). What `info` points to lives as
// long as the compiled result.
LITERT_CAPI_EXPORT LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult compiled_result,
                                                     LiteRtParamIndex call_idx, size_t position,
                                                     NpukitDebugHandleInfo* info);

//
// Dispatch library. All of these are about the last invocation of a context and
// may be called by whichever thread may invoke it, not while one is under way.
//

typedef struct NpukitProfileEvent {
  size_t struct_size;
  NpukitDebugHandle handle;
  // The unit that was busy ("matrix"). Owned by the context, until the next
  // invocation.
  const char* unit;
  // Device cycles since the invocation began; the end is not included.
  uint64_t start_cycle;
  uint64_t end_cycle;
} NpukitProfileEvent;

// What the invocations that follow are to record: bits of NpukitRecord. None, by
// default. kLiteRtStatusErrorUnsupported: the library cannot record that.
typedef enum NpukitRecord {
  kNpukitRecordNothing = 0,
  kNpukitRecordProfile = 1,
  kNpukitRecordIntermediates = 2,
} NpukitRecord;
LITERT_CAPI_EXPORT LiteRtStatus
NpukitDispatchSetRecording(LiteRtDispatchInvocationContext invocation_context, uint32_t record);

// What was recorded, in the library's order; none if kNpukitRecordProfile was not
// set. The event at a position in [0, num_events).
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchGetNumProfileEvents(
    LiteRtDispatchInvocationContext invocation_context, size_t* num_events);
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchGetProfileEvent(
    LiteRtDispatchInvocationContext invocation_context, size_t position, NpukitProfileEvent* event);

// Where the last invocation failed: NPUKIT_NO_DEBUG_HANDLE if that is not
// known, or if it did not fail. `buffer` gets the message, ended by a zero and
// cut to size; it may be null with a size of 0. Of an invocation that did not
// fail the message is empty.
LITERT_CAPI_EXPORT LiteRtStatus
NpukitDispatchGetLastError(LiteRtDispatchInvocationContext invocation_context,
                           NpukitDebugHandle* handle, char* buffer, size_t buffer_size);

// The values that a piece of the program left in its `output_index`-th output:
// dense, of the given type, which has the element type and the shape of that
// output in the model, `size_bytes` long, owned by the context until the next
// invocation.
// kLiteRtStatusErrorNotFound: they were not recorded.
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchGetIntermediate(
    LiteRtDispatchInvocationContext invocation_context, NpukitDebugHandle handle, int output_index,
    LiteRtRankedTensorType* type, const void** data, size_t* size_bytes);

typedef LiteRtStatus (*NpukitGetNumDebugHandlesT)(LiteRtCompiledResult, LiteRtParamIndex, size_t*);
typedef LiteRtStatus (*NpukitGetDebugHandleT)(LiteRtCompiledResult, LiteRtParamIndex, size_t,
                                              NpukitDebugHandleInfo*);
typedef LiteRtStatus (*NpukitDispatchSetRecordingT)(LiteRtDispatchInvocationContext, uint32_t);
typedef LiteRtStatus (*NpukitDispatchGetNumProfileEventsT)(LiteRtDispatchInvocationContext,
                                                           size_t*);
typedef LiteRtStatus (*NpukitDispatchGetProfileEventT)(LiteRtDispatchInvocationContext, size_t,
                                                       NpukitProfileEvent*);
typedef LiteRtStatus (*NpukitDispatchGetLastErrorT)(LiteRtDispatchInvocationContext,
                                                    NpukitDebugHandle*, char*, size_t);
typedef LiteRtStatus (*NpukitDispatchGetIntermediateT)(LiteRtDispatchInvocationContext,
                                                       NpukitDebugHandle, int,
                                                       LiteRtRankedTensorType*, const void**,
                                                       size_t*);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_DELEGATE_DEBUG_H_

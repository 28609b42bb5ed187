// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What LiteRT's library exports and declares in no public header: functions and variables by which
// its parts, and what is linked into the same program, find each other.

#ifndef ODML_LITERT_LITERT_VENDORS_C_LITERT_LINKED_IN_H_
#define ODML_LITERT_LITERT_VENDORS_C_LITERT_LINKED_IN_H_

#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// A dispatch library that is linked into the program: it sets this, before the host first looks for
// dispatch libraries, to its LiteRtDispatchGetApi. It then stands before all that lie in folders and
// serves compiled models of every manufacturer. Null at first. Set it before any other thread runs.
LITERT_CAPI_EXPORT extern LiteRtStatus (*LiteRtStaticLinkedDispatchGetApi)(LiteRtDispatchApi* api);

// The same for one whose tables are queried (LiteRtDispatchQueryInterface), as hosts from September 2026
// on have it; it goes before the one above. `interface_id` is a LiteRtDispatchInterfaceId.
LITERT_CAPI_EXPORT extern LiteRtStatus (*LiteRtStaticLinkedDispatchQueryInterface)(
    int interface_id, LiteRtApiVersion version, const void** interface_table);

// Accelerators that are linked in, as definitions whose layout differs between LiteRT's releases.
// npukit's host runs no TFLite delegates and reads none of them; they are null, or what was set.
LITERT_CAPI_EXPORT extern const void* LiteRtStaticLinkedAcceleratorCpuDef;
LITERT_CAPI_EXPORT extern const void* LiteRtStaticLinkedAcceleratorGpuDef;
LITERT_CAPI_EXPORT extern LiteRtStatus (*LiteRtRegisterStaticLinkedAcceleratorWebNn)(
    LiteRtEnvironment environment);

// Makes the NPU accelerator known to the environment, which npukit's environments have from the
// start: kLiteRtStatusOk, any number of times. kLiteRtStatusErrorInvalidArgument for null, and
// where neither a folder of dispatch libraries is set nor one is linked in.
LiteRtStatus LiteRtRegisterNpuAccelerator(LiteRtEnvironment environment);

// The environment's devices of a GPU: null, since npukit has none.
struct LiteRtGpuEnvironmentT;
struct LiteRtGpuEnvironmentT* LiteRtGetGpuEnvironment(LiteRtEnvironment environment);

// All options of an AVERAGE_POOL_2D at once; litert_op_options.h has a function for each.
// kLiteRtStatusErrorInvalidArgument for null, and for an op of another code or without options.
LiteRtStatus LiteRtGetAveragePool2dOptions(LiteRtOp op, int8_t* padding, int32_t* stride_w,
                                           int32_t* stride_h, int32_t* filter_width,
                                           int32_t* filter_height,
                                           int8_t* fused_activation_function);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_VENDORS_C_LITERT_LINKED_IN_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Metrics and hooks of the TFLite delegate that runs dispatch ops in LiteRT. npukit's host has none:
// all fail with kLiteRtStatusErrorUnsupported. LiteRtCompiledModelStartMetricsCollection is the way.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_DISPATCH_DELEGATE_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_DISPATCH_DELEGATE_H_

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_profiler_types.h"

#ifdef __cplusplus
extern "C" {
#endif

LiteRtStatus LiteRtDispatchDelegateStartMetricsCollection(TfLiteOpaqueDelegate* delegate,
                                                          int detail_level);
LiteRtStatus LiteRtDispatchDelegateStopMetricsCollection(TfLiteOpaqueDelegate* delegate,
                                                         LiteRtMetrics metrics);
LiteRtStatus LiteRtDispatchDelegateGetHooks(TfLiteOpaqueDelegate* delegate, LiteRtHook* hook,
                                            void** user_data);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_DISPATCH_DELEGATE_H_

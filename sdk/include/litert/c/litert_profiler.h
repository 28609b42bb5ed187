// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Records how long the parts of a run take.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_H_

#include "litert/c/litert_common.h"
#include "litert/c/litert_profiler_event.h"

#ifdef __cplusplus
extern "C" {
#endif

// Keeps the latest `size` events.
LiteRtStatus LiteRtCreateProfiler(int size, LiteRtProfiler* profiler);
void LiteRtDestroyProfiler(LiteRtProfiler profiler);

// Events are recorded between start and stop; reset drops them.
LiteRtStatus LiteRtStartProfiler(LiteRtProfiler profiler);
LiteRtStatus LiteRtStopProfiler(LiteRtProfiler profiler);
LiteRtStatus LiteRtResetProfiler(LiteRtProfiler profiler);

// The source that events recorded from now on are marked with.
LiteRtStatus LiteRtSetProfilerCurrentEventSource(LiteRtProfiler profiler,
                                                 ProfiledEventSource event_source);

// Copies the first `num_events` events, oldest first, to the caller's array.
LiteRtStatus LiteRtGetNumProfilerEvents(LiteRtProfiler profiler, int* num_events);
LiteRtStatus LiteRtGetProfilerEvents(LiteRtProfiler profiler, int num_events,
                                     ProfiledEventData* events);

// The events as text, for the caller to free().
LiteRtStatus LiteRtGetProfileSummary(LiteRtProfiler profiler, LiteRtCompiledModel compiled_model,
                                     const char** summary);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_H_

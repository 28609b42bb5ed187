// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_PROFILER_H_
#define ODML_LITERT_LITERT_CC_LITERT_PROFILER_H_

// Events of a run with their times (litert/c/litert_profiler.h): start, run, stop, read.

#include <cstdlib>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_profiler.h"
#include "litert/c/litert_profiler_event.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// Not thread-safe.
class Profiler : public internal::BaseHandle<LiteRtProfiler> {
 public:
  Profiler() = default;
  explicit Profiler(LiteRtProfiler profiler, OwnHandle owned)
      : internal::BaseHandle<LiteRtProfiler>(profiler, LiteRtDestroyProfiler, owned) {}

  Expected<void> StartProfiling() { return Done(LiteRtStartProfiler(Get())); }
  Expected<void> StopProfiling() { return Done(LiteRtStopProfiler(Get())); }
  // Forgets the events.
  Expected<void> Reset() { return Done(LiteRtResetProfiler(Get())); }

  Expected<int> GetNumEvents() const {
    int num_events = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetNumProfilerEvents(Get(), &num_events));
    return num_events;
  }
  Expected<std::vector<ProfiledEventData>> GetEvents() const {
    LITERT_ASSIGN_OR_RETURN(const int num_events, GetNumEvents());
    std::vector<ProfiledEventData> events(static_cast<size_t>(num_events));
    if (num_events > 0) {
      LITERT_RETURN_IF_ERROR(LiteRtGetProfilerEvents(Get(), num_events, events.data()));
    }
    return events;
  }
  // A table for people.
  Expected<std::string> GetProfileSummary(LiteRtCompiledModel compiled_model) {
    const char* summary = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetProfileSummary(Get(), compiled_model, &summary));
    std::string copy = summary != nullptr ? summary : "";
    std::free(const_cast<char*>(summary));
    return copy;
  }

  // Whom the events from now on are of.
  Expected<void> SetCurrentEventSource(ProfiledEventSource event_source) {
    return Done(LiteRtSetProfilerCurrentEventSource(Get(), event_source));
  }

 private:
  static Expected<void> Done(LiteRtStatus result) {
    LITERT_RETURN_IF_ERROR(result);
    return {};
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_PROFILER_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "litert/c/litert_profiler.h"

void LiteRtProfilerT::Add(std::string_view tag, LiteRtProfilerEventType type, uint64_t start_us,
                          uint64_t elapsed_us, uint64_t metadata1, uint64_t metadata2) {
  if (!enabled_) return;
  if (events_.size() == capacity_) events_.pop_front();
  ProfiledEventData event = {};
  event.tag = tags_.emplace(tag).first->c_str();
  event.event_type = type;
  event.start_timestamp_us = start_us;
  event.elapsed_time_us = elapsed_us;
  event.event_metadata1 = metadata1;
  event.event_metadata2 = metadata2;
  event.event_source = source_;
  events_.push_back(event);
}

std::string LiteRtProfilerT::Summary() const {
  struct Line {
    const char* tag;
    uint64_t count = 0;
    uint64_t total_us = 0;
  };
  std::vector<Line> lines;
  for (const ProfiledEventData& event : events_) {
    // Equal tags are one string.
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.tag == event.tag; });
    if (line == lines.end()) line = lines.insert(lines.end(), {event.tag});
    ++line->count;
    line->total_us += event.elapsed_time_us;
  }
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{}: {} x, {} us\n", line.tag, line.count, line.total_us);
  }
  return text;
}

extern "C" {

LiteRtStatus LiteRtCreateProfiler(int size, LiteRtProfiler* profiler) {
  if (size <= 0 || !profiler) return kLiteRtStatusErrorInvalidArgument;
  *profiler = new LiteRtProfilerT(static_cast<size_t>(size));
  return kLiteRtStatusOk;
}

void LiteRtDestroyProfiler(LiteRtProfiler profiler) { delete profiler; }

LiteRtStatus LiteRtStartProfiler(LiteRtProfiler profiler) {
  if (!profiler) return kLiteRtStatusErrorInvalidArgument;
  profiler->Start();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtStopProfiler(LiteRtProfiler profiler) {
  if (!profiler) return kLiteRtStatusErrorInvalidArgument;
  profiler->Stop();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtResetProfiler(LiteRtProfiler profiler) {
  if (!profiler) return kLiteRtStatusErrorInvalidArgument;
  profiler->Reset();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetProfilerCurrentEventSource(LiteRtProfiler profiler,
                                                 ProfiledEventSource event_source) {
  if (!profiler) return kLiteRtStatusErrorInvalidArgument;
  profiler->set_source(event_source);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumProfilerEvents(LiteRtProfiler profiler, int* num_events) {
  if (!profiler || !num_events) return kLiteRtStatusErrorInvalidArgument;
  *num_events = static_cast<int>(profiler->events().size());
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetProfilerEvents(LiteRtProfiler profiler, int num_events,
                                     ProfiledEventData* events) {
  if (!profiler || num_events < 0 || (num_events > 0 && !events) ||
      static_cast<size_t>(num_events) > profiler->events().size()) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  std::copy_n(profiler->events().begin(), num_events, events);
  return kLiteRtStatusOk;
}

// The model is not needed: tags are names already.
LiteRtStatus LiteRtGetProfileSummary(LiteRtProfiler profiler, LiteRtCompiledModel,
                                     const char** summary) {
  if (!profiler || !summary) return kLiteRtStatusErrorInvalidArgument;
  char* copy = strdup(profiler->Summary().c_str());
  if (!copy) return kLiteRtStatusErrorMemoryAllocationFailure;
  *summary = copy;
  return kLiteRtStatusOk;
}

}  // extern "C"

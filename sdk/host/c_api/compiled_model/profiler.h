// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_PROFILER_H_
#define NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_PROFILER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>

#include "litert/c/litert_profiler.h"

// Keeps the latest events of a run. Not thread-safe.
class LiteRtProfilerT {
 public:
  explicit LiteRtProfilerT(size_t capacity) : capacity_(capacity) {}

  // Starting drops what an earlier run left.
  void Start() {
    Reset();
    enabled_ = true;
  }
  void Stop() { enabled_ = false; }
  void Reset() {
    events_.clear();
    source_ = LITERT;
  }

  void set_source(ProfiledEventSource source) { source_ = source; }

  // Does nothing unless started. Beyond the capacity the oldest event goes.
  void Add(std::string_view tag, LiteRtProfilerEventType type, uint64_t start_us,
           uint64_t elapsed_us, uint64_t metadata1, uint64_t metadata2);

  // Oldest first. Tags live as long as the profiler.
  const std::deque<ProfiledEventData>& events() const { return events_; }

  // One line per tag, in order of first appearance: tag, count, total time.
  std::string Summary() const;

 private:
  const size_t capacity_;
  bool enabled_ = false;
  ProfiledEventSource source_ = LITERT;
  std::deque<ProfiledEventData> events_;
  std::set<std::string, std::less<>> tags_;
};

#endif  // NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_PROFILER_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model's life as one Chrome trace: what the host does, by its hooks (litert/c/litert_profiler_types.h),
// the invocations within, and the engines' work by op. Where a host calls no hooks nothing is written.
//
// LITERT_VENDOR_HOOK_ARGS asks for it, as text or the path of a file with the text:
//
//   trace_path = "FILE"
//
// Each model of a process has a file of its own: FILE, FILE.2, FILE.3 and so on.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_HOOK_TRACE_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_HOOK_TRACE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "litert/c/litert_profiler_types.h"
#include "npukit/dispatch_types.h"

namespace acme::dispatch {

// The value of trace_path, empty if there is none. `args` is that variable's.
std::string TracePathOf(std::string_view args);

// Thread-safe.
class HookTrace {
 public:
  using Clock = std::chrono::steady_clock;

  // Null if nobody asked for a trace.
  static std::shared_ptr<HookTrace> FromEnvironment();
  explicit HookTrace(std::string path) : path_(std::move(path)) {}

  // At the end of the model, writes the file.
  void OnHook(LiteRtHookType type);

  // An invocation, and what the engines did in it. Their slices begin where it did on the host, or
  // where those of the one before ended: the device's time is simulated.
  void AddRun(const std::string& entry_point, Clock::time_point begin, Clock::time_point end,
              std::span<const npukit::ProfileEvent> events, int64_t clock_mhz,
              const std::function<std::string(uint32_t)>& name_of_handle);

 private:
  double Microseconds(Clock::time_point time) const;
  void AddSlice(const char* name, std::optional<Clock::time_point>& begin);
  void Write() const;

  const std::string path_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // for what is below
  std::optional<Clock::time_point> loading_, running_;
  double device_us_ = 0;  // to where the engines' slices reach
  nlohmann::json events_ = nlohmann::json::array();
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_HOOK_TRACE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/hook_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

namespace acme::dispatch {
namespace {

// Tracks of the trace.
constexpr int kHost = 1;
constexpr int kDevice = 2;

int ThisThread() {
  return static_cast<int>(std::hash<std::thread::id>()(std::this_thread::get_id()) % 1'000'000);
}

nlohmann::json TrackName(int track, const char* name) {
  return {{"ph", "M"}, {"name", "process_name"}, {"pid", track}, {"args", {{"name", name}}}};
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::string TracePathOf(std::string_view args) {
  std::string text(args);
  if (args.find('=') == std::string_view::npos) {
    std::ifstream file(text);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    if (Trimmed(std::string_view(line).substr(0, equals)) != "trace_path") continue;
    std::string_view value = Trimmed(std::string_view(line).substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    return std::string(value);
  }
  return {};
}

std::shared_ptr<HookTrace> HookTrace::FromEnvironment() {
  static std::atomic<int> models = 0;
  const char* const args = std::getenv("LITERT_VENDOR_HOOK_ARGS");
  std::string path = args != nullptr ? TracePathOf(args) : "";
  if (path.empty()) return nullptr;
  const int model = ++models;
  if (model > 1) path = fmt::format("{}.{}", path, model);
  return std::make_shared<HookTrace>(std::move(path));
}

double HookTrace::Microseconds(Clock::time_point time) const {
  return std::chrono::duration<double, std::micro>(time - start_).count();
}

void HookTrace::AddSlice(const char* name, std::optional<Clock::time_point>& begin) {
  if (!begin) return;  // its beginning was not told
  const double ts = Microseconds(*begin);
  events_.push_back({{"ph", "X"},
                     {"name", name},
                     {"pid", kHost},
                     {"tid", ThisThread()},
                     {"ts", ts},
                     {"dur", Microseconds(Clock::now()) - ts}});
  begin.reset();
}

void HookTrace::OnHook(LiteRtHookType type) {
  const std::lock_guard lock(mutex_);
  switch (type) {
    case kLiteRtHookTypeCompilerStart:
      loading_ = Clock::now();
      break;
    case kLiteRtHookTypeCompilerStop:
      AddSlice("load model", loading_);
      break;
    case kLiteRtHookTypeRuntimeStart:
      running_ = Clock::now();
      break;
    case kLiteRtHookTypeRuntimeStop:
      AddSlice("run", running_);
      break;
    case kLiteRtHookTypeStopAndProcess:
      Write();
      break;
  }
}

void HookTrace::AddRun(const std::string& entry_point, Clock::time_point begin,
                       Clock::time_point end, std::span<const npukit::ProfileEvent> events,
                       int64_t clock_mhz,
                       const std::function<std::string(uint32_t)>& name_of_handle) {
  const std::lock_guard lock(mutex_);
  const double begin_us = Microseconds(begin);
  events_.push_back({{"ph", "X"},
                     {"name", "invoke " + entry_point},
                     {"pid", kHost},
                     {"tid", ThisThread()},
                     {"ts", begin_us},
                     {"dur", Microseconds(end) - begin_us}});
  const double device_begin_us = std::max(device_us_, begin_us);
  const double us_per_cycle = 1.0 / static_cast<double>(std::max<int64_t>(clock_mhz, 1));
  for (const npukit::ProfileEvent& event : events) {
    const double start_us = static_cast<double>(event.start_cycle) * us_per_cycle;
    const double end_us = static_cast<double>(event.end_cycle) * us_per_cycle;
    const std::string op = name_of_handle(event.handle);
    events_.push_back({{"ph", "X"},
                       {"name", op},
                       {"pid", kDevice},
                       {"tid", event.unit},
                       {"ts", device_begin_us + start_us},
                       {"dur", end_us - start_us},
                       {"args", {{"op", op}, {"handle", event.handle}}}});
    device_us_ = std::max(device_us_, device_begin_us + end_us);
  }
}

void HookTrace::Write() const {
  nlohmann::json all = {TrackName(kHost, "host"), TrackName(kDevice, "AcmeCorp NPU")};
  all.insert(all.end(), events_.begin(), events_.end());
  // Names are a model's and need not be UTF-8, at which dump() would throw.
  std::ofstream(path_) << nlohmann::json{{"traceEvents", std::move(all)}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace acme::dispatch

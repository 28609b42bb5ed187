// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/trace_file.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "npukit/metrics.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json NameEvent(const char* what, int pid, int tid, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

// The ops that a piece of bytecode came from, by its debug handle; null if that is not known.
Json SourceOps(const DelegateRecord* delegate, const Json& handle) {
  if (delegate == nullptr || !handle.is_number_unsigned()) return nullptr;
  for (const DelegateRecord::Handle& known : delegate->handles) {
    if (known.handle != handle.get<uint32_t>()) continue;
    Json ops = Json::array();
    for (uint32_t op : known.ops) ops.push_back(Describe(delegate->ops[op]));
    return ops;
  }
  return nullptr;
}

// Steps that run side by side lie on tracks of their own: on one track a viewer would show the
// later one as called by the earlier. The first track that is free by then. Ends of the tracks so
// far, in nanoseconds.
int TrackOf(const StepTime& time, std::vector<uint64_t>& ends_ns) {
  size_t track = 0;
  while (track < ends_ns.size() && ends_ns[track] > time.begin_ns) ++track;
  if (track == ends_ns.size()) ends_ns.push_back(0);
  ends_ns[track] = time.end_ns;
  return static_cast<int>(track) + 1;
}

// The device's events, moved to `begin_us` and into their own process; those without a phase are no
// events.
void AddDeviceEvents(Json& events, const std::string& text, int pid, double begin_us,
                     const DelegateRecord* delegate) {
  const Json reported = ParseJson(text);
  if (!reported.is_array()) return;
  for (Json event : reported) {
    if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) continue;
    event["pid"] = pid;
    if (event.contains("ts") && event["ts"].is_number())
      event["ts"] = event["ts"].get<double>() + begin_us;
    if (event.contains("args") && event["args"].is_object() && event["args"].contains("handle")) {
      Json ops = SourceOps(delegate, event["args"]["handle"]);
      if (!ops.is_null()) event["args"]["ops"] = std::move(ops);
    }
    events.push_back(std::move(event));
  }
}

}  // namespace

Json MakeTrace(const SignatureRunner& runner, const std::vector<DispatchMetrics>& metrics) {
  Json events = Json::array();
  events.push_back(NameEvent("process_name", 1, 0, "host"));
  events.push_back(NameEvent("thread_name", 1, 1, "steps"));
  const auto steps = runner.steps();
  const auto times = runner.step_times();
  std::vector<uint64_t> track_ends_ns;
  for (size_t i = 0; i < steps.size(); ++i) {
    const double begin_us = static_cast<double>(times[i].begin_ns) / 1e3;
    const double end_us = static_cast<double>(times[i].end_ns) / 1e3;
    const bool on_npu = steps[i].target == Target::kNpu;
    Json args = {{"name", steps[i].name}, {"target", on_npu ? "npu" : "cpu"}};
    if (steps[i].macs != 0) args["macs"] = steps[i].macs;
    if (steps[i].delegate != nullptr) {
      for (const auto& op : steps[i].delegate->ops) args["ops"].push_back(Describe(op));
    }
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", TrackOf(times[i], track_ends_ns)},
                      {"name", steps[i].op},
                      {"cat", on_npu ? "npu" : "cpu"},
                      {"ts", begin_us},
                      {"dur", end_us - begin_us},
                      {"args", std::move(args)}});
    if (i >= metrics.size()) continue;
    if (std::optional<std::string> text = metrics[i].Text(NPUKIT_METRIC_TRACE_EVENTS)) {
      const int pid = 2 + static_cast<int>(i);
      const std::string soc = metrics[i].Text(NPUKIT_METRIC_SOC).value_or("npu");
      events.push_back(NameEvent("process_name", pid, 0, soc + " " + steps[i].name));
      AddDeviceEvents(events, *text, pid, begin_us, steps[i].delegate);
    }
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/trace_file.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "npukit/metrics.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::json;

Json NameEvent(const char* what, int pid, int tid, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

// The device's events, moved to `begin_us` and into their own process; those without a phase are no
// events.
void AddDeviceEvents(Json& events, const std::string& text, int pid, double begin_us) {
  const Json reported = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!reported.is_array()) return;
  for (Json event : reported) {
    if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) continue;
    event["pid"] = pid;
    if (event.contains("ts") && event["ts"].is_number())
      event["ts"] = event["ts"].get<double>() + begin_us;
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
  for (size_t i = 0; i < steps.size(); ++i) {
    const double begin_us = static_cast<double>(times[i].begin_ns) / 1e3;
    const double end_us = static_cast<double>(times[i].end_ns) / 1e3;
    const bool on_npu = steps[i].target == Target::kNpu;
    Json args = {{"name", steps[i].name}, {"target", on_npu ? "npu" : "cpu"}};
    if (steps[i].macs != 0) args["macs"] = steps[i].macs;
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", 1},
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
      AddDeviceEvents(events, *text, pid, begin_us);
    }
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "npukit/metrics.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> NumberIn(const Json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

std::string TextIn(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& Arguments(const Json& event) {
  static const Json kNone = Json::object();
  const auto found = event.find("args");
  return found != event.end() && found->is_object() ? *found : kNone;
}

class Timeline {
 public:
  Timeline(const std::vector<Layer>& layers, const Chip& chip)
      : layers_(layers), per_us_(chip.clock_mhz.value_or(1)), in_cycles_(chip.clock_mhz) {}

  void AddStep(int step, const Json& events) {
    if (!events.is_array()) return;
    FindLayers(step);
    std::map<int64_t, std::string> tracks;
    for (const Json& event : events) {
      if (event.is_object() && TextIn(event, "ph") == "M" && TextIn(event, "name") == "thread_name")
        tracks[Track(event)] = TextIn(Arguments(event), "name");
    }
    // Tracks without a slice show, too: an engine that does nothing is worth seeing.
    for (const auto& [track, name] : tracks) EngineOf(name);
    const double begin = end_;
    for (const Json& event : events) {
      if (!event.is_object()) continue;
      const std::string phase = TextIn(event, "ph");
      if (phase == "X") AddSlice(event, begin, tracks);
      if (phase == "C" && TextIn(event, "name") == NPUKIT_TRACE_SCRATCHPAD_COUNTER)
        AddLevel(event, begin);
    }
  }

  Json Take() {
    if (engines_.empty()) return nullptr;
    Json timeline = {{"unit", in_cycles_ ? "cycles" : "microseconds"},
                     {"end", JsonNumber(end_)},
                     {"kinds", kinds_},
                     {"engines", Json::array()}};
    for (auto& [name, slices] : engines_)
      timeline["engines"].push_back({{"name", name}, {"slices", std::move(slices)}});
    if (!memory_.empty()) timeline["memory"] = std::move(memory_);
    return timeline;
  }

 private:
  static int64_t Track(const Json& event) {
    const double tid = NumberIn(event, "tid").value_or(0);
    // A library may write anything; a double beyond the integers' range has no value as one.
    return std::abs(tid) < 1e15 ? static_cast<int64_t>(tid) : 0;
  }

  void FindLayers(int step) {
    layer_of_.clear();
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (layers_[i].step == step && layers_[i].target == Target::kNpu)
        layer_of_.emplace(layers_[i].name, static_cast<int>(i));
    }
  }

  // The library's operations go by a name or by the handle.
  int LayerOf(const Json& event) const {
    if (const auto handle = NumberIn(Arguments(event), "handle")) {
      const auto found = layer_of_.find(fmt::format("{:.0f}", *handle));
      if (found != layer_of_.end()) return found->second;
    }
    const auto found = layer_of_.find(TextIn(event, "name"));
    return found != layer_of_.end() ? found->second : -1;
  }

  Json& EngineOf(const std::string& name) {
    for (auto& [known, slices] : engines_) {
      if (known == name) return slices;
    }
    return engines_.emplace_back(name, Json::array()).second;
  }

  size_t KindOf(const Json& event) {
    const std::string category = TextIn(event, "cat");
    const std::string name = category.empty() ? TextIn(event, "name") : category;
    const auto [found, added] = kind_index_.try_emplace(name, kinds_.size());
    if (added) kinds_.push_back(name);
    return found->second;
  }

  void AddSlice(const Json& event, double step_begin,
                const std::map<int64_t, std::string>& tracks) {
    const auto begin_us = NumberIn(event, "ts");
    const auto duration_us = NumberIn(event, "dur");
    if (!begin_us || !duration_us || *duration_us < 0) return;
    double begin = *begin_us * per_us_;
    double end = begin + *duration_us * per_us_;
    const auto begin_cycle = NumberIn(Arguments(event), "begin_cycle");
    const auto end_cycle = NumberIn(Arguments(event), "end_cycle");
    // Microseconds that were made of cycles may have been rounded; the cycles are exact.
    if (in_cycles_ && begin_cycle && end_cycle && *end_cycle >= *begin_cycle) {
      begin = *begin_cycle;
      end = *end_cycle;
    }
    const int64_t track = Track(event);
    const auto name = tracks.find(track);
    Json& slices = EngineOf(name != tracks.end() ? name->second : fmt::format("{}", track));
    // Four numbers in a row and no object: a trace may have many thousand slices, and the page
    // holds them as text.
    slices.push_back(JsonNumber(step_begin + begin));
    slices.push_back(JsonNumber(end - begin));
    slices.push_back(LayerOf(event));
    slices.push_back(KindOf(event));
    end_ = std::max(end_, step_begin + end);
  }

  void AddLevel(const Json& event, double step_begin) {
    const Json& arguments = Arguments(event);
    const auto at_us = NumberIn(event, "ts");
    if (!at_us || arguments.empty() || !arguments.begin()->is_number()) return;
    const double at = in_cycles_ ? std::round(*at_us * per_us_) : *at_us;
    memory_.push_back({JsonNumber(step_begin + at), JsonNumber(arguments.begin()->get<double>())});
  }

  const std::vector<Layer>& layers_;
  const double per_us_;
  const bool in_cycles_;
  std::map<std::string, int> layer_of_;  // of the present step
  std::vector<std::pair<std::string, Json>> engines_;
  std::vector<std::string> kinds_;
  std::map<std::string, size_t> kind_index_;
  Json memory_ = Json::array();
  double end_ = 0;
};

}  // namespace

Json TimelineJson(std::span<const StepInfo> steps, std::span<const DispatchMetrics> metrics,
                  const std::vector<Layer>& layers, const Chip& chip) {
  Timeline timeline(layers, chip);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto text = metrics[i].Text(NPUKIT_METRIC_TRACE_EVENTS);
    if (text) timeline.AddStep(static_cast<int>(i), ParseJson(*text));
  }
  return timeline.Take();
}

}  // namespace npukit::tools

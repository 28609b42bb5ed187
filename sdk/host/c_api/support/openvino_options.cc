// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/internal/litert_options_helper.h"
#include "litert/c/options/litert_intel_openvino_options.h"
#include "sdk/host/c_api/support/toml_options.h"

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr char kOpenVinoIdentifier[] = "intel_openvino";
constexpr std::string_view kDeviceType = "device_type";
constexpr std::string_view kPerformanceMode = "performance_mode";
constexpr std::string_view kGraphBackend = "graph_backend";
constexpr std::string_view kConfigsMap = "configs_map.";
constexpr std::string_view kGraph = "graph.";
constexpr LiteRtStatus kNullArgument = kLiteRtStatusErrorInvalidArgument;

void SetSetting(Settings& settings, std::string_view key, std::string value) {
  for (auto& [known, old] : settings) {
    if (known != key) continue;
    old = std::move(value);
    return;
  }
  settings.emplace_back(key, std::move(value));
}

LiteRtStatus GetSetting(const Settings& settings, int index, const char** key, const char** value) {
  if (index < 0 || static_cast<size_t>(index) >= settings.size()) return kLiteRtStatusErrorIndexOOB;
  *key = settings[static_cast<size_t>(index)].first.c_str();
  *value = settings[static_cast<size_t>(index)].second.c_str();
  return kLiteRtStatusOk;
}

std::string Line(const std::string& prefix, std::string_view key, int value) {
  return prefix + std::string(key) + " = " + std::to_string(value) + "\n";
}

void AppendSettings(const Settings& settings, const std::string& prefix, std::string& text) {
  for (const auto& [key, value] : settings)
    text += prefix + std::string(kConfigsMap) + key + " = \"" + value + "\"\n";
}

}  // namespace

class LrtIntelOpenVinoOptionsT {
 public:
  struct Graph {
    std::optional<LiteRtIntelOpenVinoGraphBackend> backend;
    Settings settings;
  };
  LiteRtIntelOpenVinoPerformanceMode performance_mode = kLiteRtIntelOpenVinoPerformanceModeLatency;
  bool has_performance_mode = false;
  std::optional<LiteRtIntelOpenVinoDeviceType> device_type;
  Settings settings;
  std::map<int, Graph> graphs;

  std::string Text() const {
    std::string text;
    if (device_type) text += std::string(kDeviceType) + " = " + std::to_string(*device_type) + "\n";
    if (has_performance_mode) text += Line("", kPerformanceMode, performance_mode);
    AppendSettings(settings, "", text);
    for (const auto& [index, graph] : graphs) {
      const std::string prefix = std::string(kGraph) + std::to_string(index) + ".";
      if (graph.backend) text += Line(prefix, kGraphBackend, *graph.backend);
      AppendSettings(graph.settings, prefix, text);
    }
    return text;
  }

  // One line of text. False if it is of a graph that is none.
  bool Read(std::string_view key, const npukit::TomlValue& value) {
    const auto* number = std::get_if<int64_t>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if (key == kDeviceType && number != nullptr) {
      device_type = static_cast<LiteRtIntelOpenVinoDeviceType>(*number);
    } else if (key == kPerformanceMode && number != nullptr) {
      performance_mode = static_cast<LiteRtIntelOpenVinoPerformanceMode>(*number);
      has_performance_mode = true;
    } else if (key.starts_with(kConfigsMap) && text != nullptr) {
      SetSetting(settings, key.substr(kConfigsMap.size()), *text);
    } else if (key.starts_with(kGraph)) {
      key.remove_prefix(kGraph.size());
      int index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || end == key.data() + key.size() || *end != '.' || index < -1)
        return false;
      key.remove_prefix(static_cast<size_t>(end - key.data()) + 1);
      if (key == kGraphBackend && number != nullptr)
        graphs[index].backend = static_cast<LiteRtIntelOpenVinoGraphBackend>(*number);
      if (key.starts_with(kConfigsMap) && text != nullptr)
        SetSetting(graphs[index].settings, key.substr(kConfigsMap.size()), *text);
    }
    return true;
  }

  // Null if nothing was set of it.
  const Graph* Find(int index) const {
    const auto found = graphs.find(index);
    return found == graphs.end() ? nullptr : &found->second;
  }
};

extern "C" {

LiteRtStatus LrtIntelOpenVinoOptionsCreate(LrtIntelOpenVinoOptions* options) {
  if (!options) return kNullArgument;
  *options = new LrtIntelOpenVinoOptionsT;
  return kLiteRtStatusOk;
}

void LrtDestroyIntelOpenVinoOptions(LrtIntelOpenVinoOptions options) { delete options; }

LiteRtStatus LrtCreateIntelOpenVinoOptionsFromToml(const char* payload,
                                                   LrtIntelOpenVinoOptions* options) {
  if (!payload || !options) return kNullArgument;
  auto made = std::make_unique<LrtIntelOpenVinoOptionsT>();
  bool is_known = true;
  const LiteRtStatus status =
      npukit::ParseTomlLines(payload, [&](std::string_view key, const npukit::TomlValue& value) {
        is_known = made->Read(key, value) && is_known;
      });
  if (status != kLiteRtStatusOk || !is_known) return kLiteRtStatusErrorInvalidArgument;
  *options = made.release();
  return kLiteRtStatusOk;
}

LiteRtStatus LrtGetOpaqueIntelOpenVinoOptionsData(LrtIntelOpenVinoOptions options,
                                                  const char** identifier, void** payload,
                                                  void (**payload_deleter)(void*)) {
  if (!options || !identifier || !payload || !payload_deleter) return kNullArgument;
  *identifier = kOpenVinoIdentifier;
  litert::internal::MakeCStringPayload(options->Text(), payload, payload_deleter);
  return kLiteRtStatusOk;
}

const char* LrtGetIntelOpenVinoOptionsIdentifier(void) { return kOpenVinoIdentifier; }

LiteRtStatus LrtIntelOpenVinoOptionsSetDeviceType(LrtIntelOpenVinoOptions options,
                                                  LiteRtIntelOpenVinoDeviceType device_type) {
  if (!options) return kNullArgument;
  options->device_type = device_type;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetDeviceType(LrtIntelOpenVinoOptions options,
                                                  LiteRtIntelOpenVinoDeviceType* device_type) {
  if (!options || !device_type) return kNullArgument;
  *device_type = options->device_type.value_or(kLiteRtIntelOpenVinoDeviceTypeNPU);
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsSetPerformanceMode(
    LrtIntelOpenVinoOptions options, LiteRtIntelOpenVinoPerformanceMode performance_mode) {
  if (!options) return kNullArgument;
  options->performance_mode = performance_mode;
  options->has_performance_mode = true;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetPerformanceMode(
    LrtIntelOpenVinoOptions options, LiteRtIntelOpenVinoPerformanceMode* performance_mode) {
  if (!options || !performance_mode) return kNullArgument;
  *performance_mode = options->performance_mode;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsSetConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                        const char* key, const char* value) {
  if (!options || !key || !value) return kNullArgument;
  SetSetting(options->settings, key, value);
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetNumConfigsMapOptions(LrtIntelOpenVinoOptions options,
                                                            int* num_options) {
  if (!options || !num_options) return kNullArgument;
  *num_options = static_cast<int>(options->settings.size());
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetConfigsMapOption(LrtIntelOpenVinoOptions options, int index,
                                                        const char** key, const char** value) {
  if (!options || !key || !value) return kNullArgument;
  return GetSetting(options->settings, index, key, value);
}

LiteRtStatus LrtIntelOpenVinoOptionsSetGraphBackend(
    LrtIntelOpenVinoOptions options, int graph_index,
    enum LiteRtIntelOpenVinoGraphBackend graph_backend) {
  if (!options || graph_index < -1) return kLiteRtStatusErrorInvalidArgument;
  options->graphs[graph_index].backend = graph_backend;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetGraphBackend(
    LrtIntelOpenVinoOptions options, int graph_index,
    enum LiteRtIntelOpenVinoGraphBackend* graph_backend) {
  if (!options || !graph_backend || graph_index < -1) return kLiteRtStatusErrorInvalidArgument;
  for (int index : {graph_index, -1}) {
    const auto* graph = options->Find(index);
    if (graph == nullptr || !graph->backend) continue;
    *graph_backend = *graph->backend;
    return kLiteRtStatusOk;
  }
  return kLiteRtStatusErrorNotFound;
}

LiteRtStatus LrtIntelOpenVinoOptionsSetGraphConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                             int graph_index, const char* key,
                                                             const char* value) {
  if (!options || !key || !value || graph_index < 0) return kLiteRtStatusErrorInvalidArgument;
  SetSetting(options->graphs[graph_index].settings, key, value);
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetNumGraphConfigsMapOptions(LrtIntelOpenVinoOptions options,
                                                                 int graph_index,
                                                                 int* num_options) {
  if (!options || !num_options || graph_index < 0) return kLiteRtStatusErrorInvalidArgument;
  const auto* graph = options->Find(graph_index);
  *num_options = graph == nullptr ? 0 : static_cast<int>(graph->settings.size());
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetGraphConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                             int graph_index, int index,
                                                             const char** key, const char** value) {
  if (!options || !key || !value || graph_index < 0 || index < 0)
    return kLiteRtStatusErrorInvalidArgument;
  const auto* graph = options->Find(graph_index);
  return graph == nullptr ? kLiteRtStatusErrorIndexOOB
                          : GetSetting(graph->settings, index, key, value);
}

LiteRtStatus LrtIntelOpenVinoOptionsGetNumGraphOverrides(LrtIntelOpenVinoOptions options,
                                                         int* num_overrides) {
  if (!options || !num_overrides) return kNullArgument;
  *num_overrides = static_cast<int>(options->graphs.size());
  return kLiteRtStatusOk;
}

LiteRtStatus LrtIntelOpenVinoOptionsGetGraphOverrideIndex(LrtIntelOpenVinoOptions options,
                                                          int slot_index, int* graph_index) {
  if (!options || !graph_index || slot_index < 0) return kLiteRtStatusErrorInvalidArgument;
  if (static_cast<size_t>(slot_index) >= options->graphs.size()) return kLiteRtStatusErrorIndexOOB;
  *graph_index = std::next(options->graphs.begin(), slot_index)->first;
  return kLiteRtStatusOk;
}

}  // extern "C"

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_

// Options of Intel's OpenVINO plugin.

#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_intel_openvino_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::intel_openvino {

// Positions past the end, and graphs without options, give 0, empty text or an error; a null name
// is ignored.
class IntelOpenVinoOptions
    : public internal::OwnedOptions<LrtIntelOpenVinoOptions, LrtIntelOpenVinoOptionsCreate,
                                    LrtDestroyIntelOpenVinoOptions,
                                    LrtGetOpaqueIntelOpenVinoOptionsData> {
 public:
  IntelOpenVinoOptions() = delete;

  static Expected<IntelOpenVinoOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtIntelOpenVinoOptions options, CreateHandle());
    return IntelOpenVinoOptions(options);
  }
  static IntelOpenVinoOptions CreateFromOwnedHandle(LrtIntelOpenVinoOptions options) {
    return IntelOpenVinoOptions(options);
  }
  static const char* Discriminator() { return LrtGetIntelOpenVinoOptionsIdentifier(); }

  // -- Of the plugin ----------------------------------------------------------

  // As of LiteRT v2.1.4; from v2.2.0 on graphs have devices of their own, SetGraphBackend.
  void SetDeviceType(LiteRtIntelOpenVinoDeviceType device_type) {
    LrtIntelOpenVinoOptionsSetDeviceType(Get(), device_type);
  }
  LiteRtIntelOpenVinoDeviceType GetDeviceType() const {
    return Value<LiteRtIntelOpenVinoDeviceType>(LrtIntelOpenVinoOptionsGetDeviceType);
  }
  void SetPerformanceMode(LiteRtIntelOpenVinoPerformanceMode performance_mode) {
    LrtIntelOpenVinoOptionsSetPerformanceMode(Get(), performance_mode);
  }
  LiteRtIntelOpenVinoPerformanceMode GetPerformanceMode() const {
    return Value<LiteRtIntelOpenVinoPerformanceMode>(LrtIntelOpenVinoOptionsGetPerformanceMode);
  }

  void SetConfigsMapOption(const char* key, const char* value) {
    LrtIntelOpenVinoOptionsSetConfigsMapOption(Get(), key, value);
  }
  int GetNumConfigsMapOptions() const {
    return Value<int>(LrtIntelOpenVinoOptionsGetNumConfigsMapOptions);
  }
  std::pair<std::string, std::string> GetConfigsMapOption(int index) const {
    const char* key = "";
    const char* value = "";
    LrtIntelOpenVinoOptionsGetConfigsMapOption(Get(), index, &key, &value);
    return {key, value};
  }

  // -- Of one graph -----------------------------------------------------------

  void SetGraphBackend(int graph_index, LiteRtIntelOpenVinoGraphBackend graph_backend) {
    LrtIntelOpenVinoOptionsSetGraphBackend(Get(), graph_index, graph_backend);
  }
  // Error kErrorNotFound: none was set.
  Expected<LiteRtIntelOpenVinoGraphBackend> GetGraphBackend(int graph_index) const {
    LiteRtIntelOpenVinoGraphBackend graph_backend{};
    LITERT_RETURN_IF_ERROR(
        LrtIntelOpenVinoOptionsGetGraphBackend(Get(), graph_index, &graph_backend));
    return graph_backend;
  }

  void SetGraphConfigsMapOption(int graph_index, const char* key, const char* value) {
    LrtIntelOpenVinoOptionsSetGraphConfigsMapOption(Get(), graph_index, key, value);
  }
  int GetNumGraphConfigsMapOptions(int graph_index) const {
    int count = 0;
    LrtIntelOpenVinoOptionsGetNumGraphConfigsMapOptions(Get(), graph_index, &count);
    return count;
  }
  std::pair<std::string, std::string> GetGraphConfigsMapOption(int graph_index, int index) const {
    const char* key = "";
    const char* value = "";
    LrtIntelOpenVinoOptionsGetGraphConfigsMapOption(Get(), graph_index, index, &key, &value);
    return {key, value};
  }

  // The graphs of which anything was set, ascending.
  int GetNumGraphOverrides() const {
    return Value<int>(LrtIntelOpenVinoOptionsGetNumGraphOverrides);
  }
  int GetGraphOverrideIndex(int slot_index) const {
    int graph_index = 0;
    LrtIntelOpenVinoOptionsGetGraphOverrideIndex(Get(), slot_index, &graph_index);
    return graph_index;
  }

 private:
  explicit IntelOpenVinoOptions(LrtIntelOpenVinoOptions options) : OwnedOptions(options) {}
};

}  // namespace litert::intel_openvino

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a device and the dispatch libraries on it say of themselves.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_DEVICE_REPORT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_DEVICE_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/library/plugin_search.h"

namespace npukit::tools {

// {address, machine, kernel, host_name, cpu, soc, processors, memory_bytes, free_memory_bytes,
// free_cache_bytes, worker_version, libraries[], dispatch[] {path, vendor, build_id, generation, or
// error}, plugins[] {path, manufacturer, generation, soc_models[], or error}}. Each library is loaded there, in a process of
// its own. Error: no worker answers.
litert::Expected<nlohmann::ordered_json> AskDevice(const std::string& address,
                                                   const std::string& folder,
                                                   const PluginFiles& files);

void PrintDevice(const nlohmann::ordered_json& device);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_DEVICE_REPORT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a session is made of, for people and as JSON: names, ports, the placement.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_SESSION_REPORT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_SESSION_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sdk/host/runtime/runner/session_placement.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::tools {

// For people: converters join the names of fused ops with ';', of which the first stays; long names
// lose their beginning.
std::string ShortName(const std::string& name);

// "op 3 CONV_2D (features/conv)", the one form in which the tools name an op: its position in the
// main subgraph, or "op 3 of subgraph 1 CONV_2D (...)"; without parentheses if it has no name.
std::string OpText(size_t subgraph, size_t index, const std::string& op, const std::string& name);

// "int8[1,96,96,3]".
std::string TypeText(const PortInfo& port);
// {name, dtype, shape}.
nlohmann::ordered_json PortJson(const PortInfo& port);

// {npu_ops, cpu_ops, partitions, plugin, dispatch, fallback_reason, ops[]}.
nlohmann::ordered_json PlacementJson(const SessionPlacement& placement);
// The same for people: a line of counts, and, where a plugin was asked for, each reason with the
// ops that have it.
std::string PlacementText(const SessionPlacement& placement, bool plugin_was_asked_for);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_SESSION_REPORT_H_

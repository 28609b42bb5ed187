// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SIMULATOR_TOOLS_JSON_TEXT_H_
#define NPUKIT_SIMULATOR_TOOLS_JSON_TEXT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace acme {

// One line. Names come from models and may hold anything: bytes that are not UTF-8 are replaced.
std::string JsonText(const nlohmann::json& json);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_JSON_TEXT_H_

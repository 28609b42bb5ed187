// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a bundle holds, for people and scripts.

#ifndef NPUKIT_SDK_TOOLS_BUNDLES_BUNDLE_REPORT_H_
#define NPUKIT_SDK_TOOLS_BUNDLES_BUNDLE_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sdk/host/model/bundle/bundle.h"

namespace npukit::tools {

// bundle, format, version, system {}, sections [] {name, kind, offset_bytes, size_bytes, model, items
// {}}
nlohmann::ordered_json DescribeBundle(const Bundle& bundle, const std::string& path);

std::string BundleText(const nlohmann::ordered_json& report);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_BUNDLES_BUNDLE_REPORT_H_

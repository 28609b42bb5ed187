// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_ERROR_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_ERROR_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit {

// "AcmeCorp (x.so): LiteRtCompilerPluginCompile gave kLiteRtStatusErrorCompilation". `plugin` is
// LoadedPlugin::Describe(). The plugin's own reason follows where there is one: "...: REASON".
litert::Error CallFailed(LiteRtStatus status, const std::string& plugin, const std::string& call,
                         const std::string& reason = {});

// The call succeeded, but what it said can't be.
litert::Error BadAnswer(const std::string& plugin, const std::string& call,
                        const std::string& what);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_ERROR_H_

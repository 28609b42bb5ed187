// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/version.h"

namespace npukit::tools {

const char* Version() { return NPUKIT_VERSION; }

const char* PluginAbis() { return "2.1, 2.2, 2.3"; }

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/version.h"

namespace npukit::tools {

const char* Version() { return NPUKIT_VERSION; }

}  // namespace npukit::tools

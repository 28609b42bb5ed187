// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("doctor", "say which libraries and models go together, and why not",
            npukit::tools::Doctor)

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("completion", "print a script that completes npukit's command lines in a shell",
            npukit::tools::Completion)

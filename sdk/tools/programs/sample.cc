// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("sample", "write a small network of the project's own, to try things with",
            npukit::tools::Sample)

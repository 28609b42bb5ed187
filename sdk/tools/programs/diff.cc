// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("diff", "compare a plugin's results with the CPU's, tensor by tensor",
            npukit::tools::Diff)

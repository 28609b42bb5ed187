// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("explain", "print for each op of a model where it runs, and why not on the NPU",
            npukit::tools::Explain)

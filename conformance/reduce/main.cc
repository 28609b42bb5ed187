// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/reduce.h"
#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("reduce", "narrow a plugin's failure down to the smallest model that still shows it",
            npukit::conformance::ReduceVerb)

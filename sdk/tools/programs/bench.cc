// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("bench", "measure a model: host time, and the NPU's cycles, utilisation and energy",
            npukit::tools::Bench)

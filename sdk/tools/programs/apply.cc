// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("apply", "compile a model for an NPU ahead of time", npukit::tools::Apply)

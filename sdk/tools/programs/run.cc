// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("run", "run a model once; print its outputs and where each op ran", npukit::tools::Run)

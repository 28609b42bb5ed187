// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("info", "list the plugins and dispatch libraries in a folder", npukit::tools::Info)

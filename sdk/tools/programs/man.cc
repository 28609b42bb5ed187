// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("man", "print the man page of npukit or of a verb, or write all of them",
            npukit::tools::Man)

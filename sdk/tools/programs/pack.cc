// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("pack", "rewrite a bundle with other contents in some of its sections",
            npukit::tools::Pack)

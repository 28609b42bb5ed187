// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("unpack", "write the sections of a .litertlm or .task bundle as files",
            npukit::tools::Unpack)

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("inspect", "print a model's subgraphs, ops, tensors, signatures and partitions",
            npukit::tools::Inspect)

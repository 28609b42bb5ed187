// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/build_model/build_model.h"
#include "sdk/tools/command_line/verb.h"

NPUKIT_VERB("build", "make a model of a graph that is written in YAML",
            npukit::conformance::BuildVerb)

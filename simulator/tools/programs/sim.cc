// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/verb.h"

ACME_VERB("sim", "run a program on the simulated NPU, without any model", acme::SimMain)

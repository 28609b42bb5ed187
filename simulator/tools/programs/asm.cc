// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/verb.h"

ACME_VERB("asm", "assemble Acme bytecode from text", acme::AsmMain)

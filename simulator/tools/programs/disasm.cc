// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/verb.h"

ACME_VERB("disasm", "print Acme bytecode, or that of a compiled module, as text", acme::DisasmMain)

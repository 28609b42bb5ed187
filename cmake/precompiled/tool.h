// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CMAKE_PRECOMPILED_TOOL_H_
#define NPUKIT_CMAKE_PRECOMPILED_TOOL_H_

// Not CLI11: its inline classes are compiled anew into every object that sees them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "standard.h"

#endif  // NPUKIT_CMAKE_PRECOMPILED_TOOL_H_

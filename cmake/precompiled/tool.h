// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CMAKE_PRECOMPILED_TOOL_H_
#define NPUKIT_CMAKE_PRECOMPILED_TOOL_H_

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "standard.h"

#endif  // NPUKIT_CMAKE_PRECOMPILED_TOOL_H_

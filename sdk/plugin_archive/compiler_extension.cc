// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/internal/plugin/extension_functions.h"

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CMAKE_PRECOMPILED_TEST_H_
#define NPUKIT_CMAKE_PRECOMPILED_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "standard.h"

#endif  // NPUKIT_CMAKE_PRECOMPILED_TEST_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// All that the packages of wrong.cc differ in.

extern const char kTestPackageName[];
const char kTestPackageName[] = TEST_PACKAGE_NAME;

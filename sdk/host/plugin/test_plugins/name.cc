// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// All that most of the test plugins differ in.

extern const char kTestPluginName[];
const char kTestPluginName[] = TEST_PLUGIN_NAME;

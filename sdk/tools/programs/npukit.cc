// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb.h"

int main(int argc, char** argv) { return npukit::tools::Front(argc, argv); }

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_

namespace npukit::tools {

// Of the project, as CMakeLists.txt has it: "0.1.0".
const char* Version();

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_

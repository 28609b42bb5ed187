// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_

namespace npukit::tools {

// Of the project, as CMakeLists.txt has it: "0.1.0".
const char* Version();

// The ABIs that a plugin may be built for with the SDK (npukit/abi.h): "2.1, 2.2, 2.3". They are LiteRT's, and change with it.
const char* PluginAbis();

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERSION_H_

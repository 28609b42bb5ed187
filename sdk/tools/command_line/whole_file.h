// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Errors name the file and say what the system says.
litert::Expected<std::vector<uint8_t>> ReadWholeFile(const std::string& path);
litert::Expected<void> WriteWholeFile(const std::string& path, std::span<const uint8_t> bytes);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Errors name the file and say what the system says. A file that ends in an error is one, too: what
// std::ifstream does with that is left to the library, which throws or gives the first part for all.
litert::Expected<std::vector<uint8_t>> ReadWholeFile(const std::string& path);
litert::Expected<std::string> ReadWholeText(const std::string& path);
// Of what a file or an option names: no pipe that nobody writes to, and no more than `max_bytes`.
litert::Expected<std::vector<uint8_t>> ReadRegularFile(const std::string& path,
                                                       size_t max_bytes = SIZE_MAX);
litert::Expected<void> WriteWholeFile(const std::string& path, std::span<const uint8_t> bytes);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_WHOLE_FILE_H_

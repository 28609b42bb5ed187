// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files read and written whole.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_FILE_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_FILE_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// NotFound if the file can't be read, or is no regular file.
litert::Expected<std::string> ReadTextFile(const std::string& path);
litert::Expected<void> WriteTextFile(const std::string& path, const std::string& text);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_FILE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_INVALID_ARGUMENT_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_INVALID_ARGUMENT_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// What readers of files and options say of what they cannot take.
inline litert::Unexpected InvalidArgument(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_INVALID_ARGUMENT_H_

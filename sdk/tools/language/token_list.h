// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Token numbers as they are written on the command line: "1 2 3" or "1,2,3".

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_LIST_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_LIST_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Numbers from 0 on, at least one. The error names `flag` and what is no number.
litert::Expected<std::vector<int32_t>> ParseTokens(std::string_view flag, std::string_view text);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_LIST_H_

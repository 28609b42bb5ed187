// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_TENSORS_TEXT_NUMBERS_H_
#define NPUKIT_SDK_TOOLS_TENSORS_TEXT_NUMBERS_H_

#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Numbers as people write them: between them spaces, new lines, commas, semicolons, brackets; # begins a
// comment. nan, inf, true and false are numbers too.
struct TextNumbers {
  std::vector<long double> numbers;
  bool are_floats = false;  // one has a point, an exponent, or is no number
};

// An error quotes what is no number, and its line.
litert::Expected<TextNumbers> ParseTextNumbers(std::string_view text);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_TEXT_NUMBERS_H_

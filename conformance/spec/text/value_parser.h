// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// YAML text to Value. The text is not trusted: size, depth and the number of values that aliases
// expand to are bounded, and a key that stands twice is an error.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_PARSER_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_PARSER_H_

#include <string>
#include <string_view>

#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

inline constexpr size_t kMaxSpecFileBytes = 8u << 20;
inline constexpr size_t kMaxSpecValues = 1u << 20;
inline constexpr int kMaxSpecDepth = 64;

// `file` appears in messages only.
litert::Expected<Value> ParseValue(std::string_view yaml, const std::string& file);
// Error NotFound if the file can't be read, InvalidArgument with line and column if it can't be
// parsed.
litert::Expected<Value> ParseValueFile(const std::string& path);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_VALUE_PARSER_H_

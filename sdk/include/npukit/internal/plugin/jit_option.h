// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_JIT_OPTION_H_
#define NPUKIT_INTERNAL_PLUGIN_JIT_OPTION_H_

// Whether a vendor's options ask for compilation in memory, as LiteRT's vendors have it: opaque
// options whose payload is text in TOML, ended by a zero, with the key enable_just_in_time.

#include <optional>
#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "npukit/compile_spec.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The value under the key in "key = value" lines; nothing if it is not there, or neither true nor
// false.
inline std::optional<bool> FindJitOption(const std::string& toml) {
  const auto trimmed = [](const std::string& text) {
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return std::string();
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  };
  std::optional<bool> found;
  for (size_t begin = 0; begin < toml.size();) {
    const size_t end = toml.find('\n', begin);
    const std::string line = toml.substr(begin, end - begin);
    begin = end == std::string::npos ? toml.size() : end + 1;
    const size_t equals = line.find('=');
    if (equals == std::string::npos || trimmed(line.substr(0, equals)) != NPUKIT_SPEC_ENABLE_JIT) {
      continue;
    }
    const std::string rest = line.substr(equals + 1);
    const std::string value = trimmed(rest.substr(0, rest.find('#')));
    if (value == "true") found = true;
    if (value == "false") found = false;
  }
  return found;
}

// Nothing without options or with a null identifier, too.
inline std::optional<bool> ReadJitOption(LiteRtOptions options, const char* identifier) {
  LiteRtOpaqueOptions opaque = nullptr;
  void* payload = nullptr;
  if (options == nullptr || identifier == nullptr ||
      LiteRtGetOpaqueOptions(options, &opaque) != kLiteRtStatusOk || opaque == nullptr ||
      LiteRtFindOpaqueOptionsData(opaque, identifier, &payload) != kLiteRtStatusOk ||
      payload == nullptr) {
    return std::nullopt;
  }
  return FindJitOption(static_cast<const char*>(payload));
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_JIT_OPTION_H_

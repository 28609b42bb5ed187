// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SOURCE_LOCATION_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SOURCE_LOCATION_H_

#include <cstdint>

namespace litert {

// The part of std::source_location that error messages need, for C++17.
class SourceLocation {
  // Keeps callers from passing their own file and line.
  struct CallSite {};

 public:
  // The file and line of the caller.
  static constexpr SourceLocation current(CallSite = CallSite{},
                                          const char* file = __builtin_FILE(),
                                          uint32_t line = __builtin_LINE()) {
    return SourceLocation(file, line);
  }

  constexpr const char* file_name() const { return file_; }
  constexpr uint32_t line() const { return line_; }

 private:
  constexpr SourceLocation(const char* file, uint32_t line) : file_(file), line_(line) {}

  const char* file_;
  uint32_t line_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SOURCE_LOCATION_H_

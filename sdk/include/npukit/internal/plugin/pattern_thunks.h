// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_PATTERN_THUNKS_H_
#define NPUKIT_INTERNAL_PLUGIN_PATTERN_THUNKS_H_

// Patterns (LiteRtTransformation) as hosts of either kind call them: LiteRT put its table of
// functions before the two arguments, in the same struct.

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Functions that leave the first argument out, one place for each pattern of the library. A pattern
// keeps its place as long as the library is loaded.
class PatternThunks {
 public:
  using Pattern = CompilerPlugin::Pattern;
  using WithContext = LiteRtStatus (*)(const void* context, LiteRtBuilder builder, LiteRtOp op);

  // Null if all places are taken.
  static WithContext For(Pattern pattern) {
    const std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < kPlaces; ++i) {
      if (patterns[i] != nullptr && patterns[i] != pattern) continue;
      patterns[i] = pattern;
      return Functions(std::make_index_sequence<kPlaces>())[i];
    }
    return nullptr;
  }

 private:
  static constexpr size_t kPlaces = 128;
  __attribute__((visibility("hidden"))) static inline std::mutex mutex;
  __attribute__((visibility("hidden"))) static inline std::array<Pattern, kPlaces> patterns = {};

  template <size_t kPlace>
  static LiteRtStatus Call(const void*, LiteRtBuilder builder, LiteRtOp op) {
    return patterns[kPlace](builder, op);
  }
  template <size_t... kAll>
  static std::array<WithContext, kPlaces> Functions(std::index_sequence<kAll...>) {
    return {&Call<kAll>...};
  }
};

// One field holds either kind of pattern.
using AnyFunction = void (*)();

// The plugin's transformations as its host calls them.
inline ::litert::Expected<void> LendTransformations(CompilerPlugin& plugin, bool with_context) {
  std::vector<LiteRtTransformation>& lent = plugin.lent_transformations();
  lent.clear();
  for (const CompilerPlugin::Transformation& own : plugin.transformations()) {
    AnyFunction pattern = reinterpret_cast<AnyFunction>(own.pattern);
    if (with_context && own.pattern != nullptr) {
      pattern = reinterpret_cast<AnyFunction>(PatternThunks::For(own.pattern));
      if (pattern == nullptr) {
        return ::litert::Unexpected(
            ::litert::Status::kErrorUnsupported,
            ::litert::internal::Text({"no place for the transformation '", own.name, "'"}));
      }
    }
    lent.push_back(
        LiteRtTransformation{reinterpret_cast<LiteRtPatternFn>(pattern), own.name, own.benefit});
  }
  return {};
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_PATTERN_THUNKS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_API_TYPES_H_
#define ODML_LITERT_LITERT_CC_LITERT_API_TYPES_H_

// The vocabulary types of LiteRT v2.2.0's wrappers, by their names there. LiteRT takes them from
// abseil; these are of the standard library or npukit's own, and convert to and from abseil's
// views.

#include <cstddef>
#include <functional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {

using StringView = internal::StringView;

template <typename T>
using Span = internal::Span<T>;

template <typename K, typename V, typename Hash = std::hash<K>, typename Eq = std::equal_to<K>>
using FlatHashMap = std::unordered_map<K, V, Hash, Eq>;

// Unlike abseil's, copyable, so what it holds must be too.
template <typename Signature>
using AnyInvocable = std::function<Signature>;

template <typename T, size_t N>
using SmallVector = std::vector<T>;

namespace internal {

template <typename T>
constexpr Span<T> MakeLiteRtSpan(T* data, size_t size) {
  return Span<T>(data, size);
}
template <typename Container>
constexpr auto MakeLiteRtSpan(Container& container) -> Span<typename Container::value_type> {
  return {container.data(), container.size()};
}
template <typename T>
constexpr Span<const T> MakeLiteRtConstSpan(const T* data, size_t size) {
  return Span<const T>(data, size);
}
template <typename T, size_t N>
constexpr Span<const T> MakeLiteRtConstSpan(const T (&data)[N]) {
  return Span<const T>(data, N);
}
template <typename Container>
constexpr auto MakeLiteRtConstSpan(const Container& container)
    -> Span<const typename Container::value_type> {
  return {container.data(), container.size()};
}

// Empty for null.
constexpr StringView NullSafeStringView(const char* text) {
  return text == nullptr ? StringView() : StringView(text);
}

// Calls a function when it goes out of scope.
template <typename Function>
class Cleanup {
 public:
  explicit Cleanup(Function function) : function_(std::move(function)) {}
  Cleanup(Cleanup&& other) noexcept
      : function_(std::move(other.function_)), is_active_(std::exchange(other.is_active_, false)) {}
  Cleanup& operator=(Cleanup&&) = delete;
  ~Cleanup() {
    if (is_active_) function_();
  }

 private:
  Function function_;
  bool is_active_ = true;
};

template <typename Function>
Cleanup<std::decay_t<Function>> MakeCleanup(Function&& function) {
  return Cleanup<std::decay_t<Function>>(std::forward<Function>(function));
}

}  // namespace internal
}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_API_TYPES_H_

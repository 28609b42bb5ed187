// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_DETAIL_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_DETAIL_H_

// Small compile-time and run-time helpers that the wrappers and plugins share.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_common.h"

namespace litert {

template <typename T>
using RemoveCvRefT = std::remove_cv_t<std::remove_reference_t<T>>;

// Select<C1, T1, C2, T2, ...>::type is the T after the first C whose ::value is
// true, or std::monostate.
template <typename... Branches>
struct Select {
  using type = std::monostate;
};
template <typename Cond, typename T, typename... Rest>
struct Select<Cond, T, Rest...> {
  using type = std::conditional_t<Cond::value, T, typename Select<Rest...>::type>;
};
template <typename... Branches>
using SelectT = typename Select<Branches...>::type;

template <typename... Ts>
struct TypeList {
  static constexpr size_t kSize = sizeof...(Ts);
};

// The first N elements of a vector of at least N, moved into an array.
template <typename T, size_t... Is>
std::array<T, sizeof...(Is)> VecToArrayHelper(std::vector<T>&& v, std::index_sequence<Is...>) {
  if (v.size() < sizeof...(Is)) std::abort();
  return std::array<T, sizeof...(Is)>{std::move(v[Is])...};
}
template <size_t N, typename T>
std::array<T, N> VecToArray(std::vector<T>&& v) {
  return VecToArrayHelper(std::move(v), std::make_index_sequence<N>());
}

// std::construct_at for C++17.
template <class T, class... Args>
T* ConstructAt(T* p, Args&&... args) {
  return ::new (static_cast<void*>(p)) T(std::forward<Args>(args)...);
}

// Whether `pred(l, r)` holds for all pairs of two sequences of one length.
template <typename Left, typename Right, typename Pred>
bool AllZip(const Left& lhs, const Right& rhs, Pred pred) {
  return lhs.size() == rhs.size() &&
         std::equal(std::begin(lhs), std::end(lhs), std::begin(rhs), pred);
}

// Whether `pred(l, r)` holds for any pair. True for two different lengths.
template <typename Left, typename Right, typename Pred>
bool AnyZip(const Left& lhs, const Right& rhs, Pred pred) {
  return !AllZip(lhs, rhs, [&](const auto& l, const auto& r) { return !pred(l, r); });
}

template <class It, class T>
bool Contains(It begin, It end, const T& val) {
  return std::find(begin, end, val) != end;
}

template <class It, class Pred>
bool ContainsIf(It begin, It end, Pred pred) {
  return std::find_if(begin, end, pred) != end;
}

// The index of the first element equal to `val`.
template <class T, class It>
std::optional<size_t> FindInd(It begin, It end, T val) {
  const It it = std::find(begin, end, val);
  if (it == end) return std::nullopt;
  return static_cast<size_t>(std::distance(begin, it));
}

// The mean, or the type's largest value for an empty range.
template <typename It>
auto Avg(It begin, It end) -> RemoveCvRefT<decltype(*std::declval<It>())> {
  using T = RemoveCvRefT<decltype(*begin)>;
  const auto size = std::distance(begin, end);
  if (size == 0) return std::numeric_limits<T>::max();
  return std::accumulate(begin, end, T{}) / static_cast<T>(size);
}

inline bool StartsWith(internal::StringView str, internal::StringView prefix) {
  return str.substr(0, prefix.size()) == prefix;
}

inline bool EndsWith(internal::StringView str, internal::StringView suffix) {
  return str.size() >= suffix.size() && str.substr(str.size() - suffix.size()) == suffix;
}

// `val / divisor`, rounded up.
template <typename T>
constexpr T Ceil(T val, T divisor) {
  return (val + divisor - 1) / divisor;
}

namespace internal {

// End the process when a call on a handle does not answer as it must: the
// handle is null or dangling, which only the calling code can be wrong about.
template <class F, class Want, typename... Args>
void AssertEq(F get, Want want, Args&&... args) {
  const auto got = get(std::forward<Args>(args)...);
  if (!(got == want)) {
    std::fprintf(stderr, "litert: a C API call answered %lld, not %lld\n",
                 static_cast<long long>(got), static_cast<long long>(want));
    std::abort();
  }
}

template <class F, typename... Args>
void AssertTrue(F get, Args&&... args) {
  AssertEq(get, true, std::forward<Args>(args)...);
}

template <class F, typename... Args>
void AssertOk(F get, Args&&... args) {
  const LiteRtStatus status = get(std::forward<Args>(args)...);
  if (status != kLiteRtStatusOk) {
    std::fprintf(stderr, "litert: a C API call answered %s\n", StatusString(status));
    std::abort();
  }
}

// All `count(owner)` items of `get(owner, i)`, each wrapped in an Out.
template <class Out, class Owner, class Item>
std::vector<Out> Collect(Owner owner, LiteRtStatus (*count)(Owner, LiteRtParamIndex*),
                         LiteRtStatus (*get)(Owner, LiteRtParamIndex, Item*)) {
  LiteRtParamIndex size = 0;
  AssertOk(count, owner, &size);
  std::vector<Out> items;
  items.reserve(size);
  for (LiteRtParamIndex i = 0; i < size; ++i) {
    Item item{};
    AssertOk(get, owner, i, &item);
    items.emplace_back(Out(item));
  }
  return items;
}

}  // namespace internal
}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_DETAIL_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SPAN_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SPAN_H_

// A view of contiguous elements, for C++17. Stands where LiteRT's wrappers say
// absl::Span, and converts implicitly to and from it (and std::span, vectors,
// arrays) because all of them have data() and size(). Does not own.

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace litert::internal {

template <class T>
class Span;

// C has data() whose elements are T (or T without const), and size().
template <class C, class T, class = void>
inline constexpr bool kViewsAs = false;
template <class C, class T>
inline constexpr bool kViewsAs<
    C, T, std::void_t<decltype(std::declval<C&>().data()), decltype(std::declval<C&>().size())>> =
    std::is_convertible_v<std::remove_pointer_t<decltype(std::declval<C&>().data())> (*)[],
                          T (*)[]>;

template <class T>
class Span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using pointer = T*;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}

  // NOLINTBEGIN(*-explicit-constructor)
  template <size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}

  template <class C, class = std::enable_if_t<!std::is_array_v<std::remove_reference_t<C>> &&
                                              !std::is_same_v<std::decay_t<C>, Span> &&
                                              kViewsAs<std::remove_reference_t<C>, T>>>
  constexpr Span(C&& container) : data_(container.data()), size_(container.size()) {}

  // For arguments, as {a, b}: the list lives until the call returns.
  template <class Item = T, class = std::enable_if_t<std::is_const_v<Item>>>
  constexpr Span(std::initializer_list<value_type> list) : Span(list.begin(), list.size()) {}
  // NOLINTEND(*-explicit-constructor)

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr size_t length() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }

  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T& at(size_t i) const { return data_[i]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const_iterator cbegin() const { return data_; }
  constexpr const_iterator cend() const { return data_ + size_; }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }

  // At most `count` elements from `first` on; empty when `first` is past the
  // end.
  constexpr Span subspan(size_t first, size_t count = static_cast<size_t>(-1)) const {
    if (first > size_) return Span();
    const size_t left = size_ - first;
    return Span(data_ + first, count < left ? count : left);
  }
  constexpr Span first(size_t count) const { return subspan(0, count); }
  constexpr Span last(size_t count) const { return count < size_ ? subspan(size_ - count) : *this; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
constexpr Span<T> MakeSpan(T* data, size_t size) {
  return Span<T>(data, size);
}

template <class T>
constexpr Span<const T> MakeConstSpan(const T* data, size_t size) {
  return Span<const T>(data, size);
}

template <class C>
constexpr auto MakeConstSpan(const C& c) -> Span<const std::remove_pointer_t<decltype(c.data())>> {
  return {c.data(), c.size()};
}

// Element by element.
template <class T, class U>
constexpr bool operator==(Span<T> a, Span<U> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}
template <class T, class U>
bool operator==(Span<T> a, const std::vector<U>& b) {
  return a == Span<const U>(b);
}
template <class T, class C>
constexpr auto operator!=(Span<T> a, const C& b) -> decltype(a == b) {
  return !(a == b);
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SPAN_H_

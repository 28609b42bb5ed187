// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_STRING_VIEW_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_STRING_VIEW_H_

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace litert::internal {

// A string view that is not std::string_view, known by its shape.
template <class S, class = void>
inline constexpr bool kIsOtherView = false;
template <class S>
inline constexpr bool
    kIsOtherView<S, std::void_t<decltype(std::declval<S&>().remove_prefix(1)),
                                decltype(S(static_cast<const char*>(nullptr), size_t{0}))>> =
        !std::is_base_of_v<std::string_view, S>;

// A std::string_view that also converts to and from other string views, which
// absl::string_view is where abseil was built for C++14.
class StringView : public std::string_view {
 public:
  using std::string_view::string_view;

  // NOLINTBEGIN(*-explicit-constructor)
  constexpr StringView() = default;
  constexpr StringView(std::string_view view) : std::string_view(view) {}
  template <class S, class = std::enable_if_t<std::is_convertible_v<const S&, std::string_view> ||
                                              kIsOtherView<S>>>
  constexpr StringView(const S& s) : std::string_view(From(s)) {}

  template <class S, class = std::enable_if_t<kIsOtherView<S>>>
  constexpr operator S() const {
    return S(data(), size());
  }
  // NOLINTEND(*-explicit-constructor)

 private:
  template <class S>
  static constexpr std::string_view From(const S& s) {
    if constexpr (kIsOtherView<S>) {
      return std::string_view(s.data(), s.size());
    } else {
      return s;
    }
  }
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_STRING_VIEW_H_

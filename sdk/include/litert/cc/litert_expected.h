// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_
#define ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_

// Expected<T>: either a T or an Error (status code and message). The error type
// of the whole SDK and of the host. Needs nothing at link time.

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_error.h"
#include "litert/cc/internal/litert_expected_storage.h"
#include "litert/cc/litert_common.h"

namespace litert {

class ErrorStatusBuilder;
template <class T>
class Expected;

namespace internal {

// Ends the process: a value was read from an Expected that holds an error, or
// the reverse. Always a mistake in the calling code, never bad input.
[[noreturn]] inline void DieOnBadAccess(const char* what) {
  std::fprintf(stderr, "litert::Expected: %s\n", what);
  std::abort();
}

template <class T>
struct IsExpected : std::false_type {};
template <class T>
struct IsExpected<Expected<T>> : std::true_type {};

// Types that become an error inside an Expected, whatever else they convert to.
template <class U>
inline constexpr bool kCarriesError = std::is_same_v<U, Error> || std::is_same_v<U, Unexpected> ||
                                      std::is_same_v<U, ErrorStatusBuilder> || IsExpected<U>::value;

}  // namespace internal

// A value of type T or an Error. T may be a reference. Owns what it holds.
//
//   Expected<Foo> MakeFoo() {
//     if (!ok) return Unexpected(Status::kErrorInvalidArgument, "rank is 0");
//     return Foo();
//   }
//
// Reading the value of an Expected that holds an error (or the reverse) ends
// the process: test it first. As safe to share between threads as a T.
template <class T>
class Expected
    : private internal::ExpectedStorage<internal::ExpectedValue<T>>,
      private internal::CopyableIf<std::is_copy_constructible_v<internal::ExpectedValue<T>>> {
  using Storage = internal::ExpectedStorage<internal::ExpectedValue<T>>;
  using Value_ = typename Storage::ValueTag;
  using Error_ = typename Storage::ErrorTag;

 public:
  using StorageType = internal::ExpectedValue<T>;

  using value_type = std::decay_t<T>;
  using pointer = std::remove_reference_t<T>*;
  using const_pointer = const value_type*;
  using reference = std::remove_reference_t<T>&;
  using const_reference = const value_type&;

  // NOLINTBEGIN(*-explicit-constructor)

  template <class U>
  Expected(std::initializer_list<U> il) : Storage(Value_{}, il) {}

  // Builds the T in place.
  template <class... Args,
            class = std::enable_if_t<!(sizeof...(Args) == 1 &&
                                       (internal::kCarriesError<std::decay_t<Args>> && ...)) &&
                                     std::is_constructible_v<StorageType, Args...>>>
  explicit Expected(Args&&... args) : Storage(Value_{}, std::forward<Args>(args)...) {}

  Expected(reference t) : Storage(Value_{}, t) {}

  template <class U, class = std::enable_if_t<std::is_same_v<std::decay_t<U>, value_type>>>
  Expected(const U& t) : Storage(Value_{}, t) {}

  Expected(value_type&& t) : Storage(Value_{}, std::move(t)) {}

  // From something else that converts to a T of class type, so that
  // `return "text";` makes an Expected<std::string>.
  template <class U,
            class = std::enable_if_t<
                std::is_class_v<T> && !internal::kCarriesError<std::decay_t<U>> &&
                !std::is_same_v<std::decay_t<U>, value_type> && std::is_convertible_v<U&&, T>>,
            class = void>
  Expected(U&& u) : Storage(Value_{}, std::forward<U>(u)) {}

  Expected(const Unexpected& err) : Storage(Error_{}, err) {}
  Expected(Unexpected&& err) : Storage(Error_{}, std::move(err)) {}
  Expected(const class Error& e) : Storage(Error_{}, e) {}
  Expected(class Error&& e) : Storage(Error_{}, std::move(e)) {}

  // NOLINTEND(*-explicit-constructor)

  const_reference Value() const& {
    CheckValue();
    return this->value_;
  }
  reference Value() & {
    CheckValue();
    return this->value_;
  }
  // Not from temporaries: test the Expected first.
  reference& Value() const&& = delete;
  reference& Value() && = delete;

  const_pointer operator->() const& { return &Value(); }
  pointer operator->() & { return &Value(); }
  const_pointer operator->() const&& = delete;
  pointer operator->() && = delete;

  const_reference operator*() const& { return Value(); }
  reference operator*() & { return Value(); }
  reference& operator*() const&& = delete;
  reference& operator*() && = delete;

  const class Error& Error() const& {
    CheckError();
    return this->unexpected_.Error();
  }
  class Error& Error() & {
    CheckError();
    return this->unexpected_.Error();
  }
  const class Error&& Error() const&& = delete;
  class Error&& Error() && = delete;

  bool HasValue() const { return this->has_value_; }
  explicit operator bool() const { return HasValue(); }

 private:
  void CheckValue() const {
    if (!HasValue()) {
      internal::DieOnBadAccess(Error().ToString().c_str());
    }
  }
  void CheckError() const {
    if (HasValue()) {
      internal::DieOnBadAccess("Error() called, but it holds a value");
    }
  }
};

template <class T>
Expected(const T&) -> Expected<T>;

template <class T>
Expected(T&&) -> Expected<T>;

// Success without a value (`return {};`) or an Error.
template <>
class Expected<void> {
 public:
  Expected() = default;

  // NOLINTBEGIN(*-explicit-constructor)
  Expected(const Unexpected& err) : unexpected_(err) {}
  Expected(Unexpected&& err) : unexpected_(std::move(err)) {}
  Expected(const Error& e) : unexpected_(e) {}
  Expected(class Error&& e) : unexpected_(std::move(e)) {}
  // NOLINTEND(*-explicit-constructor)

  const class Error& Error() const& {
    CheckError();
    return unexpected_->Error();
  }
  class Error& Error() & {
    CheckError();
    return unexpected_->Error();
  }
  const class Error&& Error() const&& {
    CheckError();
    return std::move(unexpected_->Error());  // NOLINT(performance-move-const-arg)
  }
  class Error&& Error() && {
    CheckError();
    return std::move(unexpected_->Error());
  }

  bool HasValue() const { return !unexpected_.has_value(); }
  explicit operator bool() const { return HasValue(); }

 private:
  void CheckError() const {
    if (HasValue()) {
      internal::DieOnBadAccess("Error() called, but it holds success");
    }
  }

  std::optional<Unexpected> unexpected_;
};

// For absl::StrCat and friends, where absl is there: the error, or a note that
// there is a value.
template <class Sink, class T>
void AbslStringify(Sink& sink, const Expected<T>& expected) {
  // NOLINTBEGIN(bugprone-branch-clone): one branch a type
  if (!expected.HasValue()) {
    sink.Append(expected.Error().ToString());
  } else if constexpr (std::is_void_v<T>) {
    sink.Append("void expected value");
  } else if constexpr (std::is_arithmetic_v<T>) {
    sink.Append(std::to_string(expected.Value()));
  } else if constexpr (std::is_convertible_v<const T&, std::string>) {
    sink.Append(std::string(expected.Value()));
  } else {
    sink.Append("unformattable expected value");
  }
  // NOLINTEND(bugprone-branch-clone)
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_
#define ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_

// Expected<T>: either a T or an Error (status code and message). The error type
// of the whole SDK and of the host. Needs nothing at link time.

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"

namespace litert {

class ErrorStatusBuilder;
template <class T>
class Expected;

// What went wrong: a status other than kOk, and a message that may be empty.
class Error {
 public:
  explicit Error(::litert::Status status, std::string message = "")
      : status_(static_cast<LiteRtStatus>(status)), message_(std::move(message)) {
    assert(status_ != kLiteRtStatusOk);
  }

  explicit Error(LiteRtStatus status, std::string message = "")
      : Error(ToStatus(status), std::move(message)) {}

  constexpr ::litert::Status StatusCC() const { return ToStatus(status_); }
  constexpr LiteRtStatus Status() const { return status_; }

  const std::string& Message() const { return message_; }

  // "kLiteRtStatusErrorNotFound: no such tensor", or the name alone.
  std::string ToString() const {
    return internal::Text(
        {internal::StatusString(status_), message_.empty() ? "" : ": ", message_});
  }

  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream,
                                                      const Error& error) {
    return stream << error.ToString();
  }

  template <class Sink>
  friend void AbslStringify(Sink& sink, const Error& error) {
    sink.Append(error.ToString());
  }

 private:
  LiteRtStatus status_;
  std::string message_;
};

// An Error on its way into an Expected.
class Unexpected {
 public:
  explicit Unexpected(Status status, std::string message = "")
      : error_(status, std::move(message)) {}

  explicit Unexpected(LiteRtStatus status, std::string message = "")
      : error_(status, std::move(message)) {}

  template <class First, class... Rest,
            class = std::enable_if_t<!std::is_same_v<std::decay_t<First>, Status> &&
                                     !std::is_same_v<std::decay_t<First>, LiteRtStatus> &&
                                     !std::is_same_v<std::decay_t<First>, Unexpected> &&
                                     std::is_constructible_v<class Error, First, Rest...>>>
  explicit Unexpected(First&& first, Rest&&... rest)
      : error_(std::forward<First>(first), std::forward<Rest>(rest)...) {}

  // NOLINTNEXTLINE(*-explicit-constructor)
  Unexpected(class Error&& error) : error_(std::move(error)) {}

  constexpr const class Error& Error() const& noexcept { return error_; }
  constexpr class Error& Error() & noexcept { return error_; }
  constexpr const class Error&& Error() const&& noexcept { return std::move(error_); }
  constexpr class Error&& Error() && noexcept { return std::move(error_); }

  template <class Sink>
  friend void AbslStringify(Sink& sink, const Unexpected& unexpected) {
    AbslStringify(sink, unexpected.Error());
  }

 private:
  class Error error_;
};

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

// A T or an Unexpected. Copies and moves as they do; assignment destroys and
// builds anew when the kind changes.
template <class T>
class ExpectedStorage {
 public:
  struct ValueTag {};
  struct ErrorTag {};

  template <class... Args>
  explicit ExpectedStorage(ValueTag, Args&&... args)
      : has_value_(true), value_(std::forward<Args>(args)...) {}
  template <class E>
  explicit ExpectedStorage(ErrorTag, E&& error)
      : has_value_(false), unexpected_(std::forward<E>(error)) {}

  ExpectedStorage(const ExpectedStorage& other) { Build(other); }
  ExpectedStorage(ExpectedStorage&& other) noexcept { Build(std::move(other)); }
  ExpectedStorage& operator=(const ExpectedStorage& other) {
    if (this != &other) {
      ExpectedStorage copy(other);
      *this = std::move(copy);
    }
    return *this;
  }
  ExpectedStorage& operator=(ExpectedStorage&& other) noexcept {
    if (this != &other) {
      Destroy();
      Build(std::move(other));
    }
    return *this;
  }
  ~ExpectedStorage() { Destroy(); }

 protected:
  template <class Other>
  void Build(Other&& other) {
    has_value_ = other.has_value_;
    if (has_value_) {
      ::new (static_cast<void*>(std::addressof(value_))) T(std::forward<Other>(other).value_);
    } else {
      ::new (static_cast<void*>(std::addressof(unexpected_)))
          Unexpected(std::forward<Other>(other).unexpected_);
    }
  }
  void Destroy() {
    if (has_value_) {
      value_.~T();
    } else {
      unexpected_.~Unexpected();
    }
  }

  bool has_value_;
  union {
    T value_;
    Unexpected unexpected_;
  };
};

// As a base: takes copying away from a class whose T has none.
template <bool kCopyable>
struct CopyableIf {};
template <>
struct CopyableIf<false> {
  CopyableIf() = default;
  CopyableIf(const CopyableIf&) = delete;
  CopyableIf(CopyableIf&&) = default;
  CopyableIf& operator=(const CopyableIf&) = delete;
  CopyableIf& operator=(CopyableIf&&) = default;
};

template <class T>
using ExpectedValue = std::conditional_t<std::is_reference_v<T>,
                                         std::reference_wrapper<std::remove_reference_t<T>>, T>;

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
    return std::move(unexpected_->Error());
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
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_EXPECTED_H_

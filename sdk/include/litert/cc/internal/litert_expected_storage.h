// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXPECTED_STORAGE_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXPECTED_STORAGE_H_

// What an Expected keeps: by hand, because std::variant costs every file that
// includes this much compile time.

#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "litert/cc/internal/litert_error.h"

namespace litert::internal {

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

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXPECTED_STORAGE_H_

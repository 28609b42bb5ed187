// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_H_

// The error half of litert_expected.h.

#include <cassert>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"

namespace litert {

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
  constexpr const class Error&& Error() const&& noexcept { return std::move(error_); }  // NOLINT
  constexpr class Error&& Error() && noexcept { return std::move(error_); }

  template <class Sink>
  friend void AbslStringify(Sink& sink, const Unexpected& unexpected) {
    AbslStringify(sink, unexpected.Error());
  }

 private:
  class Error error_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_STATUS_BUILDER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_STATUS_BUILDER_H_

// The object behind the macros of litert_macros.h: an error on its way up the
// call stack, which turns into whatever the enclosing function returns.
// Needs nothing at link time: logging goes through a hook that
// cc/internal/litert_logging.h sets.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_absl_status.h"
#include "litert/cc/internal/litert_source_location.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"

// Error paths stay out of the callers' code: it is smaller, and compiles in
// half the time.
#define LITERT_INTERNAL_COLD __attribute__((noinline, cold))

namespace litert {

namespace internal {

// Receives a message that would otherwise be lost when an error with a text
// becomes a bare LiteRtStatus. Null: such messages are dropped. Set once,
// during static initialisation; one per shared library.
using ErrorLogHook = void (*)(LiteRtLogSeverity severity, const char* message);
__attribute__((visibility("hidden"))) inline ErrorLogHook error_log_hook = nullptr;

}  // namespace internal

// Converts implicitly to LiteRtStatus, to Expected<T>, and to absl::Status and
// absl::StatusOr<T> where absl is there. On the way, `<<` puts context before
// the message: "extra: message". Converting to LiteRtStatus logs the message,
// if there is one, as an error or as the Log...() functions say.
class ErrorStatusBuilder {
 public:
  // How a type that may be an error is read: specializations give IsError()
  // and AsError().
  template <class T, class = void>
  struct ErrorConversion;

  static ErrorStatusBuilder InvalidArgument(SourceLocation loc = SourceLocation::current()) {
    return ErrorStatusBuilder(kLiteRtStatusErrorInvalidArgument, loc);
  }

  static ErrorStatusBuilder WrongVersion(SourceLocation loc = SourceLocation::current()) {
    return ErrorStatusBuilder(kLiteRtStatusErrorWrongVersion, loc);
  }

  template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, ErrorStatusBuilder>>>
  explicit ErrorStatusBuilder(T&& error, SourceLocation loc = SourceLocation::current())
      : error_(AsError(std::forward<T>(error))), loc_(loc) {}

  explicit ErrorStatusBuilder(Error error, SourceLocation loc = SourceLocation::current())
      : error_(std::move(error)), loc_(loc) {}

  ErrorStatusBuilder(ErrorStatusBuilder&&) = default;
  ErrorStatusBuilder& operator=(ErrorStatusBuilder&&) = default;
  LITERT_INTERNAL_COLD ~ErrorStatusBuilder() {}  // NOLINT(*-use-equals-default)

  // NOLINTBEGIN(*-explicit-constructor)
  LITERT_INTERNAL_COLD operator LiteRtStatus() const noexcept {
    PrintLog();
    return error_.Status();
  }

  template <class T>
  operator Expected<T>() const noexcept {
    return ToUnexpected();
  }

  template <class S, class = std::enable_if_t<internal::kIsAbslStatusOrStatusOr<S>>, class = void>
  operator S() const noexcept {
    return internal::ToAbslStatus<internal::AbslStatusOf<S>>(error_.Status(), Message());
  }
  // NOLINTEND(*-explicit-constructor)

  template <class T>
  static constexpr bool IsError(T&& value) {
    return ErrorConversion<std::decay_t<T>>::IsError(std::forward<T>(value));
  }

  template <class T>
  static Error AsError(T&& value) {
    return ErrorConversion<std::decay_t<T>>::AsError(std::forward<T>(value));
  }

  LITERT_INTERNAL_COLD Unexpected ToUnexpected() const {
    return Unexpected(error_.Status(), Message());
  }

  // Sends "[file:line] message" to the log hook, if there is a message.
  LITERT_INTERNAL_COLD void PrintLog() const noexcept {
    if (internal::error_log_hook == nullptr || log_level_ == kLiteRtLogSeveritySilent) {
      return;
    }
    if (const std::string message = Message(); !message.empty()) {
      internal::error_log_hook(log_level_, Located(message).c_str());
    }
  }

  // Adds to the context that comes before the error's own message.
  template <class T>
  ErrorStatusBuilder& operator<<(T&& val) {
    if (!context_) context_ = std::make_unique<std::ostringstream>();
    *context_ << static_cast<T&&>(val);
    return *this;
  }

  ErrorStatusBuilder& Log(LiteRtLogSeverity log_level) noexcept {
    log_level_ = log_level;
    return *this;
  }
  ErrorStatusBuilder& LogVerbose() noexcept { return Log(kLiteRtLogSeverityVerbose); }
  ErrorStatusBuilder& LogInfo() noexcept { return Log(kLiteRtLogSeverityInfo); }
  ErrorStatusBuilder& LogWarning() noexcept { return Log(kLiteRtLogSeverityWarning); }
  ErrorStatusBuilder& LogError() noexcept { return Log(kLiteRtLogSeverityError); }
  ErrorStatusBuilder& NoLog() noexcept { return Log(kLiteRtLogSeveritySilent); }

  // "context: message", or whichever of the two there is.
  LITERT_INTERNAL_COLD std::string Message() const {
    std::string message = context_ ? context_->str() : std::string();
    if (!message.empty() && !error_.Message().empty()) message += ": ";
    return message += error_.Message();
  }

  // `message` with the place of the macro in front of it.
  LITERT_INTERNAL_COLD std::string Located(const std::string& message) const {
    return internal::Text({"[", loc_.file_name(), ":", loc_.line(), "] ", message});
  }

  // The whole error for a person: place, status and message.
  LITERT_INTERNAL_COLD std::string Describe() const {
    return Located(Error(error_.StatusCC(), Message()).ToString());
  }

  template <class T>
  static T&& ForwardWrappedValue(Expected<T>& e) {
    return std::move(e.Value());
  }
  template <class T>
  static T& ForwardWrappedValue(Expected<T&>& e) {
    return e.Value();
  }
  template <class S, class = std::enable_if_t<internal::kIsAbslStatusOr<S>>>
  static auto&& ForwardWrappedValue(S& e) {
    return std::move(e).value();
  }

 private:
  Error error_;
  SourceLocation loc_;
  std::unique_ptr<std::ostringstream> context_;
  LiteRtLogSeverity log_level_ = kLiteRtLogSeverityError;
};

template <>
struct ErrorStatusBuilder::ErrorConversion<bool> {
  static constexpr bool IsError(bool value) { return !value; }
  static Error AsError(bool) { return Error(Status::kErrorUnknown); }
};

template <class T>
struct ErrorStatusBuilder::ErrorConversion<T*> : ErrorStatusBuilder::ErrorConversion<bool> {};

template <class T>
struct ErrorStatusBuilder::ErrorConversion<T, std::enable_if_t<std::is_arithmetic_v<T>>>
    : ErrorStatusBuilder::ErrorConversion<bool> {};

template <>
struct ErrorStatusBuilder::ErrorConversion<LiteRtStatus> {
  static constexpr bool IsError(LiteRtStatus value) { return value != kLiteRtStatusOk; }
  static Error AsError(LiteRtStatus value) { return Error(value); }
};

template <>
struct ErrorStatusBuilder::ErrorConversion<Status> {
  static constexpr bool IsError(Status value) { return value != Status::kOk; }
  static Error AsError(Status value) { return Error(value); }
};

template <class T>
struct ErrorStatusBuilder::ErrorConversion<Expected<T>> {
  static bool IsError(const Expected<T>& value) { return !value.HasValue(); }
  static Error AsError(const Expected<T>& value) { return value.Error(); }
  static Error AsError(Expected<T>&& value) {
    Expected<T>& named = value;
    return std::move(named.Error());
  }
};

template <>
struct ErrorStatusBuilder::ErrorConversion<Unexpected> {
  static constexpr bool IsError(const Unexpected&) { return true; }
  static Error AsError(const Unexpected& value) { return value.Error(); }
  static Error AsError(Unexpected&& value) { return std::move(value).Error(); }
};

template <>
struct ErrorStatusBuilder::ErrorConversion<Error> {
  static constexpr bool IsError(const Error&) { return true; }
  static Error AsError(Error value) { return value; }
};

// absl::Status and absl::StatusOr<T>, known by their shape.
template <class S>
struct ErrorStatusBuilder::ErrorConversion<S,
                                           std::enable_if_t<internal::kIsAbslStatusOrStatusOr<S>>> {
  static bool IsError(const S& value) { return !value.ok(); }
  static Error AsError(const S& value) {
    return Error(internal::FromAbslStatus(internal::StatusPart(value)),
                 std::string(internal::StatusPart(value).message()));
  }
};

// Prints the error and ends the process when it goes out of scope, so that
// context can be streamed into it first.
class LogBeforeAbort {
 public:
  explicit LogBeforeAbort(ErrorStatusBuilder builder) : builder_(std::move(builder)) {}
  LogBeforeAbort(const LogBeforeAbort&) = delete;
  LogBeforeAbort& operator=(const LogBeforeAbort&) = delete;

  [[noreturn]] ~LogBeforeAbort() {
    std::fprintf(stderr, "%s\n", builder_.Describe().c_str());
    std::abort();
  }

  template <class T>
  LogBeforeAbort& operator<<(T&& val) {
    builder_ << std::forward<T>(val);
    return *this;
  }

 private:
  ErrorStatusBuilder builder_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ERROR_STATUS_BUILDER_H_

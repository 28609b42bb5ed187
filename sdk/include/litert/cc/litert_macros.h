// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_MACROS_H_
#define ODML_LITERT_LITERT_CC_LITERT_MACROS_H_

// Macros that pass errors on. All of them take a litert::Expected, a
// LiteRtStatus, a bool or pointer (false and null are errors), and an
// absl::Status or absl::StatusOr where absl is there. Needs nothing at link
// time, except LITERT_ENSURE, which logs.

#include <alloca.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_error_status_builder.h"
#include "litert/cc/internal/litert_source_location.h"
#include "litert/cc/litert_abseil.h"  // IWYU pragma: keep
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"

// LITERT_RETURN_IF_ERROR(expr);
// LITERT_RETURN_IF_ERROR(expr) << "context";
// LITERT_RETURN_IF_ERROR(expr, return_value);
//
// If `expr` is an error, returns it, converted to what the function returns.
// `return_value` is evaluated in its place; in it `_` is the
// ErrorStatusBuilder.
#define LITERT_RETURN_IF_ERROR(...)                                                            \
  LITERT_INTERNAL_SELECT_OF_2(__VA_ARGS__, LITERT_RETURN_IF_ERROR_2, LITERT_RETURN_IF_ERROR_1) \
  (__VA_ARGS__)

// LITERT_ASSIGN_OR_RETURN(decl, expr);
// LITERT_ASSIGN_OR_RETURN(decl, expr, return_value);
//
// Moves the value of `expr` into `decl`, or returns its error. In
// `return_value`, `_` is the ErrorStatusBuilder: `_ << "context"`. A `decl`
// with a comma goes into parentheses: (auto [a, b]).
#define LITERT_ASSIGN_OR_RETURN(DECL, ...)                                         \
  LITERT_INTERNAL_SELECT_OF_3(DECL, __VA_ARGS__, LITERT_ASSIGN_OR_RETURN_HELPER_3, \
                              LITERT_ASSIGN_OR_RETURN_HELPER_2)                    \
  (_CONCAT_NAME(expected_value_or_error_, __LINE__), DECL, __VA_ARGS__)

// As LITERT_RETURN_IF_ERROR, but prints the error and ends the process.
#define LITERT_ABORT_IF_ERROR(EXPR)                                          \
  for (auto status = (EXPR); ::litert::ErrorStatusBuilder::IsError(status);) \
  ::litert::LogBeforeAbort(::litert::ErrorStatusBuilder(std::move(status)))

// As LITERT_ASSIGN_OR_RETURN, but prints the error and ends the process.
#define LITERT_ASSIGN_OR_ABORT(DECL, ...)                                         \
  LITERT_INTERNAL_SELECT_OF_3(DECL, __VA_ARGS__, LITERT_ASSIGN_OR_ABORT_HELPER_3, \
                              LITERT_ASSIGN_OR_ABORT_HELPER_2)                    \
  (_CONCAT_NAME(expected_value_or_error_, __LINE__), DECL, __VA_ARGS__)

// Ends the process unless `expr` has the status `code`. For tests and mains.
#define LITERT_CHECK_STATUS_HAS_CODE(expr, code)                                     \
  do {                                                                               \
    const LiteRtStatus litert_status_ = (expr);                                      \
    if (litert_status_ != (code)) {                                                  \
      ::std::fprintf(stderr, "%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #expr, \
                     ::litert::internal::StatusString(litert_status_), #code);       \
      ::std::abort();                                                                \
    }                                                                                \
  } while (false);

#define LITERT_CHECK_STATUS_OK(expr) LITERT_CHECK_STATUS_HAS_CODE(expr, kLiteRtStatusOk);

// Logs `msg` and returns `status` unless `cond` holds.
#define LITERT_ENSURE(cond, status, msg) \
  if (!(cond)) {                         \
    LITERT_LOG(LITERT_ERROR, "%s", msg); \
    return status;                       \
  }

#define LITERT_ENSURE_SUPPORTED(cond, msg) LITERT_ENSURE(cond, kLiteRtStatusErrorUnsupported, msg);

// Returns any status but kLiteRtStatusOk and kLiteRtStatusLegalizeNoMatch.
#define LITERT_RETURN_IF_ERROR_OR_NOT_MATCHED(expr)                          \
  if (LiteRtStatus status = expr;                                            \
      (status != kLiteRtStatusOk && status != kLiteRtStatusLegalizeNoMatch)) \
    return status;

// Declares `ty* var`, `size` elements on the stack, each set to `init`.
#define LITERT_STACK_ARRAY(ty, var, size, init)                      \
  ty* var = static_cast<ty*>(alloca(sizeof(ty) * (size)));           \
  for (ty* litert_e_ = var; litert_e_ < var + (size); ++litert_e_) { \
    *litert_e_ = init;                                               \
  }

// Implementation.

#define LITERT_INTERNAL_SELECT_OF_2(_1, _2, OVERLOAD, ...) OVERLOAD
#define LITERT_INTERNAL_SELECT_OF_3(_1, _2, _3, OVERLOAD, ...) OVERLOAD

#define LITERT_RETURN_IF_ERROR_1(EXPR) LITERT_RETURN_IF_ERROR_2(EXPR, _)

// Loops, which the return leaves, declare `status` and `_`: being no `if`, they
// leave an `else` that follows to an `if` before the macro.
#define LITERT_RETURN_IF_ERROR_2(EXPR, RETURN_VALUE)                       \
  for (auto status = EXPR; ::litert::ErrorStatusBuilder::IsError(status);) \
    for ([[maybe_unused]] ::litert::ErrorStatusBuilder _(std::move(status));;) return RETURN_VALUE

#define LITERT_ASSIGN_OR_RETURN_HELPER_2(TMP_VAR, DECL, EXPR) \
  LITERT_ASSIGN_OR_RETURN_HELPER_3(TMP_VAR, DECL, EXPR, _)

#define LITERT_ASSIGN_OR_RETURN_HELPER_3(TMP_VAR, DECL, EXPR, RETURN_VALUE) \
  auto&& TMP_VAR = (EXPR);                                                  \
  if (::litert::ErrorStatusBuilder::IsError(TMP_VAR)) {                     \
    [[maybe_unused]] ::litert::ErrorStatusBuilder _(std::move(TMP_VAR));    \
    return RETURN_VALUE;                                                    \
  }                                                                         \
  _LITERT_STRIP_PARENS(DECL) = ::litert::ErrorStatusBuilder::ForwardWrappedValue(TMP_VAR)

#define LITERT_ASSIGN_OR_ABORT_HELPER_2(TMP_VAR, DECL, EXPR) \
  LITERT_ASSIGN_OR_ABORT_HELPER_3(TMP_VAR, DECL, EXPR, _)

#define LITERT_ASSIGN_OR_ABORT_HELPER_3(TMP_VAR, DECL, EXPR, LOG_EXPRESSION) \
  auto&& TMP_VAR = (EXPR);                                                   \
  if (::litert::ErrorStatusBuilder::IsError(TMP_VAR)) {                      \
    ::litert::ErrorStatusBuilder _(std::move(TMP_VAR));                      \
    ::litert::LogBeforeAbort(std::move((LOG_EXPRESSION)));                   \
  }                                                                          \
  _LITERT_STRIP_PARENS(DECL) = ::litert::ErrorStatusBuilder::ForwardWrappedValue(TMP_VAR)

#define _CONCAT_NAME_IMPL(x, y) x##y
#define _CONCAT_NAME(x, y) _CONCAT_NAME_IMPL(x, y)
#define _RETURN_VAL(val) return val

// Takes one pair of outer parentheses off X, if it has one: `_LITERT_ISH (a,
// b)` expands to `_LITERT_ISH a, b`, and pasting _LITERT_VAN before either
// form leaves only what follows `_LITERT_ISH`.
#ifndef _LITERT_STRIP_PARENS
#define _LITERT_STRIP_PARENS(X) _LITERT_ESC(_LITERT_ISH X)
#define _LITERT_ISH(...) _LITERT_ISH __VA_ARGS__
#define _LITERT_ESC(...) _LITERT_ESC_(__VA_ARGS__)
#define _LITERT_ESC_(...) _LITERT_VAN##__VA_ARGS__
#define _LITERT_VAN_LITERT_ISH
#endif

#endif  // ODML_LITERT_LITERT_CC_LITERT_MACROS_H_

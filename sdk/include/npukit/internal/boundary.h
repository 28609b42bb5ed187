// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_BOUNDARY_H_
#define NPUKIT_INTERNAL_BOUNDARY_H_

// What stands between the C functions that a plugin exports and the C++ behind
// them: errors and exceptions become a status and a line in the log, and no
// exception gets out.

#include <cstddef>
#include <exception>
#include <new>
#include <string>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_logging.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// What NpukitLastError gives (npukit/extensions/last_error.h). Plain bytes: an object with a destructor would keep
// the library loaded until its threads end.
inline constexpr size_t kMaxLastErrorBytes = 1024;
inline char* LastError() noexcept {
  static thread_local char text[kMaxLastErrorBytes];
  return text;
}

// Logs "FUNCTION: MESSAGE" as an error and gives back the status. What a plugin leaves out is no error:
// kLiteRtStatusErrorUnsupported without a message is not logged.
__attribute__((noinline, cold)) inline LiteRtStatus Fail(const char* function, LiteRtStatus status,
                                                         const std::string& message) noexcept {
  LastError()[message.copy(LastError(), kMaxLastErrorBytes - 1)] = '\0';
  if (status == kLiteRtStatusErrorUnsupported && message.empty()) return status;
  ::litert::internal::LogThroughHost(
      kLiteRtLogSeverityError,
      ::litert::internal::Text(
          {function, ": ",
           message.empty() ? ::litert::internal::StatusString(status) : message.c_str()})
          .c_str());
  return status;
}

// Runs `body`, which returns an Expected<void>, and logs its error. One copy of
// the handlers serves all functions.
using GuardedCall = ::litert::Expected<void> (*)(void* body);
__attribute__((noinline)) inline LiteRtStatus RunGuarded(const char* function, GuardedCall call,
                                                         void* body) noexcept {
  LastError()[0] = '\0';
#if defined(__cpp_exceptions)
  try {
#endif
    const ::litert::Expected<void> result = call(body);
    if (result) return kLiteRtStatusOk;
    return Fail(function, result.Error().Status(), result.Error().Message());
#if defined(__cpp_exceptions)
  } catch (const std::bad_alloc&) {
    // Without a line in the log, whose text would take memory.
    return kLiteRtStatusErrorMemoryAllocationFailure;
  } catch (const std::exception& e) {
    return Fail(function, kLiteRtStatusErrorRuntimeFailure,
                ::litert::internal::Text({"exception: ", e.what()}));
  } catch (...) {
    return Fail(function, kLiteRtStatusErrorRuntimeFailure, "exception of an unknown type");
  }
#endif
}

template <class Body>
LiteRtStatus Guard(const char* function, Body body) noexcept {
  return RunGuarded(
      function, [](void* b) { return (*static_cast<Body*>(b))(); }, &body);
}

__attribute__((noinline, cold)) inline ::litert::Unexpected NullAmong(const char* names) {
  return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                              ::litert::internal::Text({"null among the arguments ", names}));
}

__attribute__((noinline, cold)) inline ::litert::Unexpected OutOfBounds(const char* what,
                                                                        size_t index, size_t size) {
  return ::litert::Unexpected(
      ::litert::Status::kErrorIndexOOB,
      ::litert::internal::Text({"no ", what, " ", index, ", there are ", size}));
}

// In a guarded body: fails if an argument is null.
#define NPUKIT_INTERNAL_REQUIRE(...)                              \
  do {                                                            \
    if (!::npukit::internal::AllSet(__VA_ARGS__)) {               \
      return ::npukit::internal::NullAmong("(" #__VA_ARGS__ ")"); \
    }                                                             \
  } while (false)

template <class... Pointers>
constexpr bool AllSet(Pointers... pointers) {
  return ((pointers != nullptr) && ...);
}

inline constexpr LiteRtApiVersion ApiVersion() {
  return {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
}

// Whether a host of this version can be served.
inline bool IsSameApiVersion(LiteRtApiVersion v) {
  return v.major == LITERT_API_VERSION_MAJOR && v.minor == LITERT_API_VERSION_MINOR &&
         v.patch == LITERT_API_VERSION_PATCH;
}

inline std::string ToString(LiteRtApiVersion v) {
  return ::litert::internal::Text({v.major, ".", v.minor, ".", v.patch});
}

// Copies `text` with a zero at the end, cut to fit. `size` is at least 1.
inline void CopyText(const std::string& text, char* buffer, size_t size) {
  const size_t length = text.copy(buffer, size - 1);
  buffer[length] = '\0';
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_BOUNDARY_H_

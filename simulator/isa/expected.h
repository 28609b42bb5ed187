// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A value or the reason why there is none. The simulator stands on its own, so it brings its own
// small one; the shape (operator bool, *, ->, Error()) is that of litert::Expected.

#ifndef NPUKIT_SIMULATOR_ISA_EXPECTED_H_
#define NPUKIT_SIMULATOR_ISA_EXPECTED_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace acme {

// What went wrong, coarsely: callers branch on it, people read the message.
enum class ErrorCode : uint8_t {
  kInvalidArgument,  // the caller passed something that can't be meant
  kInvalidProgram,   // the program or module breaks a rule of the ISA
  kIncompatible,     // made for another ISA version or another SoC
  kNotFound,         // no such entry point, SoC, file ...
  kDeadlock,         // every engine waits for a semaphore that nobody will post
  kCycleBudget,      // still running when its cycle budget was used up
  kRace,             // two engines touch the same bytes unordered
  kCancelled,        // stopped by the driver's caller
  kBadIndex,         // the run's data names a place that does not exist
  kIo,               // a file could not be read or written
};

class Error {
 public:
  // offset_bytes: where in the program or file, or kNoOffset.
  static constexpr int64_t kNoOffset = -1;

  Error(ErrorCode code, std::string message, int64_t offset_bytes = kNoOffset)
      : code_(code), offset_bytes_(offset_bytes), message_(std::move(message)) {}

  ErrorCode Code() const { return code_; }
  const std::string& Message() const { return message_; }
  int64_t OffsetBytes() const { return offset_bytes_; }

 private:
  ErrorCode code_;
  int64_t offset_bytes_;
  std::string message_;
};

template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(runtime/explicit)
  Expected(acme::Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(runtime/explicit)

  explicit operator bool() const { return state_.index() == 0; }
  bool HasValue() const { return state_.index() == 0; }
  T& Value() { return std::get<0>(state_); }
  const T& Value() const { return std::get<0>(state_); }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const acme::Error& Error() const { return std::get<1>(state_); }

 private:
  std::variant<T, acme::Error> state_;
};

template <>
class [[nodiscard]] Expected<void> {
 public:
  Expected() = default;
  Expected(acme::Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(runtime/explicit)

  explicit operator bool() const { return state_.index() == 0; }
  bool HasValue() const { return state_.index() == 0; }
  const acme::Error& Error() const { return std::get<1>(state_); }

 private:
  std::variant<std::monostate, acme::Error> state_;
};

}  // namespace acme

// Returns the error of an Expected expression, or continues.
#define ACME_RETURN_IF_ERROR(expr)                  \
  do {                                              \
    auto acme_status_ = (expr);                     \
    if (!acme_status_) return acme_status_.Error(); \
  } while (false)

#define ACME_CONCAT_INNER_(a, b) a##b
#define ACME_CONCAT_(a, b) ACME_CONCAT_INNER_(a, b)
// ACME_ASSIGN_OR_RETURN(auto x, Parse(bytes));
#define ACME_ASSIGN_OR_RETURN(decl, expr)                  \
  auto ACME_CONCAT_(acme_expected_, __LINE__) = (expr);    \
  if (!ACME_CONCAT_(acme_expected_, __LINE__))             \
    return ACME_CONCAT_(acme_expected_, __LINE__).Error(); \
  decl = std::move(*ACME_CONCAT_(acme_expected_, __LINE__))

#endif  // NPUKIT_SIMULATOR_ISA_EXPECTED_H_

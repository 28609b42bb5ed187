// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ABSL_STATUS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ABSL_STATUS_H_

// Knows absl::Status and absl::StatusOr by their shape, without including
// absl, and converts their codes to and from LiteRtStatus.

#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"

namespace litert::internal {

// The canonical codes, whose numbers absl fixes.
enum class AbslCode : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
};

template <class S, class = void>
inline constexpr bool kIsAbslStatus = false;
template <class S>
inline constexpr bool kIsAbslStatus<S, std::void_t<decltype(std::declval<const S&>().raw_code()),
                                                   decltype(std::declval<const S&>().message()),
                                                   decltype(std::declval<const S&>().ok())>> = true;

template <class S, class = void>
inline constexpr bool kIsAbslStatusOr = false;
template <class S>
inline constexpr bool
    kIsAbslStatusOr<S, std::void_t<decltype(std::declval<const S&>().status().raw_code()),
                                   decltype(std::declval<S&&>().value())>> = true;

template <class S>
inline constexpr bool kIsAbslStatusOrStatusOr = kIsAbslStatus<S> || kIsAbslStatusOr<S>;

template <class S>
const auto& StatusPart(const S& s) {
  if constexpr (kIsAbslStatus<S>) {
    return s;
  } else {
    return s.status();
  }
}

template <class S>
using AbslStatusOf = std::decay_t<decltype(StatusPart(std::declval<S&>()))>;

template <class S>
LiteRtStatus FromAbslStatus(const S& status) {
  switch (static_cast<AbslCode>(status.raw_code())) {
    case AbslCode::kOk:
      return kLiteRtStatusOk;
    case AbslCode::kCancelled:
    case AbslCode::kDeadlineExceeded:
      return kLiteRtStatusErrorTimeoutExpired;
    case AbslCode::kInvalidArgument:
      return kLiteRtStatusErrorInvalidArgument;
    case AbslCode::kNotFound:
    case AbslCode::kUnavailable:
      return kLiteRtStatusErrorNotFound;
    case AbslCode::kOutOfRange:
      return kLiteRtStatusErrorIndexOOB;
    case AbslCode::kUnimplemented:
      return kLiteRtStatusErrorUnsupported;
    case AbslCode::kUnknown:
    case AbslCode::kInternal:
      return kLiteRtStatusErrorUnknown;
    default:
      return kLiteRtStatusErrorRuntimeFailure;
  }
}

constexpr AbslCode ToAbslCode(LiteRtStatus status) {
  switch (status) {
    case kLiteRtStatusOk:
      return AbslCode::kOk;
    case kLiteRtStatusErrorInvalidArgument:
    case kLiteRtStatusErrorMissingInputTensor:
    case kLiteRtStatusErrorInvalidFlatbuffer:
    case kLiteRtStatusErrorInvalidIrType:
    case kLiteRtStatusErrorInvalidGraphInvariant:
    case kLiteRtStatusErrorInvalidToolConfig:
    case kLiteRtStatusErrorInvalidLegalization:
    case kLiteRtStatusInvalidTransformation:
    case kLiteRtStatusErrorShapeInferenceFailed:
      return AbslCode::kInvalidArgument;
    case kLiteRtStatusErrorMemoryAllocationFailure:
      return AbslCode::kResourceExhausted;
    case kLiteRtStatusErrorUnsupported:
    case kLiteRtStatusErrorUnsupportedOpShapeInferer:
      return AbslCode::kUnimplemented;
    case kLiteRtStatusErrorNotFound:
    case kLiteRtStatusLegalizeNoMatch:
    case kLiteRtStatusPatternNoMatch:
      return AbslCode::kNotFound;
    case kLiteRtStatusErrorTimeoutExpired:
      return AbslCode::kDeadlineExceeded;
    case kLiteRtStatusCancelled:
      return AbslCode::kCancelled;
    case kLiteRtStatusErrorWrongVersion:
    case kLiteRtStatusErrorUnsupportedRuntimeVersion:
    case kLiteRtStatusErrorUnsupportedCompilerVersion:
    case kLiteRtStatusErrorIncompatibleByteCodeVersion:
      return AbslCode::kFailedPrecondition;
    case kLiteRtStatusErrorAlreadyExists:
      return AbslCode::kAlreadyExists;
    case kLiteRtStatusErrorFileIO:
    case kLiteRtStatusErrorDynamicLoading:
      return AbslCode::kUnavailable;
    case kLiteRtStatusErrorIndexOOB:
      return AbslCode::kOutOfRange;
    case kLiteRtStatusErrorRuntimeFailure:
    case kLiteRtStatusErrorSerialization:
    case kLiteRtStatusErrorCompilation:
    case kLiteRtStatusErrorGraphModification:
      return AbslCode::kInternal;
    default:
      return AbslCode::kUnknown;
  }
}

template <class S>
S ToAbslStatus(LiteRtStatus status, const std::string& message) {
  using Code = std::decay_t<decltype(std::declval<const S&>().code())>;
  return S(static_cast<Code>(ToAbslCode(status)), message);
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_ABSL_STATUS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_COMMON_H_
#define ODML_LITERT_LITERT_CC_LITERT_COMMON_H_

// C++ names for the status codes and hardware accelerators of the C API.
// Needs nothing at link time.

#include "litert/c/litert_common.h"

namespace litert {

// Every status code, once: X(C++ name, C name). The enum below and
// internal::StatusString() both come from this list.
#define LITERT_INTERNAL_STATUS_CODES(X)                                               \
  X(kOk, kLiteRtStatusOk)                                                             \
  /* Generic. */                                                                      \
  X(kErrorInvalidArgument, kLiteRtStatusErrorInvalidArgument)                         \
  X(kErrorMemoryAllocationFailure, kLiteRtStatusErrorMemoryAllocationFailure)         \
  X(kErrorRuntimeFailure, kLiteRtStatusErrorRuntimeFailure)                           \
  X(kErrorMissingInputTensor, kLiteRtStatusErrorMissingInputTensor)                   \
  X(kErrorUnsupported, kLiteRtStatusErrorUnsupported)                                 \
  X(kErrorNotFound, kLiteRtStatusErrorNotFound)                                       \
  X(kErrorTimeoutExpired, kLiteRtStatusErrorTimeoutExpired)                           \
  X(kErrorWrongVersion, kLiteRtStatusErrorWrongVersion)                               \
  X(kErrorUnknown, kLiteRtStatusErrorUnknown)                                         \
  X(kErrorAlreadyExists, kLiteRtStatusErrorAlreadyExists)                             \
  /* Progress of an inference. */                                                     \
  X(kCancelled, kLiteRtStatusCancelled)                                               \
  /* Files and loading. */                                                            \
  X(kErrorFileIO, kLiteRtStatusErrorFileIO)                                           \
  X(kErrorInvalidFlatbuffer, kLiteRtStatusErrorInvalidFlatbuffer)                     \
  X(kErrorDynamicLoading, kLiteRtStatusErrorDynamicLoading)                           \
  X(kErrorSerialization, kLiteRtStatusErrorSerialization)                             \
  X(kErrorCompilation, kLiteRtStatusErrorCompilation)                                 \
  /* Graph IR. */                                                                     \
  X(kErrorIndexOOB, kLiteRtStatusErrorIndexOOB)                                       \
  X(kErrorInvalidIrType, kLiteRtStatusErrorInvalidIrType)                             \
  X(kErrorInvalidGraphInvariant, kLiteRtStatusErrorInvalidGraphInvariant)             \
  X(kErrorGraphModification, kLiteRtStatusErrorGraphModification)                     \
  /* Tools. */                                                                        \
  X(kErrorInvalidToolConfig, kLiteRtStatusErrorInvalidToolConfig)                     \
  /* Legalization. */                                                                 \
  X(kLegalizeNoMatch, kLiteRtStatusLegalizeNoMatch)                                   \
  X(kErrorInvalidLegalization, kLiteRtStatusErrorInvalidLegalization)                 \
  /* Transformations. */                                                              \
  X(kPatternNoMatch, kLiteRtStatusPatternNoMatch)                                     \
  X(kInvalidTransformation, kLiteRtStatusInvalidTransformation)                       \
  /* Versions. */                                                                     \
  X(kErrorUnsupportedRuntimeVersion, kLiteRtStatusErrorUnsupportedRuntimeVersion)     \
  X(kErrorUnsupportedCompilerVersion, kLiteRtStatusErrorUnsupportedCompilerVersion)   \
  X(kErrorIncompatibleByteCodeVersion, kLiteRtStatusErrorIncompatibleByteCodeVersion) \
  /* Shape inference. */                                                              \
  X(kErrorShapeInferenceUnsupportedOp, kLiteRtStatusErrorUnsupportedOpShapeInferer)   \
  X(kErrorShapeInferenceFailed, kLiteRtStatusErrorShapeInferenceFailed)

enum class Status : int {
#define LITERT_INTERNAL_STATUS_ENUMERATOR(cc_name, c_name) cc_name = c_name,
  LITERT_INTERNAL_STATUS_CODES(LITERT_INTERNAL_STATUS_ENUMERATOR)
#undef LITERT_INTERNAL_STATUS_ENUMERATOR
};

constexpr Status ToStatus(LiteRtStatus status) { return static_cast<Status>(status); }

constexpr LiteRtStatus ToLiteRtStatus(Status status) { return static_cast<LiteRtStatus>(status); }

namespace internal {

// The C name of a status ("kLiteRtStatusErrorNotFound"): what
// LiteRtGetStatusString() answers, without calling it. A value that is no
// status gives "kLiteRtStatus(unknown)".
constexpr const char* StatusString(LiteRtStatus status) {
  switch (status) {
#define LITERT_INTERNAL_STATUS_CASE(cc_name, c_name) \
  case c_name:                                       \
    return #c_name;
    LITERT_INTERNAL_STATUS_CODES(LITERT_INTERNAL_STATUS_CASE)
#undef LITERT_INTERNAL_STATUS_CASE
  }
  return "kLiteRtStatus(unknown)";
}

constexpr const char* StatusString(Status status) { return StatusString(ToLiteRtStatus(status)); }

}  // namespace internal

enum class HwAccelerators : int {
  kNone = kLiteRtHwAcceleratorNone,
  kCpu = kLiteRtHwAcceleratorCpu,
  kGpu = kLiteRtHwAcceleratorGpu,
  kNpu = kLiteRtHwAcceleratorNpu,
};

// A bit field of `HwAccelerators`.
struct HwAcceleratorSet {
  int value;

  constexpr explicit HwAcceleratorSet(int val) : value(val) {}
  constexpr explicit HwAcceleratorSet(HwAccelerators val) : value(static_cast<int>(val)) {}
};

constexpr HwAcceleratorSet operator|(HwAccelerators lhs, HwAccelerators rhs) {
  return HwAcceleratorSet(static_cast<int>(lhs) | static_cast<int>(rhs));
}

constexpr HwAcceleratorSet operator|(HwAcceleratorSet lhs, HwAccelerators rhs) {
  return HwAcceleratorSet(lhs.value | static_cast<int>(rhs));
}

constexpr int operator&(HwAccelerators lhs, HwAccelerators rhs) {
  return static_cast<int>(lhs) & static_cast<int>(rhs);
}

constexpr int operator&(HwAcceleratorSet lhs, HwAccelerators rhs) {
  return lhs.value & static_cast<int>(rhs);
}

inline HwAcceleratorSet& operator|=(HwAcceleratorSet& lhs, HwAccelerators rhs) {
  lhs.value |= static_cast<int>(rhs);
  return lhs;
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_COMMON_H_

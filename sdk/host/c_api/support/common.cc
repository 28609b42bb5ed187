// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/litert_common.h"

namespace {

int Compare(int a, int b) { return a < b ? -1 : a > b ? 1 : 0; }

}  // namespace

extern "C" {

int LiteRtCompareApiVersion(LiteRtApiVersion version, LiteRtApiVersion reference) {
  if (int order = Compare(version.major, reference.major)) return order;
  if (int order = Compare(version.minor, reference.minor)) return order;
  return Compare(version.patch, reference.patch);
}

const char* LiteRtGetStatusString(LiteRtStatus status) {
#define NPUKIT_STATUS(name) \
  case name:                \
    return #name
  switch (status) {
    NPUKIT_STATUS(kLiteRtStatusOk);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidArgument);
    NPUKIT_STATUS(kLiteRtStatusErrorMemoryAllocationFailure);
    NPUKIT_STATUS(kLiteRtStatusErrorRuntimeFailure);
    NPUKIT_STATUS(kLiteRtStatusErrorMissingInputTensor);
    NPUKIT_STATUS(kLiteRtStatusErrorUnsupported);
    NPUKIT_STATUS(kLiteRtStatusErrorNotFound);
    NPUKIT_STATUS(kLiteRtStatusErrorTimeoutExpired);
    NPUKIT_STATUS(kLiteRtStatusErrorWrongVersion);
    NPUKIT_STATUS(kLiteRtStatusErrorUnknown);
    NPUKIT_STATUS(kLiteRtStatusErrorAlreadyExists);
    NPUKIT_STATUS(kLiteRtStatusCancelled);
    NPUKIT_STATUS(kLiteRtStatusErrorFileIO);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidFlatbuffer);
    NPUKIT_STATUS(kLiteRtStatusErrorDynamicLoading);
    NPUKIT_STATUS(kLiteRtStatusErrorSerialization);
    NPUKIT_STATUS(kLiteRtStatusErrorCompilation);
    NPUKIT_STATUS(kLiteRtStatusErrorIndexOOB);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidIrType);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidGraphInvariant);
    NPUKIT_STATUS(kLiteRtStatusErrorGraphModification);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidToolConfig);
    NPUKIT_STATUS(kLiteRtStatusLegalizeNoMatch);
    NPUKIT_STATUS(kLiteRtStatusErrorInvalidLegalization);
    NPUKIT_STATUS(kLiteRtStatusPatternNoMatch);
    NPUKIT_STATUS(kLiteRtStatusInvalidTransformation);
    NPUKIT_STATUS(kLiteRtStatusErrorUnsupportedRuntimeVersion);
    NPUKIT_STATUS(kLiteRtStatusErrorUnsupportedCompilerVersion);
    NPUKIT_STATUS(kLiteRtStatusErrorIncompatibleByteCodeVersion);
    NPUKIT_STATUS(kLiteRtStatusErrorUnsupportedOpShapeInferer);
    NPUKIT_STATUS(kLiteRtStatusErrorShapeInferenceFailed);
  }
#undef NPUKIT_STATUS
  return "unknown LiteRtStatus";
}

}  // extern "C"

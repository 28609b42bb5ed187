// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_call.h"

namespace npukit::conformance {

std::string StatusText(LiteRtStatus status) { return litert::internal::StatusString(status); }

litert::Unexpected CallFailed(std::string_view name, LiteRtStatus status) {
  return litert::Unexpected(status == kLiteRtStatusOk ? kLiteRtStatusErrorRuntimeFailure : status,
                            std::string(name) + " gave " + StatusText(status));
}

}  // namespace npukit::conformance

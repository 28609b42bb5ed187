// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CONFORMANCE_VERDICT_BAD_JSON_H_
#define NPUKIT_CONFORMANCE_VERDICT_BAD_JSON_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// What is wrong with JSON that was read: "WHERE: MESSAGE".
inline litert::Unexpected BadJson(const std::string& where, const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, where + ": " + message);
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_BAD_JSON_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256, by which contents are known.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_SHA256_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_SHA256_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sdk/remote/wire/digest.h"

namespace npukit::conformance {

// In lower-case hexadecimal digits.
inline std::string Sha256(std::string_view bytes) {
  return remote::Digest(std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_SHA256_H_

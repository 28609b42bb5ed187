// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Contents by a digest that nobody can make others for.

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

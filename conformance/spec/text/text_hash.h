// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A number from text, the same on every machine: for seeds and for telling contents apart.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_HASH_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_HASH_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace npukit::conformance {

// FNV-1a.
inline uint64_t HashText(std::string_view text, uint64_t seed = 0) {
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// Sixteen hexadecimal digits.
inline std::string DigestOf(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  const uint64_t hash = HashText(text);
  for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[hash >> shift & 15];
  return digits;
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_TEXT_HASH_H_

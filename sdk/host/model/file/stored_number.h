// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as binary files store them: little-endian, at any byte.

#ifndef NPUKIT_SDK_HOST_MODEL_FILE_STORED_NUMBER_H_
#define NPUKIT_SDK_HOST_MODEL_FILE_STORED_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace npukit {

// The number at byte `at`; the caller knows that all of it is there.
template <typename T>
T FieldAt(std::span<const uint8_t> bytes, size_t at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_FILE_STORED_NUMBER_H_

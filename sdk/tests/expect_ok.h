// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values out of Expected, in tests.

#ifndef NPUKIT_SDK_TESTS_EXPECT_OK_H_
#define NPUKIT_SDK_TESTS_EXPECT_OK_H_

#include <stdexcept>
#include <utility>

#include "litert/cc/litert_expected.h"

namespace npukit {

// The value; an exception, which fails the test with the message, if there is none.
template <class T>
T Ok(litert::Expected<T> expected) {
  if (!expected) throw std::runtime_error(expected.Error().ToString());
  return std::move(expected.Value());
}
inline void Ok(const litert::Expected<void>& expected) {
  if (!expected) throw std::runtime_error(expected.Error().ToString());
}

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_EXPECT_OK_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests and benchmarks: the folder of models, golden outputs and facts that may lie beside the
// clone. A test that needs it says that it is absent, and is skipped (GTEST_SKIP).

#ifndef NPUKIT_TESTS_SUPPORT_SHARED_DIR_H_
#define NPUKIT_TESTS_SUPPORT_SHARED_DIR_H_

#include <cstdlib>
#include <string>

namespace npukit {

// What CMake was told (../shared if nothing), or what the environment's NPUKIT_SHARED_DIR names:
// .ci/run names a folder that does not exist, so that the tests are seen without.
inline std::string SharedDir() {
  const char* named = std::getenv("NPUKIT_SHARED_DIR");
  return named != nullptr ? named : NPUKIT_SHARED_DIR;
}

}  // namespace npukit

#endif  // NPUKIT_TESTS_SUPPORT_SHARED_DIR_H_

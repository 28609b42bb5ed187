// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TESTS_OUTPUT_OF_H_
#define NPUKIT_SDK_TESTS_OUTPUT_OF_H_

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace npukit {

// What a program that succeeds prints on stdout.
inline std::string OutputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) output += buffer;
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_OUTPUT_OF_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests of files that are refused.

#ifndef NPUKIT_CONFORMANCE_SPEC_TESTING_BAD_FILE_H_
#define NPUKIT_CONFORMANCE_SPEC_TESTING_BAD_FILE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace npukit::conformance {

struct BadFile {
  const char* what;
  std::string yaml;
  const char* place;  // line and column, with which the message starts after the file's name
  const char* message;
};

inline void ExpectRefused(const BadFile& file, const std::string& name, const std::string& error) {
  EXPECT_THAT(error, ::testing::StartsWith(name + ":" + file.place + ": "));
  EXPECT_THAT(error, ::testing::HasSubstr(file.message));
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TESTING_BAD_FILE_H_

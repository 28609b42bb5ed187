// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_SUPPORT_TESTING_OPTIONS_TEXT_H_
#define NPUKIT_SDK_HOST_C_API_SUPPORT_TESTING_OPTIONS_TEXT_H_

#include <gtest/gtest.h>

#include <string>

#include "litert/c/litert_common.h"

namespace npukit {

// What `get_data`, a LrtGetOpaque...OptionsData, gives for the options. Fails the test if it gives
// another identifier, or takes null.
template <typename ConstHandle>
std::string TextOf(ConstHandle options,
                   LiteRtStatus (*get_data)(ConstHandle, const char**, void**, void (**)(void*)),
                   const std::string& identifier) {
  const char* found = nullptr;
  void* payload = nullptr;
  void (*deleter)(void*) = nullptr;
  EXPECT_EQ(get_data(options, &found, &payload, &deleter), kLiteRtStatusOk);
  EXPECT_EQ(found, identifier);
  const std::string text = static_cast<const char*>(payload);
  deleter(payload);
  EXPECT_EQ(get_data(nullptr, &found, &payload, &deleter), kLiteRtStatusErrorInvalidArgument);
  return text;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_SUPPORT_TESTING_OPTIONS_TEXT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls every function that libLiteRt.so exports with nothing but zeros and
// null pointers: each must say so by its status.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sdk/host/c_api/abi/testing/abi_layout_headers.h"

namespace {

template <typename Result, typename... Parameters>
Result CallWithZeros(Result (*function)(Parameters...)) {
  return function(Parameters{}...);
}

template <typename Result, typename... Parameters>
Result CallWithZeros(Result (*function)(Parameters..., ...)) {
  return function(Parameters{}...);
}

const std::set<std::string>& Unsupported() {
  static const auto* names = new std::set<std::string>{
#define UNSUPPORTED(name, parameters) #name,
#include "sdk/host/c_api/abi/unsupported_functions.def"
  };
  return *names;
}

template <typename Function>
void Check(const char* name, Function* function) {
  SCOPED_TRACE(name);
  if constexpr (std::is_same_v<decltype(CallWithZeros(function)), void>) {
    CallWithZeros(function);
  } else {
    const LiteRtStatus status = CallWithZeros(function);
    EXPECT_EQ(status, Unsupported().contains(name) ? kLiteRtStatusErrorUnsupported
                                                   : kLiteRtStatusErrorInvalidArgument);
  }
}

TEST(NullArgumentsTest, AreErrorsNotCrashes) {
  int count = 0;
#define EXPORTED(name) \
  Check(#name, &name); \
  ++count;
#include "sdk/host/c_api/exported_functions.inc"
  EXPECT_EQ(count, NPUKIT_NUM_EXPORTS);
}

}  // namespace

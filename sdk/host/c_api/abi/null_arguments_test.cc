// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls every function that libLiteRt.so exports with nothing but zeros and
// null pointers: each must say so by its status.

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <set>
#include <string>
#include <type_traits>

#include "litert/c/internal/litert_logging_helper_with_compiler_context.h"
#include "litert/c/internal/litert_logging_helper_with_runtime_context.h"
#include "litert/c/options/litert_samsung_options.h"
#include "litert/vendors/c/litert_linked_in.h"
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
  if constexpr (!std::is_function_v<Function>) {
    // A variable, by which something that is linked in would make itself known.
    EXPECT_EQ(*function, nullptr);
  } else if constexpr (std::is_same_v<decltype(CallWithZeros(function)), bool>) {
    // The headers have it inline too: what is exported is another one.
    auto* const exported = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(exported, nullptr);
    EXPECT_FALSE(CallWithZeros(exported));
  } else if constexpr (std::is_same_v<decltype(CallWithZeros(function)), const char*>) {
    EXPECT_NE(CallWithZeros(function), nullptr);
  } else if constexpr (std::is_pointer_v<decltype(CallWithZeros(function))> &&
                       !std::is_same_v<decltype(CallWithZeros(function)), LiteRtStatus>) {
    EXPECT_EQ(CallWithZeros(function), nullptr);
  } else if constexpr (std::is_same_v<decltype(CallWithZeros(function)), void>) {
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

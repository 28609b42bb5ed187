// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls into the vendor's code, announced by name.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_CALL_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_CALL_H_

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "conformance/observation/evidence.h"
#include "conformance/runner/process/stage.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Calls function(args...). A crash within is reported as "in NAME", one before the next call as
// "after NAME". A status goes through the witness (conformance/observation/evidence.h); where
// observations are judged nothing is called, and what args point to is not written.
template <typename Function, typename... Args>
auto VendorCall(std::string_view name, Function function, Args&&... args) {
  using Result = decltype(function(std::forward<Args>(args)...));
  // Checks pass values that enumerations don't have, as later versions may, which for C are integers.
  const auto call = [&]() __attribute__((no_sanitize("enum")))->Result {
    SetStage(name);
    if constexpr (std::is_void_v<Result>) {
      function(std::forward<Args>(args)...);
      SetStage(std::string("after ").append(name));
    } else {
      auto result = function(std::forward<Args>(args)...);
      SetStage(std::string("after ").append(name));
      return result;
    }
  };
  if constexpr (std::is_same_v<Result, LiteRtStatus>) {
    return Witness::Get().ObserveCode(name, call);
  } else if constexpr (std::is_void_v<Result>) {
    Witness::Get().Unseen(call);
  } else {
    return call();
  }
}

// "kLiteRtStatusErrorInvalidArgument".
std::string StatusText(LiteRtStatus status);

// For a call that had to succeed.
litert::Unexpected CallFailed(std::string_view name, LiteRtStatus status);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_CALL_H_

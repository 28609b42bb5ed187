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

#include "conformance/runner/process/stage.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Calls function(args...). A crash within is reported as "in NAME", one before the next call as
// "after NAME".
template <typename Function, typename... Args>
auto VendorCall(std::string_view name, Function function, Args&&... args) {
  SetStage(name);
  if constexpr (std::is_void_v<decltype(function(std::forward<Args>(args)...))>) {
    function(std::forward<Args>(args)...);
    SetStage(std::string("after ").append(name));
  } else {
    auto result = function(std::forward<Args>(args)...);
    SetStage(std::string("after ").append(name));
    return result;
  }
}

// "kLiteRtStatusErrorInvalidArgument".
std::string StatusText(LiteRtStatus status);

// For a call that had to succeed.
litert::Unexpected CallFailed(std::string_view name, LiteRtStatus status);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_CALL_H_

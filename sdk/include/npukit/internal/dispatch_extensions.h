// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_

// npukit's optional exports of a dispatch library (delegate_debug.h,
// compile_spec.h, event_status.h).

#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchExtensions {
  using Functions = DispatchFunctions;

  static constexpr auto SetSpecs = kDispatchCall<D, &Functions::SetSpecs>;
  static constexpr auto SetRecording = kDispatchCall<D, &Functions::SetRecording>;
  static constexpr auto GetNumEvents = kDispatchCall<D, &Functions::GetNumEvents>;
  static constexpr auto GetEvent = kDispatchCall<D, &Functions::GetEvent>;
  static constexpr auto GetLastError = kDispatchCall<D, &Functions::GetLastError>;
  static constexpr auto GetEventStatus = &Functions::GetEventStatus;
  static constexpr auto GetIntermediate = kDispatchCall<D, &Functions::GetIntermediate>;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_

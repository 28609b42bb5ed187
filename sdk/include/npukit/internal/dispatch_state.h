// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_STATE_H_
#define NPUKIT_INTERNAL_DISPATCH_STATE_H_

// What a dispatch library has given out.

#include <mutex>
#include <set>
#include <string>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/handle_table.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// npukit/internal/dispatch/dispatch_context.h
struct DeviceContext;
class InvocationContext;
struct MetricsContext;
struct GraphContext;

inline namespace NPUKIT_INTERNAL_ABI {

struct DispatchState {
  DispatchState() = default;
  DispatchState(const DispatchState&) = delete;
  DispatchState& operator=(const DispatchState&) = delete;
  ~DispatchState();

  PointerTable<LiteRtDispatchDeviceContext, DeviceContext> devices;
  PointerTable<LiteRtDispatchInvocationContext, InvocationContext> invocations;
  PointerTable<LiteRtDispatchMetrics, MetricsContext> metrics;
  PointerTable<LiteRtDispatchGraph, GraphContext> graphs;
  std::mutex mutex;  // for what is below
  LiteRtEnvironment environment = nullptr;
  std::set<std::string> texts;  // of metrics, which LiteRT points at when it has destroyed them
};

}  // namespace NPUKIT_INTERNAL_ABI

// One per vendor's class: several may be linked into one program.
template <class D>
__attribute__((visibility("hidden"))) inline DispatchState dispatch_state;

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_STATE_H_

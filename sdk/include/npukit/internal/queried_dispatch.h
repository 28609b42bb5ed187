// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_QUERIED_DISPATCH_H_
#define NPUKIT_INTERNAL_QUERIED_DISPATCH_H_

// The functions of a dispatch library as tables that hosts query, from LiteRT's sources of September
// 2026 on.

#if defined(NPUKIT_ABI_2_3)

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/internal/dispatch_boundary.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The same functions as queried tables.
template <class D>
struct QueriedDispatch {
  using Boundary = DispatchBoundary<D>;

  static constexpr LiteRtAbiHeader Header(size_t struct_size) {
    return {static_cast<uint16_t>(struct_size), LITERT_DISPATCH_ABI_VERSION_MAJOR,
            LITERT_DISPATCH_ABI_VERSION_MINOR, 0};
  }

  // A table of the API of before with a header in front: the members are the same, in the same
  // order, and what came behind them is null.
  template <class Queried, class Plain>
  static Queried WithHeader(const Plain& plain) {
    static_assert(sizeof(Queried) >= sizeof(LiteRtAbiHeader) + sizeof(Plain));
    Queried queried = {};
    queried.abi_header = Header(sizeof(Queried));
    std::memcpy(reinterpret_cast<char*>(&queried) + sizeof(LiteRtAbiHeader), &plain, sizeof(plain));
    return queried;
  }

  __attribute__((visibility("hidden"))) static LiteRtInterface Basic() {
    static const auto table = [] {
      auto made = WithHeader<LiteRtDispatchInterface_V1>(Boundary::MakeInterface());
      made.get_hooks = Boundary::GetHooksIfAny();
      return made;
    }();
    return &table;
  }
  __attribute__((visibility("hidden"))) static LiteRtInterface Async() {
    static const auto table =
        WithHeader<LiteRtDispatchAsyncInterface_V1>(*Boundary::AsyncInterface());
    return &table;
  }
  __attribute__((visibility("hidden"))) static LiteRtInterface Graph() {
    static const auto table =
        WithHeader<LiteRtDispatchGraphInterface_V1>(*DispatchGraphCalls<D>::Interface());
    return &table;
  }

  // Says nothing where it has none: hosts ask for all.
  static LiteRtStatus QueryInterface(LiteRtDispatchInterfaceId id, LiteRtApiVersion version,
                                     LiteRtInterface* out) {
    if (out == nullptr) return kLiteRtStatusErrorInvalidArgument;
    *out = nullptr;
    if (version.major != LITERT_DISPATCH_ABI_VERSION_MAJOR) return kLiteRtStatusErrorUnsupported;
    if (id == kLiteRtDispatchInterfaceBasic) *out = Basic();
    if (id == kLiteRtDispatchInterfaceAsync && D::kRunsAsync) *out = Async();
    if (id == kLiteRtDispatchInterfaceGraph && D::kRunsGraphs) *out = Graph();
    return *out != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_ABI_2_3

#endif  // NPUKIT_INTERNAL_QUERIED_DISPATCH_H_

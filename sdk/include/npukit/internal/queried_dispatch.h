// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_QUERIED_DISPATCH_H_
#define NPUKIT_INTERNAL_QUERIED_DISPATCH_H_

// The functions of a dispatch library as tables that hosts query, from LiteRT's sources of September
// 2026 on.

#if defined(NPUKIT_ABI_2_3)

#include <cstddef>
#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/internal/dispatch_boundary.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/dispatch_graph_calls.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/scratchpad_calls.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The same functions as queried tables.
template <class D>
struct QueriedDispatch {
  using Boundary = DispatchBoundary<D>;
  static_assert(D::kRunsGraphs || !D::kHasScratchpads,
                "scratchpads are attached to what graphs are made of: kRunsGraphs");

  static constexpr LiteRtAbiHeader Header(size_t struct_size) {
    return {static_cast<uint16_t>(struct_size), LITERT_DISPATCH_ABI_VERSION_MAJOR,
            LITERT_DISPATCH_ABI_VERSION_MINOR, 0};
  }

  using Graphs = DispatchGraphCalls<D>;

  // The tables of before with a header in front: the members are the same, in the same order. What
  // came behind them is null, but for the hooks and the buffers of edges.
  struct Basic {
    LiteRtAbiHeader header;
    LiteRtDispatchInterface functions;
    LiteRtDispatchGetHooksFn get_hooks;
    typename Graphs::BindEdge attach_edge_buffer;
    typename Graphs::BindEdge detach_edge_buffer;
  };
  struct Async {
    LiteRtAbiHeader header;
    LiteRtDispatchAsyncInterface functions;
  };
  struct Graph {
    LiteRtAbiHeader header;
    LiteRtDispatchGraphInterface functions;
    typename ScratchpadCalls<D>::GetFn get_scratchpad_requirements;
    typename ScratchpadCalls<D>::AttachFn attach_scratchpad_buffer;
  };
  static_assert(sizeof(Basic) == sizeof(LiteRtDispatchInterface_V1));
  static_assert(sizeof(Async) == sizeof(LiteRtDispatchAsyncInterface_V1));
  static_assert(sizeof(Graph) == sizeof(LiteRtDispatchGraphInterface_V1));

  // Only these tables have the functions for edges and scratchpads, and say so: in builds of LiteRT 2.2.0
  // that call them those for edges stand where others have the hooks.
  static constexpr int kCapabilities =
      Boundary::kCapabilities |
      (D::kRunsGraphs ? kLiteRtDispatchCapabilitiesEdgeBufferBinding : 0) |
      (D::kHasScratchpads ? kLiteRtDispatchCapabilitiesScratchpad : 0);
  static LiteRtStatus GetCapabilities(int* capabilities) {
    return DispatchFunctions::GiveCapabilities(kCapabilities, capabilities);
  }

  static constexpr Basic MakeBasic() {
    Basic basic = {Header(sizeof(Basic)), Boundary::MakeInterface(), Boundary::GetHooksIfAny(),
                   nullptr, nullptr};
    basic.functions.get_capabilities = GetCapabilities;
    if constexpr (D::kRunsGraphs) {
      basic.attach_edge_buffer = kDispatchCall<D, &DispatchFunctions::AttachEdge>;
      basic.detach_edge_buffer = kDispatchCall<D, &DispatchFunctions::DetachEdge>;
    }
    return basic;
  }

  __attribute__((visibility("hidden"))) static LiteRtInterface TableOf(
      LiteRtDispatchInterfaceId id) {
    // Constants, which npukit doctor reads off the file.
    static constexpr Basic basic = MakeBasic();
    static constexpr Async async = {Header(sizeof(Async)), Boundary::MakeAsync()};
    static constexpr Graph graph = {Header(sizeof(Graph)), Graphs::Make(),
                                    ScratchpadCalls<D>::GetIfAny(),
                                    ScratchpadCalls<D>::AttachIfAny()};
    switch (id) {
      case kLiteRtDispatchInterfaceBasic:
        return &basic;
      case kLiteRtDispatchInterfaceAsync:
        return D::kRunsAsync ? &async : nullptr;
      case kLiteRtDispatchInterfaceGraph:
        return D::kRunsGraphs ? &graph : nullptr;
      case kLiteRtDispatchInterfaceCustomTensorBufferHandlers:
        return D::kBufferHandlers;
      default:
        return nullptr;
    }
  }

  // Says nothing where it has none: hosts ask for all.
  static LiteRtStatus QueryInterface(LiteRtDispatchInterfaceId id, LiteRtApiVersion version,
                                     LiteRtInterface* out) {
    if (out == nullptr) return kLiteRtStatusErrorInvalidArgument;
    *out = nullptr;
    if (version.major != LITERT_DISPATCH_ABI_VERSION_MAJOR) return kLiteRtStatusErrorUnsupported;
    *out = TableOf(id);
    return *out != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_ABI_2_3

#endif  // NPUKIT_INTERNAL_QUERIED_DISPATCH_H_

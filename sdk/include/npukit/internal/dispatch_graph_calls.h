// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_
#define NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_

// The graph table of a dispatch library.

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchGraphCalls {
  using Functions = DispatchFunctions;

  // LiteRtDispatchAttachEdgeBufferT and LiteRtDispatchDetachEdgeBufferT, which only the newest headers
  // have.
  using BindEdge = LiteRtStatus (*)(LiteRtDispatchInvocationContext, LiteRtDispatchEdgeId,
                                    LiteRtTensorBufferHandle);

  static constexpr LiteRtDispatchGraphInterface Make() {
    LiteRtDispatchGraphInterface t{};
    t.graph_create = kDispatchCall<D, &Functions::CreateGraph>;
    t.graph_destroy = kDispatchCall<D, &Functions::DestroyGraph>;
    t.add_node = kDispatchCall<D, &Functions::AddNode>;
    t.add_edge = kDispatchCall<D, &Functions::AddEdge>;
    t.connect_node_input = kDispatchCall<D, &Functions::ConnectNodeInput>;
    t.connect_node_output = kDispatchCall<D, &Functions::ConnectNodeOutput>;
    t.connect_graph_input = kDispatchCall<D, &Functions::ConnectGraphInput>;
    t.connect_graph_output = kDispatchCall<D, &Functions::ConnectGraphOutput>;
    t.load_executable = kDispatchCall<D, &Functions::LoadExecutable>;
    t.unload_executable = kDispatchCall<D, &Functions::UnloadExecutable>;
    t.assign_node_function = kDispatchCall<D, &Functions::AssignNode>;
    t.annotate_graph = kDispatchCall<D, &Functions::AnnotateGraph>;
    t.annotate_node = kDispatchCall<D, &Functions::AnnotateNode>;
    t.annotate_edge = kDispatchCall<D, &Functions::AnnotateEdge>;
    t.invocation_context_create_from_graph = kDispatchCall<D, &Functions::CreateInvocationOf>;
    t.invocation_context_get_graph = kDispatchCall<D, &Functions::GetGraph>;
    return t;
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_

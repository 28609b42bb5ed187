// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_GRAPH_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_GRAPH_FUNCTIONS_H_

// The graphs of a dispatch library.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/attached_buffers.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/dispatch_graph.h"
#include "npukit/internal/dispatch/graph_invocation.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch/with_invocation.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::CreateGraph(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchGraph* graph) {
  return Guard("graph_create", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(graph);
    *graph = nullptr;
    const auto context = state.devices.Find(device);
    if (context == nullptr) return BadHandle("a device context");
    auto made = std::make_unique<GraphContext>();
    made->device = context;
    *graph = state.graphs.Add(made.release());
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::DestroyGraph(State& state,
                                                                    LiteRtDispatchGraph graph) {
  return Guard("graph_destroy", [&]() -> ::litert::Expected<void> {
    if (state.graphs.Remove(graph) == nullptr) return BadHandle("a graph");
    return {};
  });
}

// Runs `body` on the graph behind a handle, alone.
template <class Body>
LiteRtStatus WithGraph(DispatchState& state, const char* function, LiteRtDispatchGraph graph,
                       Body body) {
  return Guard(function, [&]() -> ::litert::Expected<void> {
    const auto context = state.graphs.Find(graph);
    if (context == nullptr) return BadHandle("a graph");
    const std::lock_guard<std::mutex> lock(context->mutex);
    return body(*context);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AddNode(State& state, Graph graph, Node node,
                                                               LiteRtDispatchNodeType type) {
  return WithGraph(state, "add_node", graph,
                   [&](GraphContext& c) { return c.graph.AddNode(node, type); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AddEdge(State& state, Graph graph,
                                                               Edge edge) {
  return WithGraph(state, "add_edge", graph,
                   [&](GraphContext& c) { return c.graph.AddEdge(edge); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::ConnectNodeInput(State& state, Graph graph,
                                                                        Node node, int index,
                                                                        Edge edge) {
  return WithGraph(state, "connect_node_input", graph,
                   [&](GraphContext& c) { return c.graph.ConnectNodeInput(node, index, edge); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::ConnectNodeOutput(State& state, Graph graph,
                                                                         Node node, int index,
                                                                         Edge edge) {
  return WithGraph(state, "connect_node_output", graph,
                   [&](GraphContext& c) { return c.graph.ConnectNodeOutput(node, index, edge); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::ConnectGraphInput(State& state, Graph graph,
                                                                         int index, Edge edge) {
  return WithGraph(state, "connect_graph_input", graph,
                   [&](GraphContext& c) { return c.graph.ConnectInput(index, edge); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::ConnectGraphOutput(State& state, Graph graph,
                                                                          int index, Edge edge) {
  return WithGraph(state, "connect_graph_output", graph,
                   [&](GraphContext& c) { return c.graph.ConnectOutput(index, edge); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AnnotateGraph(State& state, Graph graph,
                                                                     const char* key,
                                                                     const char* value) {
  return WithGraph(state, "annotate_graph", graph,
                   [&](GraphContext& c) -> ::litert::Expected<void> {
                     NPUKIT_INTERNAL_REQUIRE(key, value);
                     return c.graph.Annotate(key, value);
                   });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AnnotateNode(State& state, Graph graph,
                                                                    Node node, const char* key,
                                                                    const char* value) {
  return WithGraph(state, "annotate_node", graph, [&](GraphContext& c) -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(key, value);
    return c.graph.AnnotateNode(node, key, value);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AnnotateEdge(State& state, Graph graph,
                                                                    Edge edge, const char* key,
                                                                    const char* value) {
  return WithGraph(state, "annotate_edge", graph, [&](GraphContext& c) -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(key, value);
    return c.graph.AnnotateEdge(edge, key, value);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::AssignNode(State& state, LiteRtDispatchGraph graph, LiteRtDispatchNodeId node,
                              LiteRtDispatchExecutableHandle executable, const char* function) {
  return WithGraph(state, "assign_node_function", graph,
                   [&](GraphContext& context) -> ::litert::Expected<void> {
                     if (context.device->executables.Find(executable) == nullptr) {
                       return BadHandle("an executable");
                     }
                     return context.graph.Assign(node, executable, function);
                   });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::CreateInvocationOf(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchGraph graph,
    LiteRtDispatchInvocationContext* out) {
  return WithGraph(
      state, "invocation_context_create_from_graph", graph,
      [&](GraphContext& context) -> ::litert::Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(out);
        *out = nullptr;
        const auto device_context = state.devices.Find(device);
        if (device_context == nullptr) return BadHandle("a device context");
        if (device_context != context.device) {
          return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                      "the graph is of another device context");
        }
        const auto find = [&](uint64_t handle) { return device_context->executables.Find(handle); };
        LITERT_ASSIGN_OR_RETURN(
            auto invocation, GraphInvocation::Create(*device_context->device, context.graph, find));
        GraphInvocation& of_graph = *invocation;
        auto made = std::make_unique<InvocationContext>(device_context, std::move(invocation),
                                                        context.graph.inputs().size(),
                                                        context.graph.outputs().size());
        made->SetGraph(graph, of_graph);
        *out = state.invocations.Add(made.release());
        return {};
      });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetGraph(
    State& state, LiteRtDispatchInvocationContext handle, LiteRtDispatchGraph* graph) {
  return Guard("invocation_context_get_graph", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(graph);
    const auto context = state.invocations.Find(handle);
    if (context == nullptr) return BadHandle("an invocation context");
    *graph = context->graph();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::AttachEdge(State& state, LiteRtDispatchInvocationContext handle,
                              LiteRtDispatchEdgeId edge, LiteRtTensorBufferHandle buffer) {
  return WithInvocation(
      state, "attach_edge_buffer", handle, [&](InvocationContext& c) -> ::litert::Expected<void> {
        const auto registered = c.device().buffers.Find(buffer);
        if (registered == nullptr) return BadHandle("a tensor buffer");
        LITERT_ASSIGN_OR_RETURN(const BufferMemory memory, BufferMemory::Describe(*registered));
        return c.edges().Attach(edge, buffer, memory.size_bytes);
      });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::DetachEdge(State& state, LiteRtDispatchInvocationContext handle,
                              LiteRtDispatchEdgeId edge, LiteRtTensorBufferHandle buffer) {
  return WithInvocation(
      state, "detach_edge_buffer", handle, [&](InvocationContext& c) -> ::litert::Expected<void> {
        // What is attached may be unregistered before it is detached.
        if (!c.edges().IsAttached(edge, buffer) && c.device().buffers.Find(buffer) == nullptr)
          return BadHandle("a tensor buffer");
        return c.edges().Detach(edge, buffer);
      });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_GRAPH_FUNCTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_
#define NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_

// The graph table of a dispatch library, the same for every vendor.

#include <memory>
#include <mutex>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_context.h"
#include "npukit/internal/dispatch_graph.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/graph_invocation.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchGraphCalls {
  template <class T>
  using Expected = ::litert::Expected<T>;

  static LiteRtStatus Create(LiteRtDispatchDeviceContext device, LiteRtDispatchGraph* graph) {
    return Guard("graph_create", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(graph);
      *graph = nullptr;
      const auto context = dispatch_state<D>.devices.Find(device);
      if (context == nullptr) return BadHandle("a device context");
      auto made = std::make_unique<GraphContext>();
      made->device = context;
      *graph = dispatch_state<D>.graphs.Add(made.release());
      return {};
    });
  }

  static LiteRtStatus Destroy(LiteRtDispatchGraph graph) {
    return Guard("graph_destroy", [&]() -> Expected<void> {
      if (dispatch_state<D>.graphs.Remove(graph) == nullptr) return BadHandle("a graph");
      return {};
    });
  }

  // Runs `body` on the graph behind a handle, alone.
  template <class Body>
  static LiteRtStatus With(const char* function, LiteRtDispatchGraph graph, Body body) {
    return Guard(function, [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.graphs.Find(graph);
      if (context == nullptr) return BadHandle("a graph");
      const std::lock_guard<std::mutex> lock(context->mutex);
      return body(*context);
    });
  }

  static LiteRtStatus LoadExecutable(LiteRtDispatchDeviceContext device,
                                     LiteRtDispatchExecutableType type,
                                     const LiteRtMemBuffer* bytecode,
                                     LiteRtDispatchExecutableHandle* handle) {
    return Guard("load_executable", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(bytecode, handle);
      const auto context = dispatch_state<D>.devices.Find(device);
      if (context == nullptr) return BadHandle("a device context");
      auto executable = std::make_unique<LoadedExecutable>();
      executable->type = type;
      if (static_cast<int>(type) == kJitHandleType) {
        executable->executable = bytecode->base_addr;
      } else {
        LITERT_ASSIGN_OR_RETURN(executable->bytes, ReadBytecode(*bytecode, executable->storage));
        LITERT_RETURN_IF_ERROR(context->device->CheckModule(type, executable->bytes));
      }
      *handle = context->executables.Add(executable.release());
      return {};
    });
  }

  static LiteRtStatus UnloadExecutable(LiteRtDispatchDeviceContext device,
                                       LiteRtDispatchExecutableHandle handle) {
    return Guard("unload_executable", [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.devices.Find(device);
      if (context == nullptr) return BadHandle("a device context");
      if (context->executables.Remove(handle) == nullptr) return BadHandle("an executable");
      return {};
    });
  }

  static LiteRtStatus Assign(LiteRtDispatchGraph graph, LiteRtDispatchNodeId node,
                             LiteRtDispatchExecutableHandle executable, const char* function) {
    return With("assign_node_function", graph, [&](GraphContext& context) -> Expected<void> {
      if (context.device->executables.Find(executable) == nullptr) {
        return BadHandle("an executable");
      }
      return context.graph.Assign(node, executable, function);
    });
  }

  static LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device,
                                       LiteRtDispatchGraph graph,
                                       LiteRtDispatchInvocationContext* out) {
    return With("invocation_context_create_from_graph", graph,
                [&](GraphContext& context) -> Expected<void> {
                  NPUKIT_INTERNAL_REQUIRE(out);
                  *out = nullptr;
                  const auto device_context = dispatch_state<D>.devices.Find(device);
                  if (device_context == nullptr) return BadHandle("a device context");
                  if (device_context != context.device) {
                    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                                "the graph is of another device context");
                  }
                  const auto find = [&](uint64_t handle) {
                    return device_context->executables.Find(handle);
                  };
                  LITERT_ASSIGN_OR_RETURN(
                      auto invocation,
                      GraphInvocation::Create(*device_context->device, context.graph, find));
                  GraphInvocation& of_graph = *invocation;
                  auto made = std::make_unique<InvocationContext>(
                      device_context, std::move(invocation), context.graph.inputs().size(),
                      context.graph.outputs().size());
                  made->SetGraph(graph, of_graph);
                  *out = dispatch_state<D>.invocations.Add(made.release());
                  return {};
                });
  }

  static LiteRtStatus GetGraph(LiteRtDispatchInvocationContext handle, LiteRtDispatchGraph* graph) {
    return Guard("invocation_context_get_graph", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(graph);
      const auto context = dispatch_state<D>.invocations.Find(handle);
      if (context == nullptr) return BadHandle("an invocation context");
      *graph = context->graph();
      return {};
    });
  }

  // LiteRtDispatchAttachEdgeBufferT and LiteRtDispatchDetachEdgeBufferT, which only the newest headers
  // have.
  using BindEdge = LiteRtStatus (*)(LiteRtDispatchInvocationContext, LiteRtDispatchEdgeId,
                                    LiteRtTensorBufferHandle);

  static LiteRtStatus AttachEdge(LiteRtDispatchInvocationContext handle, LiteRtDispatchEdgeId edge,
                                 LiteRtTensorBufferHandle buffer) {
    return WithEdges("attach_edge_buffer", handle, [&](InvocationContext& c) -> Expected<void> {
      const auto registered = c.device().buffers.Find(buffer);
      if (registered == nullptr) return BadHandle("a tensor buffer");
      LITERT_ASSIGN_OR_RETURN(const BufferMemory memory, BufferMemory::Describe(*registered));
      return c.edges().Attach(edge, buffer, memory.size_bytes);
    });
  }

  static LiteRtStatus DetachEdge(LiteRtDispatchInvocationContext handle, LiteRtDispatchEdgeId edge,
                                 LiteRtTensorBufferHandle buffer) {
    return WithEdges("detach_edge_buffer", handle, [&](InvocationContext& c) -> Expected<void> {
      // What is attached may be unregistered before it is detached.
      if (!c.edges().IsAttached(edge, buffer) && c.device().buffers.Find(buffer) == nullptr)
        return BadHandle("a tensor buffer");
      return c.edges().Detach(edge, buffer);
    });
  }

  template <class Body>
  static LiteRtStatus WithEdges(const char* function, LiteRtDispatchInvocationContext handle,
                                Body body) {
    return Guard(function, [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.invocations.Find(handle);
      if (context == nullptr) return BadHandle("an invocation context");
      const std::lock_guard<std::mutex> lock(context->mutex());
      return body(*context);
    });
  }

  static constexpr LiteRtDispatchGraphInterface Make() {
    using Graph = LiteRtDispatchGraph;
    using Node = LiteRtDispatchNodeId;
    using Edge = LiteRtDispatchEdgeId;
    LiteRtDispatchGraphInterface t{};
    t.graph_create = Create;
    t.graph_destroy = Destroy;
    t.add_node = [](Graph graph, Node node, LiteRtDispatchNodeType type) {
      return With("add_node", graph, [&](GraphContext& c) { return c.graph.AddNode(node, type); });
    };
    t.add_edge = [](Graph graph, Edge edge) {
      return With("add_edge", graph, [&](GraphContext& c) { return c.graph.AddEdge(edge); });
    };
    t.connect_node_input = [](Graph graph, Node node, int index, Edge edge) {
      return With("connect_node_input", graph,
                  [&](GraphContext& c) { return c.graph.ConnectNodeInput(node, index, edge); });
    };
    t.connect_node_output = [](Graph graph, Node node, int index, Edge edge) {
      return With("connect_node_output", graph,
                  [&](GraphContext& c) { return c.graph.ConnectNodeOutput(node, index, edge); });
    };
    t.connect_graph_input = [](Graph graph, int index, Edge edge) {
      return With("connect_graph_input", graph,
                  [&](GraphContext& c) { return c.graph.ConnectInput(index, edge); });
    };
    t.connect_graph_output = [](Graph graph, int index, Edge edge) {
      return With("connect_graph_output", graph,
                  [&](GraphContext& c) { return c.graph.ConnectOutput(index, edge); });
    };
    t.load_executable = LoadExecutable;
    t.unload_executable = UnloadExecutable;
    t.assign_node_function = Assign;
    t.annotate_graph = [](Graph graph, const char* key, const char* value) {
      return With("annotate_graph", graph, [&](GraphContext& c) -> Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(key, value);
        return c.graph.Annotate(key, value);
      });
    };
    t.annotate_node = [](Graph graph, Node node, const char* key, const char* value) {
      return With("annotate_node", graph, [&](GraphContext& c) -> Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(key, value);
        return c.graph.AnnotateNode(node, key, value);
      });
    };
    t.annotate_edge = [](Graph graph, Edge edge, const char* key, const char* value) {
      return With("annotate_edge", graph, [&](GraphContext& c) -> Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(key, value);
        return c.graph.AnnotateEdge(edge, key, value);
      });
    };
    t.invocation_context_create_from_graph = CreateInvocation;
    t.invocation_context_get_graph = GetGraph;
    return t;
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_GRAPH_CALLS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_graphs.h"

#include <utility>

#include "sdk/remote/desk/dispatch/remote_state.h"

namespace npukit::remote {
namespace {

using enum DispatchFunction;

DispatchCall OfGraph(DispatchFunction function, LiteRtDispatchGraph graph) {
  return {.function = function, .object = NumberOf(graph)};
}

void AddText(DispatchCall& call, const char* text) {
  if (text != nullptr) call.texts.emplace_back(text);
}

LiteRtStatus GraphCreate(LiteRtDispatchDeviceContext device, LiteRtDispatchGraph* graph) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call({.function = kGraphCreate,
                                          .nulls = graph == nullptr ? kNullResult : 0U,
                                          .object = NumberOf(device)},
                                         answer);
  if (status != kLiteRtStatusOk || graph == nullptr) return status;
  *graph = answer.is_null ? nullptr : state.GraphOf(answer.object);
  return status;
}

// The desk's object stays: a library may give a graph that was destroyed.
LiteRtStatus GraphDestroy(LiteRtDispatchGraph graph) {
  return CallOf(OfGraph(kGraphDestroy, graph));
}

LiteRtStatus AddNode(LiteRtDispatchGraph graph, LiteRtDispatchNodeId node,
                     LiteRtDispatchNodeType type) {
  DispatchCall call = OfGraph(kAddNode, graph);
  call.handle = node;
  call.index = static_cast<int32_t>(type);
  return CallOf(std::move(call));
}

LiteRtStatus AddEdge(LiteRtDispatchGraph graph, LiteRtDispatchEdgeId edge) {
  DispatchCall call = OfGraph(kAddEdge, graph);
  call.handle = edge;
  return CallOf(std::move(call));
}

template <DispatchFunction kFunction>
LiteRtStatus ConnectNode(LiteRtDispatchGraph graph, LiteRtDispatchNodeId node, int index,
                         LiteRtDispatchEdgeId edge) {
  DispatchCall call = OfGraph(kFunction, graph);
  call.handle = node;
  call.index = index;
  call.other = edge;
  return CallOf(std::move(call));
}

template <DispatchFunction kFunction>
LiteRtStatus ConnectGraph(LiteRtDispatchGraph graph, int index, LiteRtDispatchEdgeId edge) {
  DispatchCall call = OfGraph(kFunction, graph);
  call.index = index;
  call.other = edge;
  return CallOf(std::move(call));
}

LiteRtStatus LoadExecutable(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                            const LiteRtMemBuffer* memory, LiteRtDispatchExecutableHandle* handle) {
  DispatchCall call{.function = kLoadExecutable,
                    .nulls = handle == nullptr ? kNullResult : 0U,
                    .object = NumberOf(device),
                    .index = static_cast<int32_t>(type)};
  RemoteState& state = RemoteState::Get();
  if (const LiteRtStatus status = state.PutBytecode(memory, call); status != kLiteRtStatusOk)
    return status;
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status == kLiteRtStatusOk && handle != nullptr) *handle = answer.handle;
  return status;
}

LiteRtStatus UnloadExecutable(LiteRtDispatchDeviceContext device,
                              LiteRtDispatchExecutableHandle handle) {
  return CallOf({.function = kUnloadExecutable, .object = NumberOf(device), .handle = handle});
}

LiteRtStatus AssignNodeFunction(LiteRtDispatchGraph graph, LiteRtDispatchNodeId node,
                                LiteRtDispatchExecutableHandle executable, const char* name) {
  DispatchCall call = OfGraph(kAssignNodeFunction, graph);
  call.handle = node;
  call.other = executable;
  AddText(call, name);
  return CallOf(std::move(call));
}

LiteRtStatus AnnotateGraph(LiteRtDispatchGraph graph, const char* key, const char* value) {
  DispatchCall call = OfGraph(kAnnotateGraph, graph);
  AddText(call, key);
  AddText(call, value);
  return CallOf(std::move(call));
}

template <DispatchFunction kFunction>
LiteRtStatus Annotate(LiteRtDispatchGraph graph, uint64_t id, const char* key, const char* value) {
  DispatchCall call = OfGraph(kFunction, graph);
  call.handle = id;
  AddText(call, key);
  AddText(call, value);
  return CallOf(std::move(call));
}

LiteRtStatus CreateFromGraph(LiteRtDispatchDeviceContext device, LiteRtDispatchGraph graph,
                             LiteRtDispatchInvocationContext* context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call({.function = kInvocationCreateFromGraph,
                                          .nulls = context == nullptr ? kNullResult : 0U,
                                          .object = NumberOf(device),
                                          .other = NumberOf(graph)},
                                         answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  *context = answer.is_null ? nullptr
                            : reinterpret_cast<LiteRtDispatchInvocationContext>(
                                  state.AddInvocation(answer.object, FromHandle(device)));
  return status;
}

LiteRtStatus GetGraph(LiteRtDispatchInvocationContext context, LiteRtDispatchGraph* graph) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call({.function = kInvocationGetGraph,
                                          .nulls = graph == nullptr ? kNullResult : 0U,
                                          .object = NumberOf(context)},
                                         answer);
  if (status != kLiteRtStatusOk || graph == nullptr) return status;
  *graph = answer.is_null ? nullptr : state.GraphOf(answer.object);
  return status;
}

}  // namespace

const LiteRtDispatchGraphInterface remote_graph_table = {
    .graph_create = GraphCreate,
    .graph_destroy = GraphDestroy,
    .add_node = AddNode,
    .add_edge = AddEdge,
    .connect_node_input = ConnectNode<kConnectNodeInput>,
    .connect_node_output = ConnectNode<kConnectNodeOutput>,
    .connect_graph_input = ConnectGraph<kConnectGraphInput>,
    .connect_graph_output = ConnectGraph<kConnectGraphOutput>,
    .load_executable = LoadExecutable,
    .unload_executable = UnloadExecutable,
    .assign_node_function = AssignNodeFunction,
    .annotate_graph = AnnotateGraph,
    .annotate_node = Annotate<kAnnotateNode>,
    .annotate_edge = Annotate<kAnnotateEdge>,
    .invocation_context_create_from_graph = CreateFromGraph,
    .invocation_context_get_graph = GetGraph,
};

}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A library's graphs of executables.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

litert::Unexpected NoSuchGraph(uint64_t number) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("there is no graph {}", number));
}

// Texts that were not sent are null pointers.
const char* TextOr0(const DispatchCall& call, size_t index) {
  return index < call.texts.size() ? call.texts[index].c_str() : nullptr;
}

}  // namespace

litert::Expected<LiteRtDispatchGraph> LibrarySession::GraphOf(uint64_t number) const {
  if (number == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(number);
  if (found == graphs_.end()) return NoSuchGraph(number);
  return found->second;
}

litert::Expected<DispatchAnswer> LibrarySession::RunOnGraphs(const DispatchCall& call) {
  using enum DispatchFunction;
  if (library_->tables().graph == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, "the library has no graphs");
  const LiteRtDispatchGraphInterface& table = *library_->tables().graph;
  const auto status = [](LiteRtStatus given) { return DispatchAnswer{.status = given}; };
  switch (call.function) {
    case kGraphCreate:
      return CreateGraph(call);
    case kLoadExecutable:
      return LoadExecutable(call);
    case kInvocationCreateFromGraph:
      return CreateFromGraph(call);
    case kInvocationGetGraph:
      return GetGraph(call);
    case kUnloadExecutable:
      return UnloadExecutable(call);
    default:
      break;
  }
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchGraph graph, GraphOf(call.object));
  switch (call.function) {
    case kGraphDestroy:
      return DestroyGraph(call, graph);
    case kAddNode:
      return status(
          table.add_node(graph, call.handle, static_cast<LiteRtDispatchNodeType>(call.index)));
    case kAddEdge:
      return status(table.add_edge(graph, call.handle));
    case kConnectNodeInput:
      return status(table.connect_node_input(graph, call.handle, call.index, call.other));
    case kConnectNodeOutput:
      return status(table.connect_node_output(graph, call.handle, call.index, call.other));
    case kConnectGraphInput:
      return status(table.connect_graph_input(graph, call.index, call.other));
    case kConnectGraphOutput:
      return status(table.connect_graph_output(graph, call.index, call.other));
    case kAssignNodeFunction:
      return status(table.assign_node_function(graph, call.handle, call.other, TextOr0(call, 0)));
    case kAnnotateGraph:
      return status(table.annotate_graph(graph, TextOr0(call, 0), TextOr0(call, 1)));
    case kAnnotateNode:
      return status(table.annotate_node(graph, call.handle, TextOr0(call, 0), TextOr0(call, 1)));
    case kAnnotateEdge:
      return status(table.annotate_edge(graph, call.handle, TextOr0(call, 0), TextOr0(call, 1)));
    default:
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                "a call of a function that does not exist");
  }
}

litert::Expected<DispatchAnswer> LibrarySession::CreateGraph(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  LiteRtDispatchGraph graph = nullptr;
  DispatchAnswer answer{.status = library_->tables().graph->graph_create(
                            device, (call.nulls & kNullResult) != 0 ? nullptr : &graph)};
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = graph == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = NumberFor(call);
  graphs_.emplace(answer.object, graph);
  return answer;
}

DispatchAnswer LibrarySession::DestroyGraph(const DispatchCall& call, LiteRtDispatchGraph graph) {
  // Before the call: after it the pointer may be another graph's.
  decltype(graphs_)::node_type known;
  {
    const std::lock_guard lock(mutex_);
    known = graphs_.extract(call.object);
  }
  const LiteRtStatus status = library_->tables().graph->graph_destroy(graph);
  if (status != kLiteRtStatusOk && known) {
    // A library that refuses still has it, and may be asked again.
    const std::lock_guard lock(mutex_);
    graphs_.insert(std::move(known));
  }
  return {.status = status};
}

litert::Expected<DispatchAnswer> LibrarySession::LoadExecutable(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  std::vector<uint8_t> bytes;
  LiteRtMemBuffer memory = {};
  LITERT_RETURN_IF_ERROR(TakeBytecode(call, bytes, memory));
  LiteRtDispatchExecutableHandle handle = 0;
  DispatchAnswer answer{.status = library_->tables().graph->load_executable(
                            device, static_cast<LiteRtDispatchExecutableType>(call.index),
                            (call.nulls & kNullBuffer) != 0 ? nullptr : &memory,
                            (call.nulls & kNullResult) != 0 ? nullptr : &handle)};
  answer.handle = handle;
  const std::lock_guard lock(mutex_);
  // As in Keep() moving leaves the bytes where they are.
  if (answer.status == kLiteRtStatusOk)
    executables_[{call.object, handle}].bytes.push_back(std::move(bytes));
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::UnloadExecutable(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  const DispatchAnswer answer{.status =
                                  library_->tables().graph->unload_executable(device, call.handle)};
  if (answer.status != kLiteRtStatusOk) return answer;
  const std::lock_guard lock(mutex_);
  const auto found = executables_.find({call.object, call.handle});
  if (found != executables_.end() && ++found->second.num_unloaded == found->second.bytes.size())
    executables_.erase(found);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::CreateFromGraph(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchGraph graph, GraphOf(call.other));
  Invocation made;
  made.device = call.object;
  const LiteRtStatus status = library_->tables().graph->invocation_context_create_from_graph(
      device, graph, (call.nulls & kNullResult) != 0 ? nullptr : &made.context);
  return Keep(call, status, std::move(made));
}

litert::Expected<DispatchAnswer> LibrarySession::GetGraph(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  LiteRtDispatchGraph graph = nullptr;
  DispatchAnswer answer{
      .status = library_->tables().graph->invocation_context_get_graph(
          ContextOf(invocation), (call.nulls & kNullResult) != 0 ? nullptr : &graph)};
  if (answer.status != kLiteRtStatusOk || graph == nullptr) {
    answer.is_null = graph == nullptr;
    return answer;
  }
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(graphs_.begin(), graphs_.end(),
                                  [&](const auto& entry) { return entry.second == graph; });
  // A graph that nobody made has a number of its own, which is none of the desk's.
  answer.object = known == graphs_.end() ? ++last_object_ : known->first;
  return answer;
}

}  // namespace npukit::remote

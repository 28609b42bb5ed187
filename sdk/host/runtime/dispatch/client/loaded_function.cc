// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/loaded_function.h"

#include <fmt/format.h>

#include <span>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/buffer_handlers.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"

namespace npukit {
namespace {

constexpr LiteRtDispatchNodeId kNode = 1;

}  // namespace

bool CanLoadFunctions(const DispatchTables& tables) {
  const LiteRtDispatchGraphInterface* const graph = tables.graph;
  return graph != nullptr && graph->graph_create != nullptr && graph->graph_destroy != nullptr &&
         graph->add_node != nullptr && graph->add_edge != nullptr &&
         graph->connect_node_input != nullptr && graph->connect_node_output != nullptr &&
         graph->connect_graph_input != nullptr && graph->connect_graph_output != nullptr &&
         graph->load_executable != nullptr && graph->unload_executable != nullptr &&
         graph->assign_node_function != nullptr &&
         graph->invocation_context_create_from_graph != nullptr &&
         tables.extras.get_scratchpad_requirements != nullptr &&
         tables.extras.attach_scratchpad_buffer != nullptr;
}

litert::Expected<std::unique_ptr<LoadedFunction>> LoadedFunction::Create(
    const DispatchDevice& device, const DispatchExecutable& executable,
    const std::string& entry_point) {
  std::unique_ptr<LoadedFunction> loaded(new LoadedFunction(device, entry_point));
  LITERT_RETURN_IF_ERROR(
      loaded->Call("load_executable", device.client().tables().graph->load_executable,
                   device.context(), executable.type, &executable.memory, &loaded->executable_));
  loaded->is_loaded_ = true;
  return loaded;
}

litert::Expected<void> LoadedFunction::Close() {
  ErrorCollector errors;
  if (graph_ != nullptr) {
    errors.Add(Call("graph_destroy", client().tables().graph->graph_destroy,
                    std::exchange(graph_, nullptr)));
  }
  if (std::exchange(is_loaded_, false)) {
    errors.Add(Call("unload_executable", client().tables().graph->unload_executable,
                    device_.context(), executable_));
  }
  return errors.Result();
}

litert::Expected<PortRequirements> LoadedFunction::ScratchpadRequirements() const {
  constexpr char kCall[] = "get_scratchpad_requirements";
  LiteRtTensorBufferRequirements handle = nullptr;
  LITERT_RETURN_IF_ERROR(Call(kCall, client().tables().extras.get_scratchpad_requirements,
                              device_.context(), executable_, entry_point_.c_str(), &handle));
  if (handle == nullptr) return client().Misbehaved(OfThis(kCall), "gave null requirements");
  DispatchPort bytes;  // any number of them
  bytes.type.element_type = kLiteRtElementTypeInt8;
  bytes.type.layout.rank = 1;
  const BufferHandlers* const handlers = client().tables().buffer_handlers;
  litert::Expected<PortRequirements> read = ReadRequirements(
      handle, bytes,
      handlers != nullptr ? HandledTypes(*handlers) : std::span<const LiteRtTensorBufferType>());
  LiteRtDestroyTensorBufferRequirements(handle);
  if (!read) return client().Misbehaved(OfThis(kCall), read.Error().Message());
  return read;
}

litert::Expected<void> LoadedFunction::AttachScratchpad(const BufferRegistration& buffer) const {
  const auto attach = client().tables().extras.attach_scratchpad_buffer;
  return Call("attach_scratchpad_buffer", attach, device_.context(), executable_,
              entry_point_.c_str(), buffer.handle());
}

litert::Expected<void> LoadedFunction::MakeGraph(size_t num_inputs, size_t num_outputs) {
  const LiteRtDispatchGraphInterface& table = *client().tables().graph;
  LITERT_RETURN_IF_ERROR(Call("graph_create", table.graph_create, device_.context(), &graph_));
  LITERT_RETURN_IF_ERROR(
      Call("add_node", table.add_node, graph_, kNode, kLiteRtDispatchNodeTypeNpu));
  for (size_t i = 0; i < num_inputs + num_outputs; ++i) {
    const LiteRtDispatchEdgeId edge = i;
    LITERT_RETURN_IF_ERROR(Call("add_edge", table.add_edge, graph_, edge));
    const bool is_input = i < num_inputs;
    const auto index = static_cast<int>(is_input ? i : i - num_inputs);
    LITERT_RETURN_IF_ERROR(Call("connect_node_input or _output",
                                is_input ? table.connect_node_input : table.connect_node_output,
                                graph_, kNode, index, edge));
    LITERT_RETURN_IF_ERROR(Call("connect_graph_input or _output",
                                is_input ? table.connect_graph_input : table.connect_graph_output,
                                graph_, index, edge));
  }
  return Call("assign_node_function", table.assign_node_function, graph_, kNode, executable_,
              entry_point_.c_str());
}

litert::Expected<std::unique_ptr<DispatchInvocation>> LoadedFunction::MakeInvocation(
    size_t num_inputs, size_t num_outputs) {
  LITERT_RETURN_IF_ERROR(MakeGraph(num_inputs, num_outputs));
  constexpr char kCall[] = "invocation_context_create_from_graph";
  const auto create = client().tables().graph->invocation_context_create_from_graph;
  LiteRtDispatchInvocationContext context = nullptr;
  LITERT_RETURN_IF_ERROR(Call(kCall, create, device_.context(), graph_, &context));
  if (context == nullptr)
    return client().Misbehaved(OfThis(kCall), "gave a null invocation context");
  return DispatchInvocation::Adopt(device_, context, entry_point_);
}

std::string LoadedFunction::OfThis(std::string_view call) const {
  return fmt::format("{} of '{}'", call, entry_point_);
}

template <typename Function, typename... Args>
litert::Expected<void> LoadedFunction::Call(std::string_view name, Function function,
                                            Args... args) const {
  const LiteRtStatus status = client().Call(name, function, args...);
  if (status == kLiteRtStatusOk) return {};
  return client().CallError(status, OfThis(name));
}

}  // namespace npukit

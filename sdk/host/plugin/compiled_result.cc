// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/compiled_result.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/plugin/plugin_error.h"

namespace npukit {
namespace {

// Beyond these a plugin's number is taken for rubbish.
constexpr size_t kMaxModules = size_t{1} << 20;
constexpr size_t kMaxNameBytes = size_t{1} << 16;
constexpr size_t kMaxDebugHandles = size_t{1} << 26;

class Reader {
 public:
  Reader(const PluginFunctions& functions, LiteRtCompiledResult result, const Model& partitions,
         const std::string& plugin)
      : functions_(functions), result_(result), partitions_(partitions), plugin_(plugin) {}

  litert::Expected<CompiledPartitions> Read() {
    LITERT_RETURN_IF_ERROR(ReadModules());
    LITERT_RETURN_IF_ERROR(CheckCallCount());
    for (size_t i = 0; i < partitions_.subgraphs().size(); ++i) {
      LITERT_RETURN_IF_ERROR(ReadCall(i));
      LITERT_RETURN_IF_ERROR(ReadDebugHandles(i));
      LITERT_RETURN_IF_ERROR(ReadInPlace(i));
    }
    return std::move(compiled_);
  }

 private:
  litert::Expected<void> ReadModules() {
    LiteRtParamIndex count = 0;
    const LiteRtStatus status =
        functions_.litert.get_compiled_result_num_byte_code(result_, &count);
    const std::string call = "LiteRtCompiledResultNumByteCodeModules";
    if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
    if (count == 0 || count > kMaxModules) {
      return BadAnswer(plugin_, call,
                       fmt::format("{} modules: expected 1 to {}", count, kMaxModules));
    }
    for (size_t i = 0; i < count; ++i) LITERT_RETURN_IF_ERROR(ReadModule(i));
    return {};
  }

  // As LiteRT, asks for the executable first; with one a plugin need not have bytecode.
  litert::Expected<void> ReadModule(size_t index) {
    LITERT_ASSIGN_OR_RETURN(const LiteRtJitExecutable executable, ReadExecutable(index));
    const void* bytes = nullptr;
    size_t size_bytes = 0;
    const LiteRtStatus status =
        functions_.litert.get_compiled_result_byte_code(result_, index, &bytes, &size_bytes);
    const std::string call = fmt::format("LiteRtGetCompiledResultByteCode({})", index);
    if (status != kLiteRtStatusOk || bytes == nullptr || size_bytes == 0) {
      if (executable == nullptr && status != kLiteRtStatusOk)
        return CallFailed(status, plugin_, call);
      if (executable == nullptr)
        return BadAnswer(plugin_, call, bytes == nullptr ? "a null pointer" : "no bytes");
      size_bytes = 0;
    }
    compiled_.modules.push_back(
        SharedBytes::Copy({static_cast<const uint8_t*>(bytes), size_bytes}));
    compiled_.executables.push_back(executable);
    return {};
  }

  litert::Expected<LiteRtJitExecutable> ReadExecutable(size_t index) {
    LiteRtJitExecutable executable = nullptr;
    if (functions_.get_result_handle == nullptr) return executable;
    const LiteRtStatus status = functions_.get_result_handle(result_, index, &executable);
    if (status == kLiteRtStatusErrorUnsupported) return LiteRtJitExecutable{};
    if (status == kLiteRtStatusOk) return executable;
    return CallFailed(status, plugin_, fmt::format("LiteRtGetCompiledResultHandle({})", index));
  }

  litert::Expected<void> CheckCallCount() const {
    LiteRtParamIndex count = 0;
    const LiteRtStatus status = functions_.litert.get_compiled_result_num_calls(result_, &count);
    const std::string call = "LiteRtGetNumCompiledResultCalls";
    if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
    if (count != partitions_.subgraphs().size()) {
      return BadAnswer(plugin_, call,
                       fmt::format("{} calls: expected {}, one per partition", count,
                                   partitions_.subgraphs().size()));
    }
    return {};
  }

  litert::Expected<void> ReadCall(size_t index) {
    const void* name = nullptr;
    size_t name_bytes = 0;
    LiteRtParamIndex module = 0;
    const LiteRtStatus status = functions_.litert.get_compiled_result_call_info(
        result_, index, &name, &name_bytes, &module);
    const std::string call = fmt::format("LiteRtGetCompiledResultCallInfo({})", index);
    if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
    if (module >= compiled_.modules.size()) {
      return BadAnswer(
          plugin_, call,
          fmt::format("module {}: expected less than {}", module, compiled_.modules.size()));
    }
    if (name == nullptr || name_bytes == 0 || name_bytes > kMaxNameBytes ||
        // The dispatch library gets the name as a C string.
        std::memchr(name, '\0', name_bytes) != nullptr) {
      return BadAnswer(plugin_, call,
                       name == nullptr ? "a null pointer for the entry point"
                       : name_bytes > kMaxNameBytes
                           ? fmt::format("an entry point of {} bytes", name_bytes)
                           : "an entry point without a name, or with a zero "
                             "byte in it");
    }
    std::string entry_point(static_cast<const char*>(name), name_bytes);
    const auto [place, is_new] = call_of_entry_.emplace(std::pair(module, entry_point), index);
    if (!is_new) {
      return BadAnswer(plugin_, call,
                       fmt::format("entry point \"{}\" of module {} again: call {} has it",
                                   entry_point, module, place->second));
    }
    CompiledPartitions::Call& made = compiled_.calls.emplace_back();
    made.entry_point = std::move(entry_point);
    made.module = module;
    return {};
  }

  litert::Expected<void> ReadDebugHandles(size_t index) {
    if (functions_.get_num_debug_handles == nullptr || functions_.get_debug_handle == nullptr) {
      return {};
    }
    size_t count = 0;
    const LiteRtStatus status = functions_.get_num_debug_handles(result_, index, &count);
    if (status == kLiteRtStatusErrorUnsupported) return {};
    const std::string call = fmt::format("NpukitGetNumDebugHandles({})", index);
    if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
    if (count > kMaxDebugHandles) {
      return BadAnswer(plugin_, call, fmt::format("{} handles", count));
    }
    for (size_t i = 0; i < count; ++i) {
      LITERT_RETURN_IF_ERROR(ReadDebugHandle(index, i));
    }
    return {};
  }

  litert::Expected<void> ReadInPlace(size_t index) {
    if (functions_.get_in_place_input == nullptr) return {};
    const Subgraph& partition = partitions_.subgraph(index);
    std::set<int32_t> taken;
    for (size_t output = 0; output < partition.outputs.size(); ++output) {
      int32_t input = NPUKIT_NOT_IN_PLACE;
      const LiteRtStatus status = functions_.get_in_place_input(result_, index, output, &input);
      if (status == kLiteRtStatusErrorUnsupported) return {};
      const std::string call = fmt::format("NpukitGetInPlaceInput({}, {})", index, output);
      if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
      if (input == NPUKIT_NOT_IN_PLACE) continue;
      if (input < 0 || static_cast<size_t>(input) >= partition.inputs.size()) {
        return BadAnswer(
            plugin_, call,
            fmt::format("input {}: expected less than {}", input, partition.inputs.size()));
      }
      // Two outputs in one place would overwrite each other.
      if (!taken.insert(input).second)
        return BadAnswer(plugin_, call, fmt::format("input {} for a second output", input));
      compiled_.calls[index].in_place.push_back(
          {.output = static_cast<uint32_t>(output), .input = static_cast<uint32_t>(input)});
    }
    return {};
  }

  litert::Expected<void> ReadDebugHandle(size_t index, size_t position) {
    NpukitDebugHandleInfo info = {};
    info.struct_size = sizeof(info);
    const LiteRtStatus status = functions_.get_debug_handle(result_, index, position, &info);
    const std::string call = fmt::format("NpukitGetDebugHandle({}, {})", index, position);
    if (status != kLiteRtStatusOk) return CallFailed(status, plugin_, call);
    const size_t op_count = partitions_.subgraph(index).ops().size();
    if (info.handle == NPUKIT_NO_DEBUG_HANDLE) {
      return BadAnswer(plugin_, call, "handle 0");
    }
    if (info.op_indices == nullptr && info.num_ops != 0) {
      return BadAnswer(plugin_, call, "a null pointer for the ops");
    }
    // So many are read from there.
    if (info.num_ops > op_count) {
      return BadAnswer(plugin_, call,
                       fmt::format("{} ops: expected at most {}", info.num_ops, op_count));
    }
    CompiledPartitions::DebugHandle handle;
    handle.handle = info.handle;
    if (info.name != nullptr) handle.name = info.name;
    for (size_t i = 0; i < info.num_ops; ++i) {
      if (info.op_indices[i] >= op_count) {
        return BadAnswer(plugin_, call,
                         fmt::format("op {}: expected less than {}", info.op_indices[i], op_count));
      }
      handle.ops.push_back(info.op_indices[i]);
    }
    compiled_.calls[index].debug_handles.push_back(std::move(handle));
    return {};
  }

  const PluginFunctions& functions_;
  const LiteRtCompiledResult result_;
  const Model& partitions_;
  const std::string& plugin_;
  CompiledPartitions compiled_;
  std::map<std::pair<size_t, std::string>, size_t> call_of_entry_;
};

}  // namespace

litert::Expected<CompiledPartitions> ReadCompiledResult(const PluginFunctions& functions,
                                                        LiteRtCompiledResult result,
                                                        const Model& partitions,
                                                        const std::string& plugin) {
  return Reader(functions, result, partitions, plugin).Read();
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler plugin compiled, asked for piece by piece.

#include <fmt/format.h>

#include "litert/cc/litert_macros.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/in_place.h"
#include "sdk/remote/worker/compiler_session.h"

namespace npukit::remote {
namespace {

bool IsNull(const PluginCall& call, NullPluginArgument argument) {
  return (call.nulls & argument) != 0;
}

void PutBytes(const void* bytes, size_t size_bytes, PluginAnswer& answer) {
  answer.is_null = bytes == nullptr;
  answer.number = size_bytes;
  const auto* const begin = static_cast<const uint8_t*>(bytes);
  if (bytes != nullptr) answer.bytes.assign(begin, begin + size_bytes);
}

}  // namespace

litert::Expected<LiteRtCompiledResult> CompilerSession::ResultOf(uint64_t number) const {
  if (number == 0) return LiteRtCompiledResult{};
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(number);
  if (found == results_.end()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("there is no compiled result {}", number));
  }
  return found->second.result;
}

litert::Expected<PluginAnswer> CompilerSession::RunOnResult(const PluginCall& call) {
  if (call.function == PluginFunction::kDestroyResult) return DestroyResult(call);
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompiledResult result, ResultOf(call.object));
  PluginAnswer answer;
  LiteRtParamIndex count = 0;
  LiteRtParamIndex* const place = IsNull(call, kNullFirstResult) ? nullptr : &count;
  switch (call.function) {
    case PluginFunction::kNumModules:
      answer.status = api().get_compiled_result_num_byte_code(result, place);
      answer.number = count;
      return answer;
    case PluginFunction::kNumCalls:
      answer.status = api().get_compiled_result_num_calls(result, place);
      answer.number = count;
      return answer;
    case PluginFunction::kModule:
      return Module(call, result);
    case PluginFunction::kCallInfo:
      return CallInfo(call, result);
    case PluginFunction::kNumDebugHandles:
      return NumDebugHandles(call, result);
    case PluginFunction::kDebugHandle:
      return DebugHandle(call, result);
    default:
      return InPlaceInput(call, result);
  }
}

litert::Expected<PluginAnswer> CompilerSession::DestroyResult(const PluginCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompiledResult result, ResultOf(call.object));
  api().destroy_compiled_result(result);
  const std::lock_guard lock(mutex_);
  results_.erase(call.object);
  return PluginAnswer{};
}

PluginAnswer CompilerSession::Module(const PluginCall& call, LiteRtCompiledResult result) const {
  const void* bytes = nullptr;
  size_t size_bytes = 0;
  PluginAnswer answer;
  answer.status =
      api().get_compiled_result_byte_code(result, static_cast<LiteRtParamIndex>(call.index),
                                          IsNull(call, kNullFirstResult) ? nullptr : &bytes,
                                          IsNull(call, kNullSecondResult) ? nullptr : &size_bytes);
  if (answer.status == kLiteRtStatusOk) PutBytes(bytes, size_bytes, answer);
  return answer;
}

PluginAnswer CompilerSession::CallInfo(const PluginCall& call, LiteRtCompiledResult result) const {
  const void* bytes = nullptr;
  size_t size_bytes = 0;
  LiteRtParamIndex module = 0;
  PluginAnswer answer;
  answer.status =
      api().get_compiled_result_call_info(result, static_cast<LiteRtParamIndex>(call.index),
                                          IsNull(call, kNullFirstResult) ? nullptr : &bytes,
                                          IsNull(call, kNullSecondResult) ? nullptr : &size_bytes,
                                          IsNull(call, kNullThirdResult) ? nullptr : &module);
  if (answer.status != kLiteRtStatusOk) return answer;
  PutBytes(bytes, size_bytes, answer);
  answer.number = module;
  return answer;
}

PluginAnswer CompilerSession::NumDebugHandles(const PluginCall& call,
                                              LiteRtCompiledResult result) const {
  PluginAnswer answer{.status = kLiteRtStatusErrorUnsupported};
  if (functions_.get_num_debug_handles == nullptr) return answer;
  size_t count = 0;
  answer.status =
      functions_.get_num_debug_handles(result, static_cast<LiteRtParamIndex>(call.index),
                                       IsNull(call, kNullFirstResult) ? nullptr : &count);
  answer.number = count;
  return answer;
}

PluginAnswer CompilerSession::DebugHandle(const PluginCall& call,
                                          LiteRtCompiledResult result) const {
  PluginAnswer answer{.status = kLiteRtStatusErrorUnsupported};
  if (functions_.get_debug_handle == nullptr) return answer;
  NpukitDebugHandleInfo info = {};
  info.struct_size = sizeof(info);
  answer.status = functions_.get_debug_handle(result, static_cast<LiteRtParamIndex>(call.index),
                                              static_cast<size_t>(call.other),
                                              IsNull(call, kNullFirstResult) ? nullptr : &info);
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.number = info.handle;
  if (info.name != nullptr) answer.text = info.name;
  // Ops that are announced and not there.
  answer.is_null = info.op_indices == nullptr && info.num_ops != 0;
  if (info.op_indices != nullptr)
    answer.ops.assign(info.op_indices, info.op_indices + info.num_ops);
  return answer;
}

PluginAnswer CompilerSession::InPlaceInput(const PluginCall& call,
                                           LiteRtCompiledResult result) const {
  PluginAnswer answer{.status = kLiteRtStatusErrorUnsupported};
  if (functions_.get_in_place_input == nullptr) return answer;
  int32_t input = NPUKIT_NOT_IN_PLACE;
  answer.status = functions_.get_in_place_input(result, static_cast<LiteRtParamIndex>(call.index),
                                                static_cast<LiteRtParamIndex>(call.other),
                                                IsNull(call, kNullFirstResult) ? nullptr : &input);
  answer.numbers[0] = input;
  return answer;
}

}  // namespace npukit::remote

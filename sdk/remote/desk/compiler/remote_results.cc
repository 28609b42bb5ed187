// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/remote_results.h"

#include <utility>
#include <vector>

#include "sdk/remote/desk/compiler/plugin_state.h"

namespace npukit::remote {

void DestroyCompiledResult(LiteRtCompiledResult result) {
  PluginAnswer ignored;
  PluginState::Get().Call(CallOn(PluginFunction::kDestroyResult, result), ignored);
  if (result != nullptr) PluginState::Get().Remove(result);
}

LiteRtStatus NumByteCodeModules(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  return CallForNumber(CallOn(PluginFunction::kNumModules, result), count);
}

LiteRtStatus NumCalls(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  return CallForNumber(CallOn(PluginFunction::kNumCalls, result), count);
}

LiteRtStatus GetByteCode(LiteRtCompiledResult result, LiteRtParamIndex index, const void** bytes,
                         size_t* size_bytes) {
  PluginCall call = CallOn(PluginFunction::kModule, result);
  call.index = index;
  if (bytes == nullptr) call.nulls |= kNullFirstResult;
  if (size_bytes == nullptr) call.nulls |= kNullSecondResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk) return status;
  if (bytes == nullptr || answer.is_null || result == nullptr) {
    if (size_bytes != nullptr) *size_bytes = static_cast<size_t>(answer.number);
    if (bytes != nullptr) *bytes = nullptr;
    return status;
  }
  // A pointer, even to no bytes: null would say that there is no such module.
  answer.bytes.reserve(1);
  const auto lock = state.Lock();
  // Bytes that were given out stay where they are. The size is theirs, whatever the device says of
  // it now.
  const std::vector<uint8_t>& kept =
      FromHandle(result)->modules.try_emplace(index, std::move(answer.bytes)).first->second;
  *bytes = kept.data();
  if (size_bytes != nullptr) *size_bytes = kept.size();
  return status;
}

LiteRtStatus GetCallInfo(LiteRtCompiledResult result, LiteRtParamIndex index, const void** info,
                         size_t* size_bytes, LiteRtParamIndex* module) {
  PluginCall call = CallOn(PluginFunction::kCallInfo, result);
  call.index = index;
  if (info == nullptr) call.nulls |= kNullFirstResult;
  if (size_bytes == nullptr) call.nulls |= kNullSecondResult;
  if (module == nullptr) call.nulls |= kNullThirdResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk) return status;
  if (size_bytes != nullptr) *size_bytes = answer.bytes.size();
  if (module != nullptr) *module = static_cast<LiteRtParamIndex>(answer.number);
  if (info == nullptr) return status;
  *info = nullptr;
  if (answer.is_null || result == nullptr) return status;
  answer.bytes.reserve(1);  // a pointer, even to no bytes
  const auto lock = state.Lock();
  *info = FromHandle(result)->entry_points.emplace_back(std::move(answer.bytes)).data();
  return status;
}

LiteRtStatus NumDebugHandles(LiteRtCompiledResult result, LiteRtParamIndex call, size_t* count) {
  PluginCall asked = CallOn(PluginFunction::kNumDebugHandles, result);
  asked.index = call;
  return CallForNumber(std::move(asked), count);
}

LiteRtStatus GetDebugHandle(LiteRtCompiledResult result, LiteRtParamIndex call, size_t position,
                            NpukitDebugHandleInfo* info) {
  PluginCall asked = CallOn(PluginFunction::kDebugHandle, result);
  asked.index = call;
  asked.other = position;
  if (info == nullptr) asked.nulls |= kNullFirstResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(asked), answer);
  if (status != kLiteRtStatusOk || info == nullptr || result == nullptr) return status;
  const auto lock = state.Lock();
  const DeskResult::Handle& kept = FromHandle(result)->handles.emplace_back(
      DeskResult::Handle{.name = std::move(answer.text), .ops = std::move(answer.ops)});
  info->handle = static_cast<NpukitDebugHandle>(answer.number);
  info->name = kept.name.c_str();
  info->op_indices = answer.is_null ? nullptr : kept.ops.data();
  info->num_ops = answer.is_null ? 1 : kept.ops.size();
  return status;
}

LiteRtStatus GetInPlaceInput(LiteRtCompiledResult result, LiteRtParamIndex call,
                             LiteRtParamIndex output, int32_t* input) {
  PluginCall asked = CallOn(PluginFunction::kInPlaceInput, result);
  asked.index = call;
  asked.other = output;
  if (input == nullptr) asked.nulls |= kNullFirstResult;
  PluginAnswer answer;
  const LiteRtStatus status = PluginState::Get().Call(std::move(asked), answer);
  if (status == kLiteRtStatusOk && input != nullptr) *input = answer.numbers[0];
  return status;
}

}  // namespace npukit::remote

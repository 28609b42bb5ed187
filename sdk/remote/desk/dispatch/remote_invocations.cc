// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_invocations.h"

#include <vector>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "sdk/remote/desk/dispatch/remote_state.h"

namespace npukit::remote {
namespace {

LiteRtStatus GetRequirements(DispatchFunction function, LiteRtDispatchInvocationContext context,
                             int index, const LiteRtRankedTensorType* type,
                             LiteRtTensorBufferRequirements* requirements) {
  DispatchCall call{.function = function, .object = NumberOf(context), .index = index};
  if (requirements == nullptr) call.nulls |= kNullResult;
  if (type == nullptr) {
    call.nulls |= kNullType;
  } else {
    call.type = *type;
  }
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || requirements == nullptr) return status;
  *requirements = nullptr;
  if (answer.is_null) return status;
  const Requirements& given = answer.requirements;
  std::vector<LiteRtTensorBufferType> types;
  for (const int32_t one : given.buffer_types)
    types.push_back(static_cast<LiteRtTensorBufferType>(one));
  return LiteRtCreateTensorBufferRequirementsWithAlignment(
      static_cast<int>(types.size()), types.data(), given.size_bytes,
      static_cast<int>(given.strides_elems.size()),
      given.strides_elems.empty() ? nullptr : given.strides_elems.data(), given.alignment_bytes,
      requirements);
}

template <DispatchFunction kFunction, bool kIsInput, bool kAttaches>
LiteRtStatus Bind(LiteRtDispatchInvocationContext context, int index,
                  LiteRtTensorBufferHandle handle) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = kFunction, .object = NumberOf(context), .handle = handle, .index = index},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  const auto lock = state.Lock();
  auto& attached = FromHandle(context)->attached;
  if (kAttaches) {
    attached[{kIsInput, index}] = handle;
  } else {
    attached.erase({kIsInput, index});
  }
  return status;
}

}  // namespace

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                              const LiteRtMemBuffer* memory, const char* entry_point,
                              int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* context) {
  DispatchCall call{.function = DispatchFunction::kInvocationCreate,
                    .object = NumberOf(device),
                    .index = static_cast<int32_t>(type),
                    .numbers = {num_inputs, num_outputs, 0}};
  if (context == nullptr) call.nulls |= kNullResult;
  if (entry_point != nullptr) call.texts.emplace_back(entry_point);
  RemoteState& state = RemoteState::Get();
  if (const LiteRtStatus status = state.PutBytecode(memory, call); status != kLiteRtStatusOk)
    return status;
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  *context = answer.is_null ? nullptr
                            : reinterpret_cast<LiteRtDispatchInvocationContext>(
                                  state.AddInvocation(answer.object, FromHandle(device)));
  return status;
}

LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kInvocationDestroy, .object = NumberOf(context)}, answer);
  if (context == nullptr) return status;
  if (status == kLiteRtStatusOk) {
    state.Remove(FromHandle(context));
  } else if (!InstalledLink::trouble().empty()) {
    RemoteState::LetGo(FromHandle(context));
  }
  return status;
}

LiteRtStatus GetInputRequirements(LiteRtDispatchInvocationContext context, int index,
                                  const LiteRtRankedTensorType* type,
                                  LiteRtTensorBufferRequirements* requirements) {
  return GetRequirements(DispatchFunction::kInputRequirements, context, index, type, requirements);
}

LiteRtStatus GetOutputRequirements(LiteRtDispatchInvocationContext context, int index,
                                   const LiteRtRankedTensorType* type,
                                   LiteRtTensorBufferRequirements* requirements) {
  return GetRequirements(DispatchFunction::kOutputRequirements, context, index, type, requirements);
}

LiteRtStatus AttachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle) {
  return Bind<DispatchFunction::kAttachInput, true, true>(context, index, handle);
}

LiteRtStatus AttachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle) {
  return Bind<DispatchFunction::kAttachOutput, false, true>(context, index, handle);
}

LiteRtStatus DetachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle) {
  return Bind<DispatchFunction::kDetachInput, true, false>(context, index, handle);
}

LiteRtStatus DetachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle) {
  return Bind<DispatchFunction::kDetachOutput, false, false>(context, index, handle);
}

LiteRtStatus Invoke(LiteRtDispatchInvocationContext context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  DeskRun run;
  if (context != nullptr) run = state.RunOf(*FromHandle(context));
  return state.CallOn(run, RemoteState::Contents::kSent,
                      {.function = DispatchFunction::kInvoke, .object = NumberOf(context)}, answer);
}

}  // namespace npukit::remote

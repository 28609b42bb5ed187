// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_reports.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "sdk/remote/desk/copied_text.h"
#include "sdk/remote/desk/dispatch/remote_state.h"
#include "sdk/remote/desk/readable_specs.h"

namespace npukit::remote {
namespace {

struct DeskMetrics {
  std::vector<RemoteMetric> metrics;
  LiteRtStatus past_end = kLiteRtStatusErrorInvalidArgument;
};

}  // namespace

LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext context, int detail_level) {
  return CallOf({.function = DispatchFunction::kStartMetrics,
                 .object = NumberOf(context),
                 .index = detail_level});
}

LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext context, LiteRtDispatchMetrics* metrics) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  DispatchCall call = state.StopOf(NumberOf(context));
  if (metrics == nullptr) call.nulls |= kNullResult;
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk || metrics == nullptr) return status;
  if (answer.is_null) {
    *metrics = nullptr;
    return status;
  }
  auto* const kept = new DeskMetrics{.metrics = std::move(answer.metrics)};
  if (state.link().is_judged()) kept->past_end = static_cast<LiteRtStatus>(answer.status_past_end);
  *metrics = reinterpret_cast<LiteRtDispatchMetrics>(kept);
  return status;
}

LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count) {
  if (metrics == nullptr || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = static_cast<int>(reinterpret_cast<DeskMetrics*>(metrics)->metrics.size());
  return kLiteRtStatusOk;
}

LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric) {
  if (metrics == nullptr || metric == nullptr || index < 0)
    return kLiteRtStatusErrorInvalidArgument;
  const auto* const all = reinterpret_cast<DeskMetrics*>(metrics);
  if (static_cast<size_t>(index) >= all->metrics.size()) return all->past_end;
  const RemoteMetric& from = all->metrics[static_cast<size_t>(index)];
  metric->name = from.is_named ? from.name.c_str() : nullptr;
  metric->value = {};
  metric->value.type = static_cast<LiteRtAnyType>(from.kind);
  switch (metric->value.type) {
    case kLiteRtAnyTypeBool:
      metric->value.bool_value = from.whole != 0;
      break;
    case kLiteRtAnyTypeInt:
      metric->value.int_value = from.whole;
      break;
    case kLiteRtAnyTypeReal:
      metric->value.real_value = from.real;
      break;
    case kLiteRtAnyTypeString:
      metric->value.str_value = from.text.c_str();
      break;
    default:
      metric->value.type = kLiteRtAnyTypeNone;  // a pointer of the device's
      break;
  }
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics) {
  delete reinterpret_cast<DeskMetrics*>(metrics);
  return kLiteRtStatusOk;
}

// -- npukit's own exports -------------------------------------------------------------------------

LiteRtStatus SetCompileSpecs(LiteRtDispatchDeviceContext context, const NpukitCompileSpec* specs,
                             size_t num_specs) {
  if (!AreReadable(specs, num_specs)) return kLiteRtStatusErrorInvalidArgument;
  DispatchCall call{.function = DispatchFunction::kSetCompileSpecs, .object = NumberOf(context)};
  for (size_t i = 0; i < num_specs; ++i) {
    // A path of the desk's: the device would look for a file of its own.
    if (std::strcmp(specs[i].key, NPUKIT_SPEC_SOC_FILE) == 0) return kLiteRtStatusErrorUnsupported;
    call.texts.emplace_back(specs[i].key);
    const auto* const data = static_cast<const char*>(specs[i].data);
    call.texts.emplace_back(data, data + specs[i].size_bytes);
  }
  return CallOf(std::move(call));
}

LiteRtStatus SetRecording(LiteRtDispatchInvocationContext context, uint32_t record) {
  // Intermediate values stay on the device.
  if ((record & ~uint32_t{kNpukitRecordProfile}) != 0) return kLiteRtStatusErrorUnsupported;
  return CallOf({.function = DispatchFunction::kSetRecording,
                 .object = NumberOf(context),
                 .index = static_cast<int32_t>(record)});
}

LiteRtStatus GetNumProfileEvents(LiteRtDispatchInvocationContext context, size_t* num_events) {
  if (context == nullptr || num_events == nullptr) return kLiteRtStatusErrorInvalidArgument;
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status =
      state.Call({.function = DispatchFunction::kReadProfile, .object = NumberOf(context)}, answer);
  FromHandle(context)->events = std::move(answer.events);
  *num_events = FromHandle(context)->events.size();
  return status;
}

LiteRtStatus GetProfileEvent(LiteRtDispatchInvocationContext context, size_t position,
                             NpukitProfileEvent* event) {
  if (context == nullptr || event == nullptr || event->struct_size < sizeof(NpukitProfileEvent))
    return kLiteRtStatusErrorInvalidArgument;
  const std::vector<RemoteEvent>& events = FromHandle(context)->events;
  if (position >= events.size()) return kLiteRtStatusErrorIndexOOB;
  const RemoteEvent& from = events[position];
  event->handle = from.handle;
  event->unit = from.unit.c_str();
  event->start_cycle = from.start_cycle;
  event->end_cycle = from.end_cycle;
  return kLiteRtStatusOk;
}

LiteRtStatus GetLastError(LiteRtDispatchInvocationContext context, NpukitDebugHandle* handle,
                          char* buffer, size_t buffer_size) {
  RemoteState& state = RemoteState::Get();
  std::string text = InstalledLink::trouble();
  NpukitDebugHandle from = NPUKIT_NO_DEBUG_HANDLE;
  if (text.empty()) {
    DispatchAnswer answer;
    const LiteRtStatus status = state.Call(
        {.function = DispatchFunction::kGetLastError, .object = NumberOf(context)}, answer);
    if (status != kLiteRtStatusOk) return status;
    text = answer.text;
    from = static_cast<NpukitDebugHandle>(answer.object);
  }
  if (handle != nullptr) *handle = from;
  CopyText(text, buffer, buffer_size);
  return kLiteRtStatusOk;
}

}  // namespace npukit::remote

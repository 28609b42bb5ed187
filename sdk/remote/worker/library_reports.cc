// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a library tells of its runs: metrics, profiles, errors.

#include <fmt/format.h>

#include <array>

#include "litert/cc/litert_macros.h"
#include "npukit/delegate_debug.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

// Of a library's lists, against one that counts wrongly.
constexpr size_t kMaxEntries = size_t{1} << 20;

litert::Unexpected Mistake(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

DispatchAnswer WithStatus(LiteRtStatus status) { return {.status = status}; }

RemoteMetric ReadMetric(const LiteRtMetric& metric) {
  RemoteMetric read;
  read.is_named = metric.name != nullptr;
  if (read.is_named) read.name = metric.name;
  read.kind = metric.value.type;
  switch (metric.value.type) {
    case kLiteRtAnyTypeBool:
      read.whole = metric.value.bool_value ? 1 : 0;
      break;
    case kLiteRtAnyTypeInt:
      read.whole = metric.value.int_value;
      break;
    case kLiteRtAnyTypeReal:
      read.real = metric.value.real_value;
      break;
    case kLiteRtAnyTypeString:
      if (metric.value.str_value != nullptr) read.text = metric.value.str_value;
      break;
    default:
      break;
  }
  return read;
}

}  // namespace

litert::Expected<DispatchAnswer> LibrarySession::StartMetrics(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  if (!library_->client().has_metrics()) return WithStatus(kLiteRtStatusErrorUnsupported);
  return WithStatus(api().start_metrics_collection(ContextOf(invocation), call.index));
}

litert::Expected<DispatchAnswer> LibrarySession::StopMetrics(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  if (!library_->client().has_metrics()) return WithStatus(kLiteRtStatusErrorUnsupported);
  LiteRtDispatchMetrics metrics = nullptr;
  DispatchAnswer answer = WithStatus(api().stop_metrics_collection(
      ContextOf(invocation), (call.nulls & kNullResult) != 0 ? nullptr : &metrics));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = metrics == nullptr;
  if (answer.is_null) return answer;
  int count = 0;
  answer.status = api().get_num_metrics(metrics, &count);
  if (count < 0 || static_cast<size_t>(count) > kMaxEntries)
    return Mistake(fmt::format("the library says that it has {} metrics", count));
  for (int i = 0; i < count && answer.status == kLiteRtStatusOk; ++i) {
    LiteRtMetric metric = {};
    answer.status = api().get_metric(metrics, i, &metric);
    if (answer.status == kLiteRtStatusOk) answer.metrics.push_back(ReadMetric(metric));
  }
  LiteRtMetric metric = {};
  // A library may log that there is no such metric.
  if (call.index != 0) answer.status_past_end = api().get_metric(metrics, count, &metric);
  const LiteRtStatus destroyed = api().destroy_metrics(metrics);
  if (answer.status == kLiteRtStatusOk) answer.status = destroyed;
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::SetRecording(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto set = library_->Find<NpukitDispatchSetRecordingT>("NpukitDispatchSetRecording");
  if (set == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  return WithStatus(set(ContextOf(invocation), static_cast<uint32_t>(call.index)));
}

litert::Expected<DispatchAnswer> LibrarySession::ReadProfile(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto get_count =
      library_->Find<NpukitDispatchGetNumProfileEventsT>("NpukitDispatchGetNumProfileEvents");
  const auto get = library_->Find<NpukitDispatchGetProfileEventT>("NpukitDispatchGetProfileEvent");
  if (get_count == nullptr || get == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  const LiteRtDispatchInvocationContext context = ContextOf(invocation);
  size_t count = 0;
  DispatchAnswer answer = WithStatus(get_count(context, &count));
  if (count > kMaxEntries)
    return Mistake(fmt::format("the library says that it has {} events", count));
  for (size_t i = 0; i < count && answer.status == kLiteRtStatusOk; ++i) {
    NpukitProfileEvent event = {};
    event.struct_size = sizeof(event);
    answer.status = get(context, i, &event);
    if (answer.status != kLiteRtStatusOk) break;
    answer.events.push_back({event.handle, event.unit == nullptr ? "" : event.unit,
                             event.start_cycle, event.end_cycle});
  }
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::GetLastError(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto get = library_->Find<NpukitDispatchGetLastErrorT>("NpukitDispatchGetLastError");
  if (get == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  std::array<char, 4096> text = {};
  NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
  DispatchAnswer answer = WithStatus(get(ContextOf(invocation), &handle, text.data(), text.size()));
  text.back() = '\0';
  answer.object = handle;
  answer.text = text.data();
  return answer;
}

}  // namespace npukit::remote

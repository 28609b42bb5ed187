// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/invocation_settings.h"

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"

namespace npukit {

litert::Expected<void> InvocationSettings::Apply(const DispatchInvocation& invocation) {
  if (options_ != nullptr) LITERT_RETURN_IF_ERROR(invocation.SetOptions(options_));
  if (scheduling_ != nullptr) LITERT_RETURN_IF_ERROR(invocation.SetSchedulingInfo(scheduling_));
  if (record_ != 0) {
    litert::Expected<void> set = npukit::SetRecording(invocation, record_);
    if (!set && set.Error().Status() != kLiteRtStatusErrorUnsupported) return set;
  }
  if (!metrics_level_) return {};
  litert::Expected<void> started = invocation.StartMetrics(*metrics_level_);
  if (started) {
    collecting_.insert(&invocation);
  } else {
    collecting_.erase(&invocation);  // another one's address before
    if (late_start_) late_start_ = std::move(started);
  }
  return {};
}

litert::Expected<void> InvocationSettings::SetSchedulingInfo(Invocations now,
                                                             const LiteRtSchedulingInfo* info) {
  scheduling_ = info;
  for (const auto* invocation : now) LITERT_RETURN_IF_ERROR(invocation->SetSchedulingInfo(info));
  return {};
}

litert::Expected<void> InvocationSettings::SetOptions(Invocations now, LiteRtOptions options) {
  options_ = options;
  for (const auto* invocation : now) LITERT_RETURN_IF_ERROR(invocation->SetOptions(options));
  return {};
}

litert::Expected<void> InvocationSettings::SetRecording(Invocations now, uint32_t record) {
  record_ = record;
  bool any = now.empty();
  litert::Expected<void> refused;
  for (const auto* invocation : now) {
    litert::Expected<void> set = npukit::SetRecording(*invocation, record);
    if (!set && set.Error().Status() != kLiteRtStatusErrorUnsupported) return set;
    any = any || set;
    refused = std::move(set);
  }
  return any ? litert::Expected<void>() : std::move(refused);
}

litert::Expected<void> InvocationSettings::StartMetrics(Invocations now, int detail_level) {
  metrics_level_ = detail_level;
  late_start_ = litert::Expected<void>();
  for (const auto* invocation : now) {
    litert::Expected<void> started = invocation->StartMetrics(detail_level);
    if (started) {
      collecting_.insert(invocation);
      continue;
    }
    for (const auto* other : now) (void)StopMetrics(*other);
    (void)EndMetrics();
    return started;
  }
  return {};
}

litert::Expected<DispatchMetrics> InvocationSettings::StopMetrics(
    const DispatchInvocation& invocation) {
  if (collecting_.erase(&invocation) == 0) return DispatchMetrics();
  return invocation.StopMetrics();
}

litert::Expected<void> InvocationSettings::EndMetrics() {
  metrics_level_.reset();
  collecting_.clear();
  return std::exchange(late_start_, {});
}

}  // namespace npukit

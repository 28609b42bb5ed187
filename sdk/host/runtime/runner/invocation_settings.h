// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What was asked of the dispatch ops of a runner, kept for those that a run plans later.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_INVOCATION_SETTINGS_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_INVOCATION_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"

namespace npukit {

// Each function but Apply is given the invocations that are there now.
class InvocationSettings {
 public:
  using Invocations = std::span<const DispatchInvocation* const>;

  // To one that has just been planned. It runs without metrics if its library refuses them:
  // EndMetrics tells.
  litert::Expected<void> Apply(const DispatchInvocation& invocation);

  litert::Expected<void> SetSchedulingInfo(Invocations now, const LiteRtSchedulingInfo* info);
  litert::Expected<void> SetOptions(Invocations now, LiteRtOptions options);
  // Bits of NpukitRecord. Unsupported if there are invocations and none can.
  litert::Expected<void> SetRecording(Invocations now, uint32_t record);

  // All of them, or after an error none.
  litert::Expected<void> StartMetrics(Invocations now, int detail_level);
  // Empty for one that collects none.
  litert::Expected<DispatchMetrics> StopMetrics(const DispatchInvocation& invocation);
  // After StopMetrics of each. Error: one that was planned meanwhile was refused.
  litert::Expected<void> EndMetrics();

 private:
  const LiteRtSchedulingInfo* scheduling_ = nullptr;
  LiteRtOptions options_ = nullptr;
  uint32_t record_ = 0;
  std::optional<int> metrics_level_;                // nullopt: not started
  std::set<const DispatchInvocation*> collecting_;  // only compared: some may be gone
  litert::Expected<void> late_start_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_INVOCATION_SETTINGS_H_

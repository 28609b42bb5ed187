// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/dispatch_client.h"

#include <fmt/format.h>

namespace npukit {

bool DispatchClient::has_metrics() const {
  const LiteRtDispatchInterface& table = functions();
  return table.start_metrics_collection != nullptr && table.stop_metrics_collection != nullptr &&
         table.get_num_metrics != nullptr && table.get_metric != nullptr &&
         table.destroy_metrics != nullptr;
}

litert::Error DispatchClient::CallError(LiteRtStatus status, std::string_view call) const {
  return litert::Error(status,
                       fmt::format("{}{}{}: gave {}", library_, library_.empty() ? "" : ": ", call,
                                   litert::internal::StatusString(status)));
}

litert::Error DispatchClient::Misbehaved(std::string_view call, std::string_view what) const {
  return litert::Error(
      kLiteRtStatusErrorRuntimeFailure,
      fmt::format("{}{}{}: {}", library_, library_.empty() ? "" : ": ", call, what));
}

}  // namespace npukit

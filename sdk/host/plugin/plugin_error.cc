// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_error.h"

#include <fmt/format.h>

namespace npukit {

litert::Error CallFailed(LiteRtStatus status, const std::string& plugin, const std::string& call,
                         const std::string& reason) {
  return litert::Error(status, fmt::format("{}: {} gave {}{}{}", plugin, call,
                                           litert::internal::StatusString(status),
                                           reason.empty() ? "" : ": ", reason));
}

litert::Error BadAnswer(const std::string& plugin, const std::string& call,
                        const std::string& what) {
  return litert::Error(kLiteRtStatusErrorInvalidArgument,
                       fmt::format("{}: {}: {}", plugin, call, what));
}

}  // namespace npukit

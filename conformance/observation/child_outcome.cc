// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/child_outcome.h"

#include <fmt/format.h>
#include <string.h>

namespace npukit::conformance {

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

std::string HowItEnded(const ChildOutcome& outcome) {
  switch (outcome.end) {
    case ChildOutcome::End::kSignalled:
      return "crashed with " + SignalName(outcome.signal);
    case ChildOutcome::End::kTimedOut:
      return "gave no answer in time";
    default:
      return "ended early";
  }
}

}  // namespace npukit::conformance

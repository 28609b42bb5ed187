// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: what a run with a device must have in common with one on this machine.

#ifndef NPUKIT_CONFORMANCE_RUNNER_TESTING_DEVICE_VERDICTS_H_
#define NPUKIT_CONFORMANCE_RUNNER_TESTING_DEVICE_VERDICTS_H_

#include <map>
#include <string>

#include "conformance/runner/testing/kit_tool.h"

namespace npukit::conformance {

// Of each result what does not depend on times and places.
inline std::map<std::string, std::string> VerdictsOf(const Json& report) {
  std::map<std::string, std::string> verdicts;
  for (const Json& result : report["cases"]) {
    verdicts[result["name"]] =
        result["result"].get<std::string>() + ": " + result["detail"].get<std::string>();
  }
  return verdicts;
}

// What stays with libraries of this machine (ADR 0015): a device is not asked for it.
inline bool StaysAtTheDesk(const std::string& name) {
  return name.ends_with("/dispatch.intermediates") || name.ends_with("/dispatch.resealed");
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_TESTING_DEVICE_VERDICTS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a library has no business to change in the process, and in the thread, that calls it.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_ROBUSTNESS_PROCESS_STATE_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_ROBUSTNESS_PROCESS_STATE_H_

#include <cfenv>
#include <string>
#include <utility>
#include <vector>

namespace npukit::conformance {

// As name and value.
using ProcessState = std::vector<std::pair<std::string, std::string>>;
ProcessState ReadProcessState();

// What changed, appeared or went; empty if nothing did.
std::string Change(const ProcessState& before, const ProcessState& after);

// While this lives the thread computes as some applications have it: subnormal numbers are flushed to
// zero, or, on processors of which that is not known here, results are rounded upwards.
class OwnFloatMode {
 public:
  OwnFloatMode();
  ~OwnFloatMode();
  OwnFloatMode(const OwnFloatMode&) = delete;
  OwnFloatMode& operator=(const OwnFloatMode&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_ROBUSTNESS_PROCESS_STATE_H_

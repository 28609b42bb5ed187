// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run cost, by the ops of the model as it was before it was compiled.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_OP_PROFILE_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_OP_PROFILE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/runner/session_placement.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

struct OpProfile {
  uint32_t subgraph = 0;
  uint32_t index = 0;
  std::string op;
  std::string name;  // of its first output
  Target target = Target::kCpu;
  std::string plugin;     // manufacturer; empty on the CPU
  std::string partition;  // the entry point; empty on the CPU
  // On the NPU: cycles in which any piece of the op was at work, and busy cycles by unit. A piece
  // that stands for several ops counts for each by an equal part, as does an op on the CPU.
  double cycles = 0;
  std::map<std::string, double> unit_cycles;
  size_t num_events = 0;
  uint64_t host_ns = 0;  // on the CPU
};

// Of the last run, which recorded (SetRecording with kNpukitRecordProfile) and took step times.
// `placement` gives the numbers of the CPU's ops. In the order of the run; within a partition in
// the source's. A last entry of a partition, with no op, holds what no handle explains.
litert::Expected<std::vector<OpProfile>> ProfileByOp(const SignatureRunner& runner,
                                                     const SessionPlacement& placement);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_OP_PROFILE_H_

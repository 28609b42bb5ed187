// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// --require-npu: a model that runs elsewhere than on the NPU is a failure, whatever its results.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_
#define NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/runner/session_placement.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {

class NpuRequirement {
 public:
  void AddTo(CommandLine& line);
  // Wrong usage if the option's value is none. Call it before Check.
  litert::Expected<void> Read();
  // An error that says how many ops run on the NPU if these are too few; `reason` follows it.
  litert::Expected<void> Check(size_t npu_ops, size_t cpu_ops, std::string_view reason) const;

 private:
  std::string text_;              // empty: not required
  double least_op_percent_ = -1;  // below 0: not required; 0: any
};

// What run, bench and diff make of a session that was to compile its model and runs it on the CPU.
// kDone: nothing; plugins that take no op of a model have not failed.
ExitCode CodeOfFallback(Fallback fallback);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_

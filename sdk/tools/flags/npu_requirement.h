// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// --require-npu: a model that runs elsewhere than on the NPU is a failure, whatever its results.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_
#define NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_

#include <string>
#include <string_view>
#include <utility>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/runner/session_placement.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/flags/npu_share.h"

namespace npukit::tools {

// --require-npu               something runs on the NPU
// --require-npu=90            at least 90 percent of the ops
// --require-npu=ops 90        the same
// --require-npu=macs 90       at least 90 percent of the multiply-accumulates
// Between the word and the number may stand a space, '=', ':' or ','; behind the number a '%'.
class NpuRequirement {
 public:
  NpuRequirement() = default;
  // What stands behind "--require-npu="; empty: nothing is required.
  explicit NpuRequirement(std::string text) : text_(std::move(text)) {}
  void AddTo(CommandLine& line);
  // Wrong usage if the option's value is none. Call it before Check.
  litert::Expected<void> Read();
  bool is_asked() const { return !text_.empty(); }
  // An error that says how much runs on the NPU if that is too little; `reason` follows it.
  litert::Expected<void> Check(const NpuShare& share, std::string_view reason) const;

 private:
  enum class Unit { kOps, kMacs };

  std::string text_;  // empty: not required
  Unit unit_ = Unit::kOps;
  double least_percent_ = 0;  // 0: any
};

// What run, bench, generate and diff make of a session that was to compile its model and runs it on the CPU.
// kDone: nothing; plugins that take no op of a model have not failed.
ExitCode CodeOfFallback(Fallback fallback);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_NPU_REQUIREMENT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops that the kernels do not know, since they call subgraphs or touch what lasts from run to run.
// Plans hold them as steps; control/special_op_maker.h makes them.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_SPECIAL_OPS_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_SPECIAL_OPS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"

namespace npukit {

// The outputs of a step whose shapes are known only once it has run.
class RunTimeOutputs {
 public:
  struct Output {
    std::span<const int32_t> shape;
    std::span<uint8_t> bytes;
    bool is_set = true;  // false before the first run
  };
  virtual ~RunTimeOutputs() = default;
  // Of the last run, until the next.
  virtual Output run_time_output(size_t index) const = 0;
};

struct SpecialStep {
  std::unique_ptr<kernels::Kernel> kernel;
  // Per output; nullopt: as `run_time_outputs`, a part of the kernel, gives it.
  std::vector<std::optional<kernels::Shape>> shapes;
  const RunTimeOutputs* run_time_outputs = nullptr;
  // The outputs depend on the inputs alone, and can be computed while planning.
  bool is_pure = false;
};

class SpecialOps {
 public:
  virtual ~SpecialOps() = default;
  virtual bool Knows(const Op& op) const = 0;
  // It must run where the model has it among others that do.
  virtual bool HasEffects(const Op& op) const = 0;
  // The node's input shapes are set. Errors name the op.
  virtual litert::Expected<SpecialStep> Plan(const kernels::Node& node) = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_SPECIAL_OPS_H_

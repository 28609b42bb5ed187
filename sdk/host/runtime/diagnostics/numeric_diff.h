// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Holds a run on the NPU against a run on the CPU, tensor by tensor.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_DIFF_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_DIFF_H_

#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/diagnostics/numeric_gap.h"
#include "sdk/host/runtime/diagnostics/partition_bounds.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

struct TensorDiff {
  PortInfo port;
  std::string step;  // "DISPATCH_OP entry_0", "CONV_2D": what computed it in the NPU run
  Target target = Target::kCpu;
  // The ops of the model as it was given that the step stands for; empty where it is one of them.
  std::vector<DelegateRecord::SourceOp> sources;
  // With the CPU's values at the partition's inputs: what this partition alone adds. Empty for CPU
  // steps.
  std::optional<NumericGap> isolated;
  // `isolated` against the bounds that the ops' oracles derive; equal values are within. Empty where
  // `isolated` is.
  std::optional<BoundVerdict> verdict;
  // With the NPU run's own values everywhere: errors pile up.
  std::optional<NumericGap> end_to_end;
};

// The value of an op inside a partition, held against the CPU's.
struct OpDiff {
  DelegateRecord::SourceOp op;
  std::string step;  // "DISPATCH_OP entry_0": the partition
  uint32_t handle = 0;
  std::optional<NumericGap> gap;  // end to end
};

struct NumericDiff {
  // By debug handles, where plugin and dispatch library record intermediate values; in the order in
  // which partitions run and the plugin numbers its handles.
  std::vector<OpDiff> ops;
  int first_op_divergence = -1;        // into `ops`; -1: none
  std::vector<TensorDiff> tensors;     // in the order in which the NPU run computes them
  std::vector<std::string> unmatched;  // tensors that the CPU run does not know by name
  // First tensor whose end-to-end value differs; -1: none.
  int first_divergence = -1;

  // Values of partitions beyond their bounds.
  size_t CountBeyond() const;
};

// Both runners keep their intermediates (SessionOptions::keep_intermediates) and have the same
// inputs set. Tensors are matched by name, so those whose name is empty or not unique among what
// the CPU computes are left out and listed. `given` is the model that `cpu` runs.
litert::Expected<NumericDiff> DiffRuns(const Model& given, SignatureRunner& cpu,
                                       SignatureRunner& npu);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_DIFF_H_

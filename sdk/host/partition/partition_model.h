// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The partition stage: a model and its placement in, the same model with its partitions outlined
// out. Pure.
//
//   an odml.npu_call   is a partition of its own: its body is the decomposition
//   an odml.cpu_call   is replaced by the ops of its decomposition
//   another composite  on an NPU is outlined as one op, without its decomposition; on the CPU it
//                      stays as it is (composites that are not to stay whole were unfolded before)

#ifndef NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_
#define NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/placement.h"
#include "sdk/host/partition/unfolded_model.h"

namespace npukit {

// Where an op of the given model went. Composites that were unfolded are replaced by the ops of
// their decomposition.
struct PlacedOp : UnfoldedOp {
  int partition = -1;  // -1: stays outside
  std::string reason;  // why it stays outside; empty if it doesn't
  std::string plugin;  // manufacturer of the partition's plugin; empty outside

  bool is_on_npu() const { return partition >= 0 || was_dispatch; }
};

struct PartitionedModel {
  struct Partition {
    Op* dispatch_op = nullptr;   // in `outer`
    size_t plugin = 0;           // into Placement::plugins
    LiteRtParamIndex index = 0;  // the plugin's partition index; of an npu_call 0
    bool is_npu_call = false;
    std::vector<uint32_t> ops;  // into `ops` below, by position in the body
  };
  std::unique_ptr<Model> outer;
  std::unique_ptr<Model> bodies;      // subgraph i is the body of partitions[i]
  std::vector<Partition> partitions;  // by subgraph, then in the order in which the outer graph
                                      // runs them
  std::vector<PlacedOp> ops;          // by subgraph, those of decompositions left out
};

// The models of the result share the given model's buffers. Without any partition `outer` equals
// the given model: nothing is unfolded. Errors: an npu_call with an omitted input.
litert::Expected<PartitionedModel> PartitionModel(const UnfoldedModel& unfolded,
                                                  const Placement& placement);

// "partition 0: op 3 MUL (y), op 4 ADD (z); partition 2: ..."
std::string ListPartitions(const PartitionedModel& partitioned, std::span<const size_t> which);

// One line per op and partition, for goldens.
std::string ToString(const PartitionedModel& partitioned);
// "op 3 MUL (y) -> partition 0", "op 4 ADD (z) - REASON".
std::string ToString(const PlacedOp& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which constants went where when a model was partitioned.

#ifndef NPUKIT_SDK_HOST_PARTITION_CONSTANT_REPORT_H_
#define NPUKIT_SDK_HOST_PARTITION_CONSTANT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"

namespace npukit {

// Of all constants that a model holds, also such as no op reads: they cost the file their bytes.
// Buffers count once, however many tensors refer to them.
struct ConstantReport {
  struct Partition {
    uint64_t owned_bytes = 0;        // of constants that are in no other partition, nor outside
    uint64_t shared_bytes = 0;       // of the others
    std::vector<std::string> owned;  // their tensors, by first use
    std::vector<std::string> shared;
  };
  uint64_t before_bytes = 0;          // in the given model
  uint64_t after_bytes = 0;           // in the outer model
  std::vector<Partition> partitions;  // as in PartitionedModel
};

// `given` is what was partitioned.
ConstantReport ReportConstants(const Model& given, const PartitionedModel& partitioned);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_CONSTANT_REPORT_H_

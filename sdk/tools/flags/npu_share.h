// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How much of a model runs on the NPU: in ops of the model as it was before it was compiled, and in
// multiply-accumulates.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_NPU_SHARE_H_
#define NPUKIT_SDK_TOOLS_FLAGS_NPU_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/session/session.h"

namespace npukit::tools {

struct NpuShare {
  size_t npu_ops = 0;
  size_t cpu_ops = 0;
  uint64_t npu_macs = 0;
  uint64_t cpu_macs = 0;
  // A partition that was compiled before does not tell what its ops multiply: `npu_macs` lacks them.
  bool knows_npu_macs = true;
};

// Of a placement of `given`'s ops.
NpuShare ShareOf(const Model& given, std::span<const PlacedOp> ops);

// Of a session on the model in this file. Ops inside partitions that were compiled ahead of time are
// counted by the model's metadata; without it a partition counts as one op.
NpuShare ShareOf(const Session& session, const std::string& model_path);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_NPU_SHARE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which part of a run this process does.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SHARD_H_
#define NPUKIT_CONFORMANCE_RUNNER_SHARD_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/flags/shard.h"

namespace npukit::conformance {

using tools::Shard;

// From the option, as ParseShard reads it; if that is empty from TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, else from SLURM_ARRAY_TASK_ID, _MIN and _COUNT, else
// the whole. Of each group of variables both must be set.
litert::Expected<Shard> ChooseShard(const std::string& option);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SHARD_H_

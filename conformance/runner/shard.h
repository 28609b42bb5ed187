// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which part of a run this process does.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SHARD_H_
#define NPUKIT_CONFORMANCE_RUNNER_SHARD_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Shard {
  int index = 0;  // below count
  int count = 1;
};

// From the option "i/n" (i counts from 0 or from 1, n/n being the same as 0/n); if that is empty
// from TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, else from SLURM_ARRAY_TASK_ID, _MIN and _COUNT, else
// the whole. Of each group of variables both must be set.
litert::Expected<Shard> ChooseShard(const std::string& option);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SHARD_H_

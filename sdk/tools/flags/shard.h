// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_FLAGS_SHARD_H_
#define NPUKIT_SDK_TOOLS_FLAGS_SHARD_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Which part of the work this process does: of a list every `count`-th, beginning with `index`.
struct Shard {
  int index = 0;  // below count
  int count = 1;
};

// "i/n", i from 0 or from 1: n/n is the same as 0/n. InvalidArgument names --shard.
litert::Expected<Shard> ParseShard(const std::string& text);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_SHARD_H_

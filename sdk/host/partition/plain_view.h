// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PARTITION_PLAIN_VIEW_H_
#define NPUKIT_SDK_HOST_PARTITION_PLAIN_VIEW_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// A copy of a subgraph without some of its ops, for a plugin that must not see
// what another one compiled or is going to: what they computed is an input of
// the copy, what only they read an output.
struct PlainView {
  std::unique_ptr<Subgraph> subgraph;
  std::vector<uint32_t> original;  // the position that each op has in the source
};

// Without the ops for which `hidden`, by position, is true.
PlainView ViewWithout(const Subgraph& source, const std::vector<bool>& hidden);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_PLAIN_VIEW_H_

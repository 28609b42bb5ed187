// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Some ops of a subgraph as a model of their own: what a failure is narrowed down to.

#ifndef NPUKIT_SDK_HOST_PARTITION_CUT_OUT_H_
#define NPUKIT_SDK_HOST_PARTITION_CUT_OUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

struct CutOut {
  // One subgraph, and those that its ops call or stand for; without signatures and metadata. Shares
  // the given model's buffers.
  std::unique_ptr<Model> model;
  // What the main subgraph's inputs are in the given model, in order.
  std::vector<const Tensor*> inputs;
};

// The ops with these numbers. What they read and another op, or the caller, gives becomes an input:
// the subgraph's own inputs first, in their order. What another op or the caller reads becomes an
// output, and so does an unused result. Errors: no such subgraph or op, an omitted or empty set.
litert::Expected<CutOut> CutOps(const Model& model, size_t subgraph, const std::set<uint32_t>& ops);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_CUT_OUT_H_

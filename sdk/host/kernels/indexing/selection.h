// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// What SELECT and SELECT_V2 share. Inputs: 0 condition (bool), 1 where it is true, 2 where it is
// false.

#ifndef NPUKIT_SDK_HOST_KERNELS_INDEXING_SELECTION_H_
#define NPUKIT_SDK_HOST_KERNELS_INDEXING_SELECTION_H_

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

#include "sdk/host/kernels/movement/movement.h"

namespace npukit::kernels {

// SELECT (broadcasts false): the condition has the others' shape, is a scalar, or has one element
// per slice of their first dimension. SELECT_V2: all three are broadcast.
litert::Expected<Inferred> InferSelection(const Node& node, bool broadcasts);
litert::Expected<std::unique_ptr<Kernel>> PrepareSelection(const Node& node,
                                                           const PrepareOptions& options);
litert::Expected<void> SelectionOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_INDEXING_SELECTION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// StableHLO's operators that combine elements as a subgraph says. An op does not reach its model, so
// whoever plans it reads the subgraph, which must be one op, and names the function.

#ifndef NPUKIT_SDK_HOST_KERNELS_STABLEHLO_REGION_KERNELS_H_
#define NPUKIT_SDK_HOST_KERNELS_STABLEHLO_REGION_KERNELS_H_

#include <memory>
#include <optional>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

struct RegionKernel {
  std::unique_ptr<Kernel> kernel;
  Shape shape;  // of the one output
};

// STABLEHLO_REDUCE_WINDOW of one tensor: the first value, then each element of the window in order.
// Padding and the gaps of a dilated base count as first values, as TFLite has it.
litert::Expected<RegionKernel> PlanStablehloReduceWindow(const Node& node,
                                                         ReduceWindowFunction function);

// STABLEHLO_SCATTER into one tensor; nullopt: updates replace elements. Updates that fall outside
// are left out.
litert::Expected<RegionKernel> PlanStablehloScatter(const Node& node,
                                                    std::optional<ReduceWindowFunction> function);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_STABLEHLO_REGION_KERNELS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What PAD and PADV2 share. Inputs: 0 the elements, 1 paddings [rank, 2], 2 (PADV2) the value, one
// element.

#ifndef NPUKIT_SDK_HOST_KERNELS_PADDING_H_
#define NPUKIT_SDK_HOST_KERNELS_PADDING_H_

#include "sdk/host/kernels/movement.h"

namespace npukit::kernels {

litert::Expected<Inferred> InferPadding(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> PreparePadding(const Node& node,
                                                         const PrepareOptions& options);
litert::Expected<void> PaddingOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                     std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_PADDING_H_

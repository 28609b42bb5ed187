// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/pooling/pooling.h"

#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {

litert::Expected<Pooling> PoolingOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  const auto* options = node.op->OptionsAs<Pool2DOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  Pooling pooling{.batches = in.shape[0],
                  .channels = in.shape[3],
                  .activation = options->fused_activation_function};
  LITERT_ASSIGN_OR_RETURN(pooling.height,
                          MakeWindow(node, options->padding, in.shape[1], options->filter_height,
                                     options->stride_h, /*dilation=*/1));
  LITERT_ASSIGN_OR_RETURN(pooling.width,
                          MakeWindow(node, options->padding, in.shape[2], options->filter_width,
                                     options->stride_w, /*dilation=*/1));
  return pooling;
}

litert::Expected<Inferred> InferPooling(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  LITERT_ASSIGN_OR_RETURN(
      Shape shape, NarrowShape(node, std::vector<int64_t>{pooling.batches, pooling.height.out,
                                                          pooling.width.out, pooling.channels}));
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels

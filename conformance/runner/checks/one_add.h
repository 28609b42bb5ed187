// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_ONE_ADD_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_ONE_ADD_H_

#include <memory>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/model_builder.h"

namespace npukit::conformance {

// The smallest model, for checks that have none of their own: y = x + x, four floats.
inline std::unique_ptr<Model> OneAdd() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {4});
  builder.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  builder.Output(y);
  return builder.BuildUnchecked();
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_ONE_ADD_H_

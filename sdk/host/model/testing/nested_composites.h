// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small model that unfolds to a large one.

#ifndef NPUKIT_SDK_HOST_MODEL_TESTING_NESTED_COMPOSITES_H_
#define NPUKIT_SDK_HOST_MODEL_TESTING_NESTED_COMPOSITES_H_

#include <cstdint>
#include <memory>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {

// Composites nested that deep, each level twice the next: 2^levels of them with not one op, since
// the innermost passes its input, float32[2], through.
inline std::unique_ptr<Model> DoublingComposites(int32_t levels) {
  constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;
  ModelBuilder b;
  for (int32_t i = 0; i < levels; ++i) {
    if (i > 0) b.BeginSubgraph("level");
    Tensor* in = b.Input("in", kFloat, {2});
    Tensor* once = b.Value("once", kFloat, {2});
    Tensor* twice = b.Value("twice", kFloat, {2});
    b.AddComposite("test.f", i + 1, {in}, {once});
    b.AddComposite("test.f", i + 1, {once}, {twice});
    b.Output(twice);
  }
  b.BeginSubgraph("innermost");
  b.Output(b.Input("in", kFloat, {2}));
  return b.BuildUnchecked();
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_TESTING_NESTED_COMPOSITES_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/grouping/op_dag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

// Branches may assign the same variable: no tensor says which comes first.
TEST(MakeOpDagTest, CallsOfSubgraphsStayInTheirOrder) {
  for (const LiteRtOpCode code :
       {kLiteRtOpCodeTflIf, kLiteRtOpCodeTflWhile, kLiteRtOpCodeTflCall, kLiteRtOpCodeTflCallOnce,
        kLiteRtOpCodeShloWhile, kStablehloCase}) {
    ModelBuilder m;
    Tensor* const x = m.Input("x", kFloat, {2});
    Tensor* const a = m.Value("a", kFloat, {2});
    Tensor* const b = m.Value("b", kFloat, {2});
    m.AddOp(code, {x}, {a});
    m.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {m.Value("c", kFloat, {2})});
    m.AddOp(code, {x}, {b});
    m.Output(b);
    const auto model = m.BuildUnchecked();
    const OpDag dag = MakeOpDag(*model->subgraphs().front());
    EXPECT_THAT(dag.Successors(0), ElementsAre(2)) << code;
    EXPECT_THAT(dag.Successors(1), ElementsAre()) << code;
  }
}

}  // namespace
}  // namespace npukit

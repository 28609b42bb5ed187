// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/testing/node_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace npukit::kernels::testing {
namespace {

void ExpectResult(const ResultCase& c) {
  NodeBuilder node(c.code, c.options);
  c.build(node);
  const auto outputs = node.Run(c.inputs);
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  const auto oracle = node.Oracle(c.inputs);
  ASSERT_TRUE(oracle) << oracle.Error().Message();
  ASSERT_EQ(outputs->size(), c.outputs.size());
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    EXPECT_EQ(node.node().outputs[i]->shape, c.shapes[i]);
    EXPECT_EQ((*outputs)[i], c.outputs[i]);
    const auto compared = CompareWithOracle(node.node(), (*oracle)[i], (*outputs)[i]);
    ASSERT_TRUE(compared) << compared.Error().Message();
    EXPECT_TRUE(compared->ok()) << "output " << i << " off by " << compared->max_difference;
  }
}

}  // namespace

void ExpectResults(const std::vector<ResultCase>& cases) {
  for (const ResultCase& c : cases) {
    SCOPED_TRACE(c.name);
    ExpectResult(c);
  }
}

void ExpectErrors(const std::vector<HostileCase>& cases) {
  for (const HostileCase& c : cases) {
    SCOPED_TRACE(c.name);
    NodeBuilder node(c.code, c.options);
    c.build(node);
    const auto outputs = node.Run(c.inputs);
    if (outputs) {
      ADD_FAILURE() << "no error";
      continue;
    }
    for (const std::string& part : c.says)
      EXPECT_THAT(outputs.Error().Message(), ::testing::HasSubstr(part));
  }
}

}  // namespace npukit::kernels::testing

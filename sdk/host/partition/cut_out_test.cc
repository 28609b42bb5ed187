// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/cut_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

// 0 a = x + y, 1 b = a * k, 2 c = b * x, 3 d = c + b; outputs a, d.
std::unique_ptr<Model> MakeModel() {
  ModelBuilder m;
  Tensor* x = m.Input("x", kFloat, {2});
  Tensor* y = m.Input("y", kFloat, {2});
  Tensor* k = m.Constant<float>("k", {2}, {3, 4});
  Tensor* t[4];
  for (int i = 0; i < 4; ++i)
    t[i] = m.Value(std::string(1, static_cast<char>('a' + i)), kFloat, {2});
  m.AddOp(kLiteRtOpCodeTflAdd, {x, y}, {t[0]});
  m.AddOp(kLiteRtOpCodeTflMul, {t[0], k}, {t[1]});
  m.AddOp(kLiteRtOpCodeTflMul, {t[1], x}, {t[2]});
  m.AddOp(kLiteRtOpCodeTflAdd, {t[2], t[1]}, {t[3]});
  m.Output(t[0]);
  m.Output(t[3]);
  m.AddSignature("s");
  return m.BuildUnchecked();
}

std::vector<std::string> Names(const std::vector<Tensor*>& tensors) {
  std::vector<std::string> names;
  for (const Tensor* tensor : tensors) names.push_back(tensor->name);
  return names;
}

TEST(CutOut, OpsWithWhatTheyReadAndWhatIsReadOfThem) {
  const auto model = MakeModel();
  struct Case {
    std::set<uint32_t> ops;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
  };
  const Case cases[] = {
      {{0, 1, 2, 3}, {"x", "y"}, {"a", "d"}},
      {{1}, {"a"}, {"b"}},
      {{2}, {"x", "b"}, {"c"}},
      {{1, 2}, {"x", "a"}, {"b", "c"}},
      {{0, 3}, {"x", "y", "c", "b"}, {"a", "d"}},
  };
  for (const Case& c : cases) {
    auto cut = CutOps(*model, 0, c.ops);
    ASSERT_TRUE(cut) << cut.Error();
    const Subgraph& graph = cut->model->main_subgraph();
    EXPECT_EQ(Names(graph.inputs), c.inputs);
    EXPECT_EQ(Names(graph.outputs), c.outputs);
    EXPECT_EQ(graph.ops().size(), c.ops.size());
    EXPECT_EQ(cut->inputs.size(), c.inputs.size());
    EXPECT_TRUE(cut->model->signatures.empty());
    // As a file it is a model, and the same one.
    auto bytes = SerializeModel(*cut->model);
    ASSERT_TRUE(bytes) << bytes.Error();
    auto read = ParseModel(SharedBytes::Copy(*bytes));
    ASSERT_TRUE(read) << read.Error();
    EXPECT_EQ(Names((*read)->main_subgraph().inputs), c.inputs);
  }
}

TEST(CutOut, TakesTheSubgraphsOfItsOpsAlong) {
  ModelBuilder m;
  Tensor* x = m.Input("x", kFloat, {2});
  Tensor* y = m.Value("y", kFloat, {2});
  Tensor* z = m.Value("z", kFloat, {2});
  int32_t bodies[2];
  for (int32_t& body : bodies) {
    body = m.BeginSubgraph("body");
    Tensor* in = m.Input("in", kFloat, {2});
    Tensor* out = m.Value("out", kFloat, {2});
    m.AddOp(kLiteRtOpCodeTflNeg, {in}, {out});
    m.Output(out);
  }
  m.SelectSubgraph(0);
  m.AddComposite("odml.first", bodies[0], {x}, {y});
  m.AddComposite("odml.second", bodies[1], {y}, {z});
  m.Output(z);
  const auto model = m.BuildUnchecked();
  auto cut = CutOps(*model, 0, {1});
  ASSERT_TRUE(cut) << cut.Error();
  ASSERT_EQ(cut->model->subgraphs().size(), 2u);
  const auto* options = cut->model->main_subgraph().op(0).OptionsAs<StableHLOCompositeOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->name, "odml.second");
  EXPECT_EQ(options->decomposition_subgraph_index, 1);
}

TEST(CutOut, SaysWhatIsNotThere) {
  const auto model = MakeModel();
  EXPECT_FALSE(CutOps(*model, 0, {}));
  EXPECT_FALSE(CutOps(*model, 0, {4}));
  EXPECT_FALSE(CutOps(*model, 1, {0}));
}

}  // namespace
}  // namespace npukit

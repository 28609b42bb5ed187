// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/subgraph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/model_verifier.h"

namespace npukit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// x -> [add x,x] -> a -> [mul a,x] -> b
class SubgraphEditing : public testing::Test {
 protected:
  SubgraphEditing() {
    x_ = builder_.Input("x", kLiteRtElementTypeFloat32, {4});
    a_ = builder_.Value("a", kLiteRtElementTypeFloat32, {4});
    b_ = builder_.Value("b", kLiteRtElementTypeFloat32, {4});
    add_ = builder_.AddOp(kLiteRtOpCodeTflAdd, {x_, x_}, {a_});
    mul_ = builder_.AddOp(kLiteRtOpCodeTflMul, {a_, x_}, {b_});
    builder_.Output(b_);
  }

  Subgraph& subgraph() { return builder_.model().main_subgraph(); }
  std::vector<std::string> Users(const Tensor& tensor) {
    std::vector<std::string> users;
    for (const Tensor::User& user : tensor.users) {
      users.push_back(fmt::format("{}:{}", OpName(*user.op), user.input_index));
    }
    return users;
  }
  std::vector<std::string> OpNames() {
    std::vector<std::string> names;
    for (const auto& op : subgraph().ops()) {
      names.push_back(fmt::format("{}{}", op->index, OpName(*op)));
    }
    return names;
  }

  ModelBuilder builder_;
  Tensor* x_;
  Tensor* a_;
  Tensor* b_;
  Op* add_;
  Op* mul_;
};

TEST_F(SubgraphEditing, LinksAreKept) {
  EXPECT_THAT(Users(*x_), ElementsAre("ADD:0", "ADD:1", "MUL:1"));
  EXPECT_EQ(a_->defining_op, add_);
  EXPECT_TRUE(subgraph().IsInput(*x_));
  EXPECT_TRUE(subgraph().IsOutput(*b_));
  EXPECT_FALSE(subgraph().IsOutput(*a_));
}

TEST_F(SubgraphEditing, ReplaceInput) {
  Subgraph::ReplaceInput(*add_, 1, a_);
  EXPECT_THAT(Users(*x_), ElementsAre("ADD:0", "MUL:1"));
  EXPECT_THAT(Users(*a_), ElementsAre("MUL:0", "ADD:1"));
  Subgraph::ReplaceInput(*add_, 1, nullptr);
  EXPECT_THAT(Users(*a_), ElementsAre("MUL:0"));
}

TEST_F(SubgraphEditing, ReplaceAllUsesCoversOutputs) {
  Tensor& c = subgraph().AddTensor();
  subgraph().ReplaceAllUses(*b_, c);
  EXPECT_THAT(subgraph().outputs, ElementsAre(&c));
  subgraph().ReplaceAllUses(*x_, c);
  EXPECT_THAT(x_->users, IsEmpty());
  EXPECT_THAT(add_->inputs, ElementsAre(&c, &c));
  EXPECT_THAT(Users(c), ElementsAre("ADD:0", "ADD:1", "MUL:1"));
}

TEST_F(SubgraphEditing, InsertAndEraseRenumber) {
  Op& neg = subgraph().InsertOp(1);
  neg.code = kLiteRtOpCodeTflNeg;
  EXPECT_THAT(OpNames(), ElementsAre("0ADD", "1NEG", "2MUL"));
  subgraph().EraseOpsIf([&](const Op& op) { return &op == add_; });
  EXPECT_THAT(OpNames(), ElementsAre("0NEG", "1MUL"));
  EXPECT_EQ(a_->defining_op, nullptr);
  EXPECT_THAT(Users(*x_), ElementsAre("MUL:1"));
}

TEST_F(SubgraphEditing, TensorsInUseStay) {
  Tensor& spare = subgraph().AddTensor();
  spare.name = "spare";
  subgraph().EraseTensorsIf([](const Tensor& tensor) { return tensor.name != "spare"; });
  EXPECT_EQ(subgraph().tensors().size(), 4u);
  subgraph().EraseUnusedTensors();
  EXPECT_EQ(subgraph().tensors().size(), 3u);
}

TEST_F(SubgraphEditing, QuantisationKeepsAndRenumbersItsTensors) {
  subgraph().AddTensor();  // goes away: the indices behind it shift
  Tensor& scales = subgraph().AddTensor();
  scales.name = "scales";
  a_->quantization.blockwise = {
      .scales_tensor = 4, .zero_points_tensor = -1, .block_size_elems = 2};
  subgraph().EraseUnusedTensors();
  ASSERT_EQ(subgraph().tensors().size(), 4u);
  EXPECT_EQ(subgraph().tensor(3).name, "scales");
  EXPECT_EQ(a_->quantization.blockwise->scales_tensor, 3);
  EXPECT_EQ(a_->quantization.blockwise->zero_points_tensor, -1);
}

TEST_F(SubgraphEditing, DisconnectCutsBothSides) {
  Subgraph::Disconnect(*mul_);
  EXPECT_THAT(Users(*x_), ElementsAre("ADD:0", "ADD:1"));
  EXPECT_THAT(a_->users, IsEmpty());
  EXPECT_EQ(b_->defining_op, nullptr);
}

TEST_F(SubgraphEditing, SortIsStable) {
  ASSERT_TRUE(subgraph().SortTopologically());
  EXPECT_THAT(OpNames(), ElementsAre("0ADD", "1MUL"));
  // A second producer of nothing, put first: free to stay first.
  subgraph().InsertOp(0).code = kLiteRtOpCodeTflNeg;
  Op& late = subgraph().AddOp();  // writes what ADD reads
  late.code = kLiteRtOpCodeTflAbs;
  Tensor& y = subgraph().AddTensor();
  Subgraph::AddOutput(late, y);
  Subgraph::ReplaceInput(*add_, 0, &y);
  ASSERT_TRUE(subgraph().SortTopologically());
  EXPECT_THAT(OpNames(), ElementsAre("0NEG", "1ABS", "2ADD", "3MUL"));
}

TEST_F(SubgraphEditing, SortNamesAnOpOfACycle) {
  Subgraph::ReplaceInput(*add_, 0, b_);
  const auto sorted = subgraph().SortTopologically();
  ASSERT_FALSE(sorted);
  EXPECT_THAT(sorted.Error().Message(), HasSubstr("op 0 ADD (a)"));
  EXPECT_THAT(OpNames(), ElementsAre("0ADD", "1MUL"));
}

TEST(Model, TakingASubgraphShiftsReferences) {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {1});
  Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {1});
  Op* composite = builder.AddComposite("c", 2, {x}, {y});
  EXPECT_EQ(builder.BeginSubgraph("one"), 1);
  EXPECT_EQ(builder.BeginSubgraph("two"), 2);
  Model& model = builder.model();
  const auto taken = model.TakeSubgraph(1);
  EXPECT_EQ(taken->name, "one");
  EXPECT_EQ(model.subgraph(1).name, "two");
  EXPECT_EQ(composite->OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index, 1);
}

TEST(Model, MetadataIsReplacedByName) {
  Model model;
  model.SetMetadata("a", SharedBytes::Take({1}));
  model.SetMetadata("b", SharedBytes::Take({2}));
  model.SetMetadata("a", SharedBytes::Take({3}));
  ASSERT_EQ(model.metadata.size(), 2u);
  EXPECT_EQ(model.buffers().Get(model.FindMetadata("a")->buffer).bytes[0], 3);
  EXPECT_EQ(model.FindMetadata("c"), nullptr);
  EXPECT_THAT(model.metadata_buffer, ElementsAre(3, 2));
}

TEST(BufferStore, UnknownIdsAreEmpty) {
  BufferStore store;
  const auto id = store.Add(SharedBytes::Take({1, 2}));
  EXPECT_EQ(store.Get(id).bytes.size(), 2u);
  EXPECT_TRUE(store.Get(77).bytes.empty());
  EXPECT_FALSE(store.IsOutside(id));
  store.SetOutside(id, true);
  store.SetOutside(77, true);
  EXPECT_TRUE(store.IsOutside(id));
  EXPECT_FALSE(store.IsOutside(77));
  store.SetOutside(id, false);
  EXPECT_FALSE(store.IsOutside(id));
}

TEST(Tensor, DenseBytes) {
  const struct {
    LiteRtElementType type;
    std::vector<int32_t> shape;
    std::optional<uint64_t> bytes;
  } cases[] = {
      {kLiteRtElementTypeFloat32, {2, 3}, 24},
      {kLiteRtElementTypeFloat32, {}, 4},
      {kLiteRtElementTypeInt4, {3}, 2},
      {kLiteRtElementTypeInt2, {5}, 2},
      {kLiteRtElementTypeBool, {5}, 5},
      {kLiteRtElementTypeInt8, {-1, 2}, std::nullopt},
      {kLiteRtElementTypeTfString, {1}, std::nullopt},
      {kLiteRtElementTypeInt8, {1 << 30, 1 << 30, 1 << 30}, std::nullopt},
      {kLiteRtElementTypeInt8, {1 << 30, 1 << 30, 1 << 30, 0}, 0},
      {kElementTypeFloat8E5M2, {7}, 7},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(DenseBytes(c.type, c.shape), c.bytes) << ElementTypeName(c.type);
  }
  EXPECT_EQ(ElementTypeName(static_cast<LiteRtElementType>(30)), "type 30");
}

// What is said of subgraphs each of which calls the next.
std::string ErrorOfChain(uint32_t levels) {
  ModelBuilder b;
  for (uint32_t i = 0; i <= levels; ++i) {
    if (i > 0) b.BeginSubgraph("level");
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {1});
    Tensor* y = i < levels ? b.Value("y", kLiteRtElementTypeFloat32, {1}) : x;
    if (i < levels) b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = i + 1}, {x}, {y});
    b.Output(y);
  }
  const auto model = b.Build();
  return model ? "" : model.Error().Message();
}

// A file decides how deep: what goes down the calls on the stack relies on a limit.
TEST(VerifyModel, RefusesCallsNestedTooDeep) {
  EXPECT_EQ(ErrorOfChain(128), "");
  EXPECT_EQ(ErrorOfChain(129), "subgraph 0: expected calls nested at most 128 deep, found more");
  EXPECT_THAT(ErrorOfChain(50'000), HasSubstr("calls nested at most 128 deep"));
}

TEST(Tensor, LayoutOf) {
  const int32_t shape[] = {-1, 3, 0};
  const auto layout = LayoutOf("x", shape);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->rank, 3u);
  EXPECT_FALSE(layout->has_strides);
  EXPECT_THAT(std::span(layout->dimensions, 3), ElementsAre(-1, 3, 0));
  const std::vector<int32_t> deepest(LITERT_TENSOR_MAX_RANK, 2);
  EXPECT_TRUE(LayoutOf("x", deepest));
  const auto scalar = LayoutOf("x", {});
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->rank, 0u);
  const auto deeper = LayoutOf("'x' (tensor 2)", std::vector<int32_t>(9, 1));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.Error().Status(), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(deeper.Error().Message(), "'x' (tensor 2) has 9 dimensions, expected at most 8");
}

}  // namespace
}  // namespace npukit

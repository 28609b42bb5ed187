// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_model.h read through libLiteRt.so, as a plugin reads it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_model.h"
#include "sdk/host/c_api/graph/testing/test_graph.h"
#include "sdk/host/partition/selection.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

TEST(GraphTest, WalksFromModelToTensors) {
  TestGraph graph;
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumModelSubgraphs(&graph.model, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 1u);
  LiteRtParamIndex main = 7;
  ASSERT_EQ(LiteRtGetMainModelSubgraphIndex(&graph.model, &main), kLiteRtStatusOk);
  LiteRtSubgraph subgraph = nullptr;
  ASSERT_EQ(LiteRtGetModelSubgraph(&graph.model, main, &subgraph), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetNumSubgraphInputs(subgraph, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 2u);
  LiteRtTensor tensor = nullptr;
  ASSERT_EQ(LiteRtGetSubgraphInput(subgraph, 1, &tensor), kLiteRtStatusOk);
  EXPECT_EQ(tensor, graph.y);
  ASSERT_EQ(LiteRtGetNumSubgraphOutputs(subgraph, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(LiteRtGetSubgraphOutput(subgraph, 0, &tensor), kLiteRtStatusOk);
  EXPECT_EQ(tensor, graph.out);
  ASSERT_EQ(LiteRtGetNumSubgraphOps(subgraph, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2u);
  LiteRtOp op = nullptr;
  ASSERT_EQ(LiteRtGetSubgraphOp(subgraph, 1, &op), kLiteRtStatusOk);
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  ASSERT_EQ(LiteRtGetOpCode(op, &code), kLiteRtStatusOk);
  EXPECT_EQ(code, kLiteRtOpCodeTflFullyConnected);
}

TEST(GraphTest, OmittedInputsAreLeftOut) {
  TestGraph graph;
  // sum, w, (no bias), and y moved up behind it.
  Subgraph::AddInput(*graph.fully_connected, graph.y);
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumOpInputs(graph.fully_connected, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 3u);
  std::vector<LiteRtTensor> inputs(count);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(LiteRtGetOpInput(graph.fully_connected, i, &inputs[i]), kLiteRtStatusOk);
  }
  EXPECT_THAT(inputs, ElementsAre(graph.sum, graph.w, graph.y));
  LiteRtTensor none = nullptr;
  EXPECT_EQ(LiteRtGetOpInput(graph.fully_connected, 3, &none), kLiteRtStatusErrorIndexOOB);

  LiteRtOp user = nullptr;
  LiteRtParamIndex position = 0;
  ASSERT_EQ(LiteRtGetTensorUse(graph.y, 1, &user, &position), kLiteRtStatusOk);
  EXPECT_EQ(user, graph.fully_connected);
  EXPECT_EQ(position, 2u);
}

TEST(GraphTest, TensorEdges) {
  TestGraph graph;
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumTensorUses(graph.sum, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtOp user = nullptr;
  LiteRtParamIndex position = 9;
  ASSERT_EQ(LiteRtGetTensorUse(graph.sum, 0, &user, &position), kLiteRtStatusOk);
  EXPECT_EQ(user, graph.fully_connected);
  EXPECT_EQ(position, 0u);
  EXPECT_EQ(LiteRtGetTensorUse(graph.sum, 1, &user, &position), kLiteRtStatusErrorIndexOOB);

  bool has_defining_op = false;
  LiteRtTensorDefiningOp defining_op = {};
  ASSERT_EQ(LiteRtGetTensorDefiningOp(graph.sum, &has_defining_op, &defining_op), kLiteRtStatusOk);
  EXPECT_TRUE(has_defining_op);
  EXPECT_EQ(defining_op.op, graph.add);
  EXPECT_EQ(defining_op.op_output_index, 0u);
  ASSERT_EQ(LiteRtGetTensorDefiningOp(graph.x, &has_defining_op, &defining_op), kLiteRtStatusOk);
  EXPECT_FALSE(has_defining_op);
}

TEST(GraphTest, TensorTypes) {
  TestGraph graph;
  LiteRtTensorTypeId id = kLiteRtUnrankedTensorType;
  ASSERT_EQ(LiteRtGetTensorTypeId(graph.x, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, kLiteRtRankedTensorType);
  LiteRtRankedTensorType type = {};
  ASSERT_EQ(LiteRtGetRankedTensorType(graph.x, &type), kLiteRtStatusOk);
  EXPECT_EQ(type.element_type, kLiteRtElementTypeInt8);
  EXPECT_EQ(type.layout.rank, 2u);
  EXPECT_FALSE(type.layout.has_strides);
  EXPECT_EQ(type.layout.dimensions[0], -1);  // dynamic, from the signature
  EXPECT_EQ(type.layout.dimensions[1], 4);
  LiteRtUnrankedTensorType unranked = {};
  EXPECT_EQ(LiteRtGetUnrankedTensorType(graph.x, &unranked), kLiteRtStatusErrorInvalidIrType);

  graph.y->shape.assign(LITERT_TENSOR_MAX_RANK + 1, 1);
  EXPECT_EQ(LiteRtGetRankedTensorType(graph.y, &type), kLiteRtStatusErrorUnsupported);
}

TEST(GraphTest, NamesAndIndices) {
  TestGraph graph;
  const char* name = nullptr;
  ASSERT_EQ(LiteRtGetTensorName(graph.sum, &name), kLiteRtStatusOk);
  EXPECT_STREQ(name, "sum");
  ASSERT_EQ(LiteRtGetTensorName(graph.out, &name), kLiteRtStatusOk);
  EXPECT_STREQ(name, "");
  uint32_t index = 0;
  ASSERT_EQ(LiteRtGetTensorIndex(graph.w, &index), kLiteRtStatusOk);
  EXPECT_EQ(index, 3u);
}

TEST(GraphTest, Quantization) {
  TestGraph graph;
  LiteRtQuantizationTypeId id = kLiteRtQuantizationNone;
  ASSERT_EQ(LiteRtGetQuantizationTypeId(graph.x, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, kLiteRtQuantizationPerTensor);
  LiteRtQuantizationPerTensor per_tensor = {};
  ASSERT_EQ(LiteRtGetPerTensorQuantization(graph.x, &per_tensor), kLiteRtStatusOk);
  EXPECT_EQ(per_tensor.scale, 0.5f);
  EXPECT_EQ(per_tensor.zero_point, -3);
  // A model may leave the zero point out.
  ASSERT_EQ(LiteRtGetPerTensorQuantization(graph.y, &per_tensor), kLiteRtStatusOk);
  EXPECT_EQ(per_tensor.zero_point, 0);

  ASSERT_EQ(LiteRtGetQuantizationTypeId(graph.w, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, kLiteRtQuantizationPerChannel);
  LiteRtQuantizationPerChannel per_channel = {};
  ASSERT_EQ(LiteRtGetPerChannelQuantization(graph.w, &per_channel), kLiteRtStatusOk);
  ASSERT_EQ(per_channel.num_channels, 2u);
  EXPECT_EQ(per_channel.quantized_dimension, 0);
  EXPECT_EQ(per_channel.scales[1], 2.0f);
  EXPECT_EQ(per_channel.zero_points[0], 0);
  EXPECT_EQ(per_channel.zero_points[1], 0);
  EXPECT_EQ(LiteRtGetPerTensorQuantization(graph.w, &per_tensor), kLiteRtStatusErrorInvalidIrType);
  EXPECT_EQ(LiteRtGetPerChannelQuantization(graph.x, &per_channel),
            kLiteRtStatusErrorInvalidIrType);

  ASSERT_EQ(LiteRtGetQuantizationTypeId(graph.sum, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, kLiteRtQuantizationNone);
  graph.sum->quantization.blockwise = Quantization::Blockwise{};
  ASSERT_EQ(LiteRtGetQuantizationTypeId(graph.sum, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, kLiteRtQuantizationBlockWise);
}

TEST(GraphTest, Weights) {
  TestGraph graph;
  LiteRtWeights weights = nullptr;
  ASSERT_EQ(LiteRtGetTensorWeights(graph.w, &weights), kLiteRtStatusOk);
  const void* bytes = nullptr;
  size_t size = 0;
  ASSERT_EQ(LiteRtGetWeightsBytes(weights, &bytes, &size), kLiteRtStatusOk);
  ASSERT_EQ(size, 8u);
  EXPECT_EQ(static_cast<const uint8_t*>(bytes)[7], 8);
  int32_t id = 0;
  ASSERT_EQ(LiteRtGetWeightsBufferId(weights, &id), kLiteRtStatusOk);
  EXPECT_EQ(id, 1);
  // Every tensor has weights; those of an activation are empty.
  ASSERT_EQ(LiteRtGetTensorWeights(graph.x, &weights), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetWeightsBytes(weights, &bytes, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 0u);
}

TEST(GraphTest, CustomOptions) {
  TestGraph graph;
  const uint8_t* options = nullptr;
  int32_t size = 0;
  EXPECT_EQ(LiteRtGetCustomOptions(graph.add, &options, &size), kLiteRtStatusErrorInvalidArgument);
  graph.add->code = kLiteRtOpCodeTflCustom;
  graph.add->custom_options = {7, 8};
  ASSERT_EQ(LiteRtGetCustomOptions(graph.add, &options, &size), kLiteRtStatusOk);
  EXPECT_EQ(std::vector<uint8_t>(options, options + size), std::vector<uint8_t>({7, 8}));
}

TEST(GraphTest, NameOfASubgraph) {
  TestGraph graph;
  const char* name = nullptr;
  ASSERT_EQ(LiteRtGetSubgraphName(&graph.subgraph, &name), kLiteRtStatusOk);
  EXPECT_STREQ(name, "");
  graph.subgraph.name = "main";
  ASSERT_EQ(LiteRtGetSubgraphName(&graph.subgraph, &name), kLiteRtStatusOk);
  EXPECT_STREQ(name, "main");
}

TEST(GraphTest, CustomCode) {
  TestGraph graph;
  const char* code = nullptr;
  EXPECT_EQ(LiteRtGetCustomCode(graph.add, &code), kLiteRtStatusErrorInvalidArgument);
  graph.add->code = kLiteRtOpCodeTflCustom;
  graph.add->custom_code = "MyOp";
  ASSERT_EQ(LiteRtGetCustomCode(graph.add, &code), kLiteRtStatusOk);
  EXPECT_STREQ(code, "MyOp");
}

TEST(GraphTest, AModelWithoutSignaturesHasOneOfItsMainSubgraph) {
  TestGraph graph;
  graph.model.signatures.clear();
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumModelSignatures(&graph.model, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtSignature signature = nullptr;
  ASSERT_EQ(LiteRtGetModelSignature(&graph.model, 0, &signature), kLiteRtStatusOk);
  const char* text = nullptr;
  ASSERT_EQ(LiteRtGetSignatureKey(signature, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "<placeholder signature>");
  LiteRtSubgraph subgraph = nullptr;
  ASSERT_EQ(LiteRtGetSignatureSubgraph(signature, &subgraph), kLiteRtStatusOk);
  EXPECT_EQ(subgraph, &graph.subgraph);
  ASSERT_EQ(LiteRtGetNumSignatureInputs(signature, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, graph.subgraph.inputs.size());
  EXPECT_EQ(LiteRtGetModelSignature(&graph.model, 1, &signature), kLiteRtStatusErrorIndexOOB);
  EXPECT_TRUE(graph.model.signatures.empty());
  // What was read stays while nothing changes, whoever else asks.
  ASSERT_EQ(LiteRtGetSignatureInputName(signature, 0, &text), kLiteRtStatusOk);
  const char* again = nullptr;
  ASSERT_EQ(LiteRtGetModelSignature(&graph.model, 0, &signature), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetSignatureInputName(signature, 0, &again), kLiteRtStatusOk);
  EXPECT_EQ(text, again);
  graph.subgraph.inputs[0]->name = "renamed, longer than before";
  ASSERT_EQ(LiteRtGetModelSignature(&graph.model, 0, &signature), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetSignatureInputName(signature, 0, &again), kLiteRtStatusOk);
  EXPECT_STREQ(again, "renamed, longer than before");
}

TEST(GraphTest, Signatures) {
  TestGraph graph;
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumModelSignatures(&graph.model, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 1u);
  LiteRtSignature signature = nullptr;
  ASSERT_EQ(LiteRtGetModelSignature(&graph.model, 0, &signature), kLiteRtStatusOk);
  const char* text = nullptr;
  ASSERT_EQ(LiteRtGetSignatureKey(signature, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "serving_default");
  LiteRtSubgraph subgraph = nullptr;
  ASSERT_EQ(LiteRtGetSignatureSubgraph(signature, &subgraph), kLiteRtStatusOk);
  EXPECT_EQ(subgraph, &graph.subgraph);
  ASSERT_EQ(LiteRtGetNumSignatureInputs(signature, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(LiteRtGetSignatureInputName(signature, 1, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "right");
  LiteRtTensor tensor = nullptr;
  ASSERT_EQ(LiteRtGetSignatureInputTensor(signature, "left", &tensor), kLiteRtStatusOk);
  EXPECT_EQ(tensor, graph.x);
  ASSERT_EQ(LiteRtGetSignatureInputTensorByIndex(signature, 1, &tensor), kLiteRtStatusOk);
  EXPECT_EQ(tensor, graph.y);
  ASSERT_EQ(LiteRtGetNumSignatureOutputs(signature, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(LiteRtGetSignatureOutputName(signature, 0, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "result");
  ASSERT_EQ(LiteRtGetSignatureOutputTensor(signature, "result", &tensor), kLiteRtStatusOk);
  EXPECT_EQ(tensor, graph.out);
  EXPECT_EQ(LiteRtGetSignatureOutputTensor(signature, "left", &tensor), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(LiteRtGetSignatureOutputTensorByIndex(signature, 1, &tensor),
            kLiteRtStatusErrorIndexOOB);
}

TEST(GraphTest, IndicesPastTheEnd) {
  TestGraph graph;
  LiteRtSubgraph subgraph = nullptr;
  LiteRtOp op = nullptr;
  LiteRtTensor tensor = nullptr;
  LiteRtSignature signature = nullptr;
  const char* text = nullptr;
  Signature& served = *graph.model.signatures[0];
  const LiteRtStatus oob = kLiteRtStatusErrorIndexOOB;
  EXPECT_EQ(LiteRtGetModelSubgraph(&graph.model, 1, &subgraph), oob);
  EXPECT_EQ(LiteRtGetModelSignature(&graph.model, 1, &signature), oob);
  EXPECT_EQ(LiteRtGetSubgraphInput(&graph.subgraph, 2, &tensor), oob);
  EXPECT_EQ(LiteRtGetSubgraphOutput(&graph.subgraph, 1, &tensor), oob);
  EXPECT_EQ(LiteRtGetSubgraphOp(&graph.subgraph, 2, &op), oob);
  EXPECT_EQ(LiteRtGetOpOutput(graph.add, 1, &tensor), oob);
  EXPECT_EQ(LiteRtGetSignatureInputName(&served, 2, &text), oob);
  EXPECT_EQ(LiteRtGetSignatureOutputName(&served, 1, &text), oob);
}

TEST(GraphTest, PushOpKeepsOrderAndIndices) {
  TestGraph graph;
  LiteRtOpListT list;
  ASSERT_EQ(LiteRtPushOp(&list, graph.fully_connected, 3), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtPushOp(&list, graph.add, 0), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtPushOp(&list, nullptr, 0), kLiteRtStatusErrorInvalidArgument);
  EXPECT_THAT(list.selection(),
              ElementsAre(SelectedOp{graph.fully_connected, 3}, SelectedOp{graph.add, 0}));
}

TEST(GraphTest, Metadata) {
  TestGraph graph;
  const uint8_t bytes[] = {9, 8, 7};
  ASSERT_EQ(LiteRtAddModelMetadata(&graph.model, "stamp", bytes, 3), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtAddModelMetadata(&graph.model, "stamp", bytes, 3),
            kLiteRtStatusErrorAlreadyExists);
  const void* found = nullptr;
  size_t size = 0;
  ASSERT_EQ(LiteRtGetModelMetadata(&graph.model, "stamp", &found, &size), kLiteRtStatusOk);
  ASSERT_EQ(size, 3u);
  EXPECT_NE(found, bytes);  // a copy
  EXPECT_EQ(static_cast<const uint8_t*>(found)[2], 7);
  EXPECT_EQ(LiteRtGetModelMetadata(&graph.model, "none", &found, &size),
            kLiteRtStatusErrorNotFound);
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/support_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "npukit/plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/tests/expect_ok.h"

namespace {

using npukit::ElementType;
using npukit::Ok;
using npukit::OpOptions;
using npukit::Support;
using npukit::SupportTable;
using HostTensor = LiteRtTensorT;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;

SupportTable Table() {
  return SupportTable()
      .Add(Support(kLiteRtOpCodeTflMul)
               .Types({ElementType::Float32})
               .Ranks(1, 3)
               .Where(npukit::OperandsHaveOneShape()))
      .Add(Support(kLiteRtOpCodeTflMul)
               .Types({ElementType::Int8})
               .Where(npukit::ActivationsArePerTensorQuantized())
               .Where(npukit::FusedActivationIn(LiteRtGetMulFusedActivationOption, {0, 1})))
      .Add(Support(kLiteRtOpCodeTflFullyConnected)
               .Types({ElementType::Int8})
               .InputTypes(2, {ElementType::Int32})
               .Where(npukit::NumInputs(2, 3))
               .Where(npukit::InputIsConstant(1)))
      .Add(Support(kLiteRtOpCodeTflAdd).DynamicShapes())
      .Add(Support(kLiteRtOpCodeTflCustom, "mine"))
      .Add(Support(kLiteRtOpCodeShloComposite, "odml.rms_norm"));
}

// Builds a graph and says what the table says of its only op of the main
// subgraph; "" if it is supported.
class Why {
 public:
  npukit::ModelBuilder b;

  HostTensor* Float(const char* name, std::vector<int32_t> shape) {
    return b.Input(name, kFloat, std::move(shape));
  }
  HostTensor* Int8(const char* name, std::vector<int32_t> shape) {
    return b.Input(name, kInt8, std::move(shape), npukit::PerTensor(0.5f));
  }

  std::string Not() {
    model_ = Ok(b.Build());
    const litert::Subgraph subgraph(&model_->main_subgraph());
    const auto why = Table().WhyNot(subgraph.Ops()[0]);
    EXPECT_EQ(Table().Supports(subgraph.Ops()[0]), !why);
    return why.value_or("");
  }

  std::string OfMul(HostTensor* x, HostTensor* y, HostTensor* out, OpOptions options = {}) {
    b.AddOp(kLiteRtOpCodeTflMul, std::move(options), {x, y}, {out});
    b.Output(out);
    return Not();
  }

 private:
  std::unique_ptr<LiteRtModelT> model_;
};

TEST(SupportTableTest, TakesWhatItLists) {
  Why w;
  EXPECT_EQ(w.OfMul(w.Float("x", {2}), w.Float("y", {2}), w.b.Value("z", kFloat, {2})), "");
}

TEST(SupportTableTest, NamesOpsItDoesNotHave) {
  Why w;
  auto* z = w.b.Value("z", kFloat, {2});
  w.b.AddOp(kLiteRtOpCodeTflTanh, {w.Float("x", {2})}, {z});
  w.b.Output(z);
  EXPECT_EQ(w.Not(), "the plugin does not have this op");
}

TEST(SupportTableTest, TellsCustomOpsApartByName) {
  for (const auto& [name, want] :
       {std::pair("mine", ""), std::pair("theirs", "the plugin does not have 'theirs'")}) {
    Why w;
    auto* z = w.b.Value("z", kFloat, {2});
    w.b.AddCustomOp(name, {}, {w.Float("x", {2})}, {z});
    w.b.Output(z);
    EXPECT_EQ(w.Not(), want);
  }
}

TEST(SupportTableTest, TellsCompositesApartByName) {
  for (const auto& [name, want] :
       {std::pair("odml.rms_norm", ""), std::pair("odml.x", "the plugin does not have 'odml.x'")}) {
    Why w;
    auto* x = w.Float("x", {2});
    auto* z = w.b.Value("z", kFloat, {2});
    w.b.Output(z);
    const int32_t body = w.b.BeginSubgraph("body");
    auto* u = w.b.Input("u", kFloat, {2});
    auto* v = w.b.Value("v", kFloat, {2});
    w.b.AddOp(kLiteRtOpCodeTflTanh, {u}, {v});
    w.b.Output(v);
    w.b.SelectSubgraph(0);
    w.b.AddComposite(name, body, {x}, {z});
    EXPECT_EQ(w.Not(), want);
  }
}

TEST(SupportTableTest, SaysWhichTypesItTakes) {
  Why w;
  EXPECT_EQ(w.OfMul(w.b.Input("x", kLiteRtElementTypeInt32, {2}),
                    w.b.Input("y", kLiteRtElementTypeInt32, {2}),
                    w.b.Value("z", kLiteRtElementTypeInt32, {2})),
            "input 0 is Int32, supported are Float32");
}

TEST(SupportTableTest, LetsTheRowThatComesFurthestSpeak) {
  Why w;
  auto* z = w.b.Value("z", kInt8, {2});  // Not quantized.
  EXPECT_EQ(w.OfMul(w.Int8("x", {2}), w.Int8("y", {2}), z),
            "an operand is not quantized per tensor");
}

TEST(SupportTableTest, ChecksFusedActivations) {
  Why w;
  EXPECT_EQ(
      w.OfMul(
          w.Int8("x", {2}), w.Int8("y", {2}), w.b.Value("z", kInt8, {2}, npukit::PerTensor(1)),
          npukit::MulOptions{.fused_activation_function = npukit::ActivationFunctionType::kTanh}),
      "the fused activation is not supported");
}

TEST(SupportTableTest, ChecksRanksAndShapes) {
  {
    Why w;
    EXPECT_EQ(w.OfMul(w.Float("x", {1, 1, 1, 2}), w.Float("y", {1, 1, 1, 2}),
                      w.b.Value("z", kFloat, {1, 1, 1, 2})),
              "input 0 has rank 4, supported are 1 to 3");
  }
  {
    Why w;
    EXPECT_EQ(w.OfMul(w.Float("x", {3, 2}), w.Float("y", {2}), w.b.Value("z", kFloat, {3, 2})),
              "the operands differ in shape, and broadcasting is not supported");
  }
}

TEST(SupportTableTest, TakesDynamicShapesOnlyWhereTold) {
  {
    Why w;
    EXPECT_EQ(w.OfMul(w.Float("x", {-1}), w.Float("y", {2}), w.b.Value("z", kFloat, {2})),
              "input 0 has a dynamic shape");
  }
  {
    Why w;
    auto* z = w.b.Value("z", kFloat, {-1});
    w.b.AddOp(kLiteRtOpCodeTflAdd, {w.Float("x", {-1}), w.Float("y", {-1})}, {z});
    w.b.Output(z);
    EXPECT_EQ(w.Not(), "");
  }
}

TEST(SupportTableTest, ChecksOperandsByPosition) {
  for (const bool constant : {true, false}) {
    Why w;
    auto* x = w.Int8("x", {1, 2});
    auto* weights = constant ? w.b.Constant<int8_t>("w", {1, 2}, {1, 2}) : w.Int8("w", {1, 2});
    auto* bias = w.b.Constant<int32_t>("b", {1}, {5});
    auto* z = w.b.Value("z", kInt8, {1, 1}, npukit::PerTensor(1));
    w.b.AddOp(kLiteRtOpCodeTflFullyConnected, {x, weights, bias}, {z});
    w.b.Output(z);
    EXPECT_EQ(w.Not(), constant ? "" : "input 1 is not constant");
  }
}

}  // namespace

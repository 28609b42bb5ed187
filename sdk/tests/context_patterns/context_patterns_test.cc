// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The pattern functions of this folder, called as the host does: with its whole table, and with one
// that ends before the functions of the builder, for which the library then asks the host's library.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_op_options.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/rewrite/builder.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr bool kHasBlockWiseArgument = true;  // as for every plugin since LiteRT 2.2

using Pattern = LiteRtStatus (*)(const LiteRtCompilerContext* context, LiteRtBuilder builder,
                                 LiteRtOp op);

Pattern Load(const char* name) {
  static void* const library = dlopen(NPUKIT_CONTEXT_PATTERNS, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library == nullptr ? nullptr : reinterpret_cast<Pattern>(dlsym(library, name));
}

// Here the functions of the builder begin: minor version 1.
constexpr size_t kSizeWithoutBuilder = 1048;

// As any plugin of that generation gets it.
const LiteRtCompilerContext* Whole() {
  static const LoadedPlugin plugin = Ok(LoadedPlugin::Load(NPUKIT_QUERIED_PLUGIN));
  return static_cast<const LiteRtCompilerContext*>(plugin.pattern_context());
}
const LiteRtCompilerContext* WithoutBuilder() {
  static const std::unique_ptr<unsigned char[]> bytes = [] {
    auto copy = std::make_unique<unsigned char[]>(kSizeWithoutBuilder);
    std::copy_n(reinterpret_cast<const unsigned char*>(Whole()), kSizeWithoutBuilder, copy.get());
    auto* header = reinterpret_cast<LiteRtAbiHeader*>(copy.get());
    header->struct_size = kSizeWithoutBuilder;
    header->minor_version = 0;
    return copy;
  }();
  return reinterpret_cast<const LiteRtCompilerContext*>(bytes.get());
}

class ContextPatterns : public ::testing::TestWithParam<const LiteRtCompilerContext* (*)()> {
 protected:
  const LiteRtCompilerContext* context_ = GetParam()();
};
INSTANTIATE_TEST_SUITE_P(Tables, ContextPatterns, ::testing::Values(&Whole, &WithoutBuilder),
                         [](const auto& tested) {
                           return std::string(tested.index == 0 ? "Whole" : "WithoutBuilder");
                         });

TEST_P(ContextPatterns, MatchAndRewrite) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* a = b.Value("a", kFloat, {2});
  Tensor* c = b.Constant("c", {2}, std::vector<float>{5, 6});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflAbs, {x}, {a});
  b.AddOp(kLiteRtOpCodeTflSub,
          SubOptions{.fused_activation_function = ActivationFunctionType::kRelu}, {a, c}, {z});
  b.Output(z);
  const auto model = Ok(b.Build());
  Subgraph& subgraph = model->main_subgraph();
  const Pattern pattern = Load("SubToMul");
  ASSERT_NE(pattern, nullptr);
  RewriteBuilder builder(subgraph, kHasBlockWiseArgument);
  EXPECT_EQ(pattern(context_, &builder, subgraph.ops()[0].get()), kLiteRtStatusPatternNoMatch);
  ASSERT_EQ(pattern(context_, &builder, subgraph.ops()[1].get()), kLiteRtStatusOk);
  Ok(builder.Apply());

  const auto ops = litert::Subgraph(&subgraph).Ops();
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_TRUE(ops[0].Is(kLiteRtOpCodeTflNeg));
  EXPECT_TRUE(ops[1].Is(kLiteRtOpCodeTflMul));
  EXPECT_EQ(Ok(ops[1].InputDefiningOp(0)), ops[0]);
  EXPECT_THAT(Ok(Ok(ops[1].Input(1)).WeightsData<float>()), ElementsAre(5, 6));
  EXPECT_EQ(Ok(litert::GetOptionsAs<litert::MulOptions>(ops[1].Get())).fused_activation_function,
            litert::kActivationFunctionTypeRelu);
}

TEST_P(ContextPatterns, BuildConstants) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflAbs, {x}, {z});
  b.Output(z);
  const auto model = Ok(b.Build());
  Subgraph& subgraph = model->main_subgraph();
  RewriteBuilder builder(subgraph, kHasBlockWiseArgument);
  ASSERT_EQ(Load("AbsToAdd")(context_, &builder, subgraph.ops()[0].get()), kLiteRtStatusOk);
  Ok(builder.Apply());
  const auto ops = litert::Subgraph(&subgraph).Ops();
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_TRUE(ops[0].Is(kLiteRtOpCodeTflAdd));
  EXPECT_THAT(Ok(Ok(ops[0].Input(1)).WeightsData<float>()), ElementsAre(3, 4));
}

TEST_P(ContextPatterns, ReturnWhatTheHostRefuses) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflAbs, {x}, {z});
  b.Output(z);
  const auto model = Ok(b.Build());
  RewriteBuilder builder(model->main_subgraph(), kHasBlockWiseArgument);
  EXPECT_EQ(Load("EraseNothing")(context_, &builder, model->main_subgraph().ops()[0].get()),
            kLiteRtStatusCancelled);
}

}  // namespace
}  // namespace npukit

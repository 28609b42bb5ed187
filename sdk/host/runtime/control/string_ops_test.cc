// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInt32 = kLiteRtElementTypeInt32;
constexpr auto kInt64 = kLiteRtElementTypeInt64;
constexpr auto kString = kLiteRtElementTypeTfString;

using Texts = std::vector<std::string>;

std::vector<uint8_t> Strings(const std::vector<std::string_view>& strings) {
  const auto bytes = WriteStrings(strings);
  return *bytes;
}

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model) {
  return SignatureRunner::Create(model, model.main_subgraph(), {}, nullptr, nullptr);
}

// The strings of output 0.
Texts TextsOf(const SignatureRunner& runner) {
  int64_t count = 1;
  for (int32_t dim : runner.outputs()[0].shape) count *= dim;
  const auto read = ReadStrings(runner.output(0), count);
  if (!read) return {read.Error().Message()};
  return {read->begin(), read->end()};
}

struct MoveCase {
  LiteRtOpCode code;
  OpOptions options;
  std::vector<int32_t> shape;  // of the input, with these strings in order:
  std::vector<std::string_view> strings;
  std::function<std::vector<Tensor*>(ModelBuilder&)> others;  // further inputs
  std::vector<int32_t> expected_shape;
  Texts expected;
};

std::vector<Tensor*> None(ModelBuilder& /*b*/) { return {}; }
template <int... kValues>
std::vector<Tensor*> OneVector(ModelBuilder& b) {
  return {b.Constant<int32_t>("values", {sizeof...(kValues)}, {kValues...})};
}

std::vector<MoveCase> MoveCases() {
  return {
      {kLiteRtOpCodeTflReshape,
       ReshapeOptions{},
       {4},
       {"a", "", "bc", "a"},
       OneVector<2, 2>,
       {2, 2},
       {"a", "", "bc", "a"}},
      {kLiteRtOpCodeTflExpandDims, {}, {2}, {"a", "b"}, OneVector<0>, {1, 2}, {"a", "b"}},
      {kLiteRtOpCodeTflSqueeze, SqueezeOptions{}, {1, 2}, {"a", "b"}, None, {2}, {"a", "b"}},
      {kLiteRtOpCodeTflTile, {}, {2}, {"a", "b"}, OneVector<2>, {4}, {"a", "b", "a", "b"}},
      {kLiteRtOpCodeTflSlice,
       SliceOptions{},
       {3},
       {"a", "b", "c"},
       [](ModelBuilder& b) {
         return std::vector<Tensor*>{b.Constant<int32_t>("begin", {1}, {1}),
                                     b.Constant<int32_t>("size", {1}, {2})};
       },
       {2},
       {"b", "c"}},
      {kLiteRtOpCodeTflStridedSlice,
       StridedSliceOptions{},
       {3},
       {"a", "b", "c"},
       [](ModelBuilder& b) {
         return std::vector<Tensor*>{b.Constant<int32_t>("begin", {1}, {2}),
                                     b.Constant<int32_t>("end", {1}, {-4}),
                                     b.Constant<int32_t>("stride", {1}, {-1})};
       },
       {3},
       {"c", "b", "a"}},
      {kLiteRtOpCodeTflGatherNd,
       {},
       {2, 2},
       {"a", "b", "c", "d"},
       [](ModelBuilder& b) {
         return std::vector<Tensor*>{b.Constant<int32_t>("at", {2, 2}, {1, 0, 0, 1})};
       },
       {2},
       {"c", "b"}},
  };
}

TEST(Strings, AreMoved) {
  for (const MoveCase& c : MoveCases()) {
    SCOPED_TRACE(OpCodeName(c.code));
    ModelBuilder b;
    std::vector<Tensor*> inputs = {b.Input("in", kString, c.shape)};
    for (Tensor* other : c.others(b)) inputs.push_back(other);
    Tensor* out = b.Value("out", kString, c.expected_shape);
    b.AddOp(c.code, c.options, inputs, {out});
    b.Output(out);
    const auto model = b.BuildUnchecked();
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    ASSERT_TRUE((*runner)->SetInput(0, Strings(c.strings)));
    const auto run = (*runner)->Run();
    ASSERT_TRUE(run) << run.Error();
    EXPECT_EQ((*runner)->outputs()[0].shape, c.expected_shape);
    EXPECT_EQ(TextsOf(**runner), c.expected);
  }
}

TEST(Strings, FillATensor) {
  ModelBuilder b;
  Tensor* dims = b.Input("dims", kInt32, {1});
  Tensor* value = b.Constant("value", kString, {}, Strings({"so"}));
  Tensor* out = b.Value("out", kString, {1});
  b.AddOp(kLiteRtOpCodeTflFill, FillOptions{}, {dims, value}, {out});
  b.Output(out);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  for (int32_t count : {3, 0}) {
    ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(&count), sizeof(count)}));
    ASSERT_TRUE((*runner)->Run());
    EXPECT_EQ(TextsOf(**runner), Texts(static_cast<size_t>(count), "so"));
  }
}

TEST(Strings, AreCompared) {
  for (bool equal : {true, false}) {
    ModelBuilder b;
    Tensor* left = b.Input("left", kString, {3});
    Tensor* right = b.Constant("right", kString, {1}, Strings({"yes"}));
    Tensor* out = b.Value("out", kLiteRtElementTypeBool, {3});
    b.AddOp(equal ? kLiteRtOpCodeTflEqual : kLiteRtOpCodeTflNotEqual, {}, {left, right}, {out});
    b.Output(out);
    const auto model = b.BuildUnchecked();
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    ASSERT_TRUE((*runner)->SetInput(0, Strings({"yes", "", "yes!"})));
    const auto run = (*runner)->Run();
    ASSERT_TRUE(run) << run.Error();
    EXPECT_THAT((*runner)->output(0), ElementsAre(equal, !equal, !equal));
  }
}

TEST(Strings, AreLookedUpByKey) {
  ModelBuilder b;
  Tensor* wanted = b.Input("wanted", kInt32, {3});
  Tensor* keys = b.Constant<int32_t>("keys", {2}, {10, 20});
  Tensor* values = b.Constant("values", kString, {2}, Strings({"ten", "twenty"}));
  Tensor* out = b.Value("out", kString, {3});
  Tensor* hits = b.Value("hits", kLiteRtElementTypeUInt8, {3});
  b.AddOp(kLiteRtOpCodeTflHashtableLookup, {}, {wanted, keys, values}, {out, hits});
  b.Output(out);
  b.Output(hits);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  const int32_t numbers[3] = {20, 15, 10};
  ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(numbers), sizeof(numbers)}));
  const auto run = (*runner)->Run();
  ASSERT_TRUE(run) << run.Error();
  EXPECT_EQ(TextsOf(**runner), (Texts{"twenty", "", "ten"}));
  EXPECT_THAT((*runner)->output(1), ElementsAre(1, 0, 1));
}

Texts SkipGrams(const SkipGramOptions& options, std::string_view sentence) {
  ModelBuilder b;
  Tensor* in = b.Input("in", kString, {1});
  Tensor* out = b.Value("out", kString, {1});
  b.AddOp(kLiteRtOpCodeTflSkipGram, options, {in}, {out});
  b.Output(out);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  if (!runner) return {runner.Error().Message()};
  if (auto set = (*runner)->SetInput(0, Strings({sentence})); !set) return {set.Error().Message()};
  if (auto run = (*runner)->Run(); !run) return {run.Error().Message()};
  return TextsOf(**runner);
}

// In the order in which TFLite writes them.
TEST(SkipGram, GivesRunsOfWords) {
  EXPECT_EQ(SkipGrams({.ngram_size = 2}, "The quick  brown fox"),
            (Texts{"The quick", "quick brown", "brown fox"}));
  EXPECT_EQ(SkipGrams({.ngram_size = 2, .max_skip_size = 1}, "a b c d"),
            (Texts{"a b", "a c", "b c", "b d", "c d"}));
  EXPECT_EQ(SkipGrams({.ngram_size = 3, .max_skip_size = 0, .include_all_ngrams = true}, "a b c"),
            (Texts{"a b c", "a b", "a", "b c", "b", "c"}));
  EXPECT_EQ(SkipGrams({.ngram_size = 1}, "   Hello   world    !  "),
            (Texts{"Hello", "world", "!"}));
  EXPECT_EQ(SkipGrams({.ngram_size = 3, .max_skip_size = 1}, "Hi hi"), Texts{});
  EXPECT_EQ(SkipGrams({.ngram_size = 1, .max_skip_size = 1}, "    "), Texts{});
}

// Beginnings that too few words follow are left alone: there are 2^39 of them.
TEST(SkipGram, LooksOnlyForWhatCanEnd) {
  std::string sentence = "word";
  for (int i = 1; i < 40; ++i) sentence += " word";
  EXPECT_EQ(SkipGrams({.ngram_size = 40, .max_skip_size = 40}, sentence), Texts{sentence});
}

TEST(SkipGram, RefusesWhatGrowsWithoutBound) {
  EXPECT_THAT(SkipGrams({.ngram_size = 0}, "a"), ElementsAre(HasSubstr("SKIP_GRAM (op 0)")));
  std::string sentence;
  for (int i = 0; i < 200; ++i) sentence += "word ";
  EXPECT_THAT(SkipGrams({.ngram_size = 20, .max_skip_size = 100}, sentence),
              ElementsAre(AllOf(HasSubstr("SKIP_GRAM (op 0)"), HasSubstr("more than"))));
}

TEST(Strings, AreGathered) {
  ModelBuilder b;
  Tensor* labels = b.Constant("labels", kString, {3}, Strings({"cat", "dog", "bird"}));
  Tensor* at = b.Input("at", kInt64, {2});
  Tensor* named = b.Value("named", kString, {2});
  b.AddOp(kLiteRtOpCodeTflGather, GatherOptions{}, {labels, at}, {named});
  b.Output(named);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  int64_t indices[2] = {2, 0};
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(indices), sizeof(indices));
  ASSERT_TRUE((*runner)->SetInput(0, bytes));
  ASSERT_TRUE((*runner)->Run());
  const auto chosen = ReadStrings((*runner)->output(0), 2);
  ASSERT_TRUE(chosen) << chosen.Error();
  EXPECT_THAT(*chosen, ElementsAre("bird", "cat"));
  indices[1] = 3;
  ASSERT_TRUE((*runner)->SetInput(0, bytes));
  auto run = (*runner)->Run();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("GATHER (op 0)"), HasSubstr("index 3")));
}

}  // namespace
}  // namespace npukit

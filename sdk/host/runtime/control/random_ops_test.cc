// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sdk/host/kernels/random/counter_generators.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {
namespace {

using kernels::PhiloxStream;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt32 = kLiteRtElementTypeInt32;
constexpr auto kInt64 = kLiteRtElementTypeInt64;

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model) {
  return SignatureRunner::Create(model, model.main_subgraph(), {}, nullptr, nullptr);
}

template <typename T>
std::vector<T> Result(const SignatureRunner& runner) {
  const auto bytes = runner.output(0);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::unique_ptr<Model> Drawn(LiteRtOpCode code, bool shape_is_constant, RandomOptions options) {
  ModelBuilder b;
  Tensor* shape =
      shape_is_constant ? b.Constant<int32_t>("shape", {2}, {2, 3}) : b.Input("shape", kInt32, {2});
  Tensor* drawn = b.Value("drawn", kFloat, {2, 3});
  b.AddOp(code, options, {shape}, {drawn});
  b.Output(drawn);
  return b.BuildUnchecked();
}

std::vector<float> Uniform(PhiloxStream& stream, size_t count) {
  std::vector<float> values;
  while (values.size() < count) {
    for (uint32_t bits : stream.Next()) values.push_back(kernels::UnitFloat(bits));
  }
  values.resize(count);
  return values;
}

TEST(RandomOps, GoOnFromRunToRunUntilTheStateIsReset) {
  for (bool is_constant : {true, false}) {
    const auto model =
        Drawn(kLiteRtOpCodeTflRandomUniform, is_constant, {.seed = 1234, .seed2 = 5678});
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    const int32_t dims[2] = {2, 3};
    if (!is_constant) {
      ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(dims), sizeof(dims)}));
    }
    PhiloxStream stream(1234, 5678);
    const std::vector<float> first = Uniform(stream, 6);
    const std::vector<float> second = Uniform(stream, 6);  // what is left of a block is dropped
    ASSERT_TRUE((*runner)->Run());
    EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(2, 3));
    EXPECT_EQ(Result<float>(**runner), first);
    ASSERT_TRUE((*runner)->Run());
    EXPECT_EQ(Result<float>(**runner), second);
    (*runner)->ResetState();
    ASSERT_TRUE((*runner)->Run());
    EXPECT_EQ(Result<float>(**runner), first);
  }
}

// The block of two seeds of 0 is published: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
TEST(RandomOps, UniformNumbersAreTheLowerBitsOfBlocks) {
  const auto model = Drawn(kLiteRtOpCodeTflRandomUniform, true, {});
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  ASSERT_TRUE((*runner)->Run());
  const auto values = Result<float>(**runner);
  EXPECT_EQ(values[0], 0x27e8d5 * 0x1p-23f);
  EXPECT_EQ(values[1], 0x69c58d * 0x1p-23f);
  EXPECT_EQ(values[3], 0x00dbd8 * 0x1p-23f);
}

TEST(RandomOps, NormalNumbersComeInPairs) {
  const auto model = Drawn(kLiteRtOpCodeTflRandomStandardNormal, true, {.seed = 9, .seed2 = 0});
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  ASSERT_TRUE((*runner)->Run());
  PhiloxStream stream(9, 0);
  std::vector<float> expected;
  for (int block = 0; block < 2; ++block) {
    const auto bits = stream.Next();
    for (size_t i : {0, 2}) {
      for (float value : kernels::NormalPair(bits[i], bits[i + 1])) expected.push_back(value);
    }
  }
  expected.resize(6);
  EXPECT_EQ(Result<float>(**runner), expected);
}

std::unique_ptr<Model> Classes(LiteRtElementType type, bool samples_are_constant) {
  ModelBuilder b;
  Tensor* logits = b.Input("logits", kFloat, {2, 3});
  Tensor* samples = samples_are_constant ? b.Constant<int32_t>("samples", {}, {5})
                                         : b.Input("samples", kInt32, {1});
  Tensor* drawn = b.Value("drawn", type, {2, 5});
  b.AddOp(kLiteRtOpCodeTflMultinomial, RandomOptions{.seed = 3, .seed2 = 4}, {logits, samples},
          {drawn});
  b.Output(drawn);
  return b.BuildUnchecked();
}

// By definition, with the weights 1, e and e^2 of the first row and one class of the second.
std::vector<int64_t> ExpectedClasses(PhiloxStream stream) {
  std::vector<int64_t> classes;
  std::vector<uint32_t> bits;
  for (int i = 0; i < 5; ++i) {
    for (uint32_t word : stream.Next()) bits.push_back(word);
  }
  const double weights[3] = {std::exp(-2.0), std::exp(-2.0) + std::exp(-1.0),
                             std::exp(-2.0) + std::exp(-1.0) + 1.0};
  for (size_t i = 0; i < 5; ++i) {
    const double wanted = kernels::UnitDouble(bits[2 * i], bits[2 * i + 1]) * weights[2];
    classes.push_back(wanted < weights[0] ? 0 : wanted < weights[1] ? 1 : 2);
  }
  classes.resize(10, 1);
  return classes;
}

TEST(Multinomial, DrawsByWeight) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const float logits[6] = {-1, 0, 1, kNone, 8, kNone};
  for (bool is_constant : {true, false}) {
    const auto model = Classes(kInt64, is_constant);
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(logits), sizeof(logits)}));
    const int32_t samples = 5;
    if (!is_constant) {
      ASSERT_TRUE(
          (*runner)->SetInput(1, {reinterpret_cast<const uint8_t*>(&samples), sizeof(samples)}));
    }
    PhiloxStream stream(3, 4);
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE((*runner)->Run());
      EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(2, 5));
      EXPECT_THAT(Result<int64_t>(**runner), ElementsAreArray(ExpectedClasses(stream)));
      stream.Skip(uint64_t{2} * 8 * 2 * 256);
    }
  }
  const auto narrow = Classes(kInt32, true);
  auto runner = Prepare(*narrow);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_EQ((*runner)->output(0).size(), 10 * sizeof(int32_t));
}

TEST(RandomOps, ErrorsNameTheOp) {
  const auto negative = Drawn(kLiteRtOpCodeTflRandomUniform, false, {});
  auto runner = Prepare(*negative);
  ASSERT_TRUE(runner) << runner.Error();
  for (const auto& [dims, says] : {std::pair{std::array{2, -3}, "dimension of -3"},
                                   {std::array{2147483647, 2147483647}, "RANDOM_UNIFORM"}}) {
    ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(dims.data()), 8}));
    const auto run = (*runner)->Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("RANDOM_UNIFORM (op 0)"), HasSubstr(says)));
  }
}

}  // namespace
}  // namespace npukit

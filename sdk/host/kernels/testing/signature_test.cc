// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels::testing {
namespace {

using ::testing::HasSubstr;
using testing::kI16;

constexpr auto kOmitted = kLiteRtElementTypeNone;

struct Tensors {
  std::vector<LiteRtElementType> inputs;
  std::vector<LiteRtElementType> outputs;
};

std::string ErrorOf(const char* text, const Tensors& tensors) {
  auto signature = Signature::Parse(text);
  EXPECT_TRUE(signature) << text << ": " << (signature ? "" : signature.Error().Message());
  if (!signature) return "";
  NodeBuilder node(kLiteRtOpCodeTflAdd);
  for (LiteRtElementType type : tensors.inputs) {
    if (type == kOmitted) {
      node.Omitted();
    } else {
      node.Input(type, {2});
    }
  }
  for (LiteRtElementType type : tensors.outputs) node.Output(type);
  const auto fits = signature->Check(node.node());
  return fits ? "" : fits.Error().Message();
}

struct Case {
  const char* signature;
  Tensors tensors;
  std::vector<const char*> says;  // none: it fits
};

TEST(Signature, ChecksNumbersAndTypes) {
  const char* sum = "T, T -> T; T = float32|int8";
  const char* weighted = "float32, float32|int8, float32? -> float32; int8, int8, int32? -> int8";
  const char* two_forms = "float32 -> float32; int8, int8?, int8 -> int8, int8";
  const Case cases[] = {
      {sum, {{kF32, kF32}, {kF32}}, {}},
      {sum, {{kI8, kI8}, {kI8}}, {}},
      {sum, {{kI8}, {kI8}}, {"has 1 inputs, needs 2"}},
      {sum, {{kI8, kI8}, {}}, {"has 0 outputs, needs 1"}},
      {sum, {{kI8, kOmitted}, {kI8}}, {"input 1 is missing; it is not optional"}},
      {sum,
       {{kI16, kI16}, {kI16}},
       {"'in0'", "unsupported element type; supported: float32, int8"}},
      {sum, {{kI8, kF32}, {kI8}}, {"'in1'", "must have the element type of 'in0'"}},
      {sum, {{kI8, kI8}, {kF32}}, {"'out0'", "must have the element type of 'in0'"}},
      {weighted, {{kF32, kI8}, {kF32}}, {}},
      {weighted, {{kF32, kI8, kOmitted}, {kF32}}, {}},
      {weighted, {{kI8, kI8, kI32}, {kI8}}, {}},
      {weighted, {{kI8, kF32}, {kI8}}, {"'in1'", "supported: int8"}},
      {weighted, {{kI8, kI8, kF32}, {kI8}}, {"'in2'", "supported: int32"}},
      {weighted, {{kBool, kI8}, {kI8}}, {"'in0'", "supported: float32, int8"}},
      {weighted, {{kI8, kI8, kI32, kI32}, {kI8}}, {"has 4 inputs, needs 2 to 3"}},
      {"T+ -> T; T = bytes", {{kI8, kI8, kI8}, {kI8}}, {}},
      {"T+ -> T; T = bytes", {{}, {kI8}}, {"has 0 inputs, needs at least 1"}},
      {"T+ -> T; T = bytes", {{kI8, kOmitted}, {kI8}}, {"input 1 is missing"}},
      {"T+ -> T; T = bytes", {{kLiteRtElementTypeInt4}, {kI8}}, {"any of whole bytes"}},
      {"T -> T*; T = bytes", {{kI8}, {}}, {}},
      {"any -> int32|int64", {{kLiteRtElementTypeTfString}, {kI64}}, {}},
      {"float32, float32?{2} -> float32", {{kF32, kOmitted, kF32}, {kF32}}, {}},
      {"float32, float32?, float32 -> float32", {{kF32, kF32}, {kF32}}, {"has 2 inputs, needs 3"}},
      {"float32, float32?{2} -> float32", {{kF32, kF32, kF32, kF32}, {kF32}}, {"needs 1 to 3"}},
      {two_forms, {{kF32}, {kF32}}, {}},
      {two_forms, {{kI8, kOmitted, kI8}, {kI8, kI8}}, {}},
      {two_forms, {{kI8, kI8, kOmitted}, {kI8, kI8}}, {"input 2 is missing"}},
      {two_forms, {{kF32}, {kF32, kF32}}, {"1 inputs and 2 outputs, which no form"}},
      {"T -> T; T = bytes8",
       {{kLiteRtElementTypeComplex128}, {kLiteRtElementTypeComplex128}},
       {"1, 2, 4 or 8 bytes"}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.signature);
    const std::string error = ErrorOf(test.signature, test.tensors);
    EXPECT_EQ(error.empty(), test.says.empty()) << error;
    for (const char* words : test.says) EXPECT_THAT(error, HasSubstr(words));
  }
}

TEST(Signature, BadTextsAreErrors) {
  for (const char* text : {"", "T", "T -> T", "float33 -> float32", "int8 -> int8 -> int8",
                           "int8, int8+, int8 -> int8", "int8?{x} -> int8"}) {
    EXPECT_FALSE(Signature::Parse(text)) << text;
  }
}

TEST(Signature, ChoicesAreThoseThatFit) {
  auto signature = Signature::Parse("T, int32|int64 -> T; T = float32|int8");
  ASSERT_TRUE(signature);
  std::vector<std::vector<LiteRtElementType>> choices;
  const LiteRtElementType candidates[] = {kF32, kI32, kI8, kBool};
  signature->ForEachChoice({true, true}, 1, candidates,
                           [&](auto types) { choices.emplace_back(types.begin(), types.end()); });
  EXPECT_THAT(choices, ::testing::UnorderedElementsAre(::testing::ElementsAre(kF32, kI32, kF32),
                                                       ::testing::ElementsAre(kI8, kI32, kI8)));
}

}  // namespace
}  // namespace npukit::kernels::testing

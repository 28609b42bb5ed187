// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "conformance/spec/testing/bad_file.h"
#include "conformance/spec/text/value_parser.h"
#include "sdk/host/model/graph/subgraph.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ClaimsError(const std::string& yaml) {
  auto value = ParseValue(yaml, "c.yaml");
  if (!value) return value.Error().Message();
  auto claims = ReadClaims(*value);
  return claims ? "" : claims.Error().Message();
}

constexpr char kClaims[] = R"(claims: 1
manufacturer: Contoso
socs: [c1, c2]
ops:
  - op: [ADD, MUL]
    types: [float32, int8]
    limits: {max_rank: 4, options: {fused_activation_function: [NONE, RELU]}}
  - op: FULLY_CONNECTED
    types: [int8, {in: int16, weights: int8, bias: int64}]
    limits: {constant_inputs: [1], per_channel: false}
  - op: LEAKY_RELU
    types: [int8]
    limits: {options: {alpha: {min: 0, max: 1}}}
  - op: QUANTIZE
    types: [{in: float32, out: int8}]
  - op: TOPK_V2
    types: [int32, {in: float32, out: [float32, int32]}]
expected_failures:
  - {case: "core/add_.*/numerics.oracle", reason: "rounds half up"}
)";

Claims MustReadClaims() {
  auto value = ParseValue(kClaims, "c.yaml");
  EXPECT_TRUE(value);
  auto claims = ReadClaims(*value);
  EXPECT_TRUE(claims) << (claims ? "" : claims.Error().Message());
  return claims ? std::move(*claims) : Claims{};
}

TEST(ClaimsFile, Reads) {
  const Claims claims = MustReadClaims();
  EXPECT_EQ(claims.manufacturer, "Contoso");
  EXPECT_EQ(claims.ops.size(), 6u);
  EXPECT_EQ(claims.ops[2].types[1].ToString(), "int16 x int8 + int64");
  EXPECT_EQ(claims.ops[4].types[0].ToString(), "float32->int8");
  EXPECT_EQ(claims.ops[5].types[1].ToString(), "float32->float32,int32");
  EXPECT_NE(claims.FindExpectedFailure("core/add_f32/numerics.oracle"), nullptr);
  EXPECT_EQ(claims.FindExpectedFailure("xcore/add_f32/numerics.oracle"), nullptr);
  EXPECT_EQ(claims.FindExpectedFailure("core/mul_f32/numerics.oracle"), nullptr);
}

class BadClaims : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadClaims, NamesLineAndColumn) {
  ExpectRefused(GetParam(), "c.yaml", ClaimsError(GetParam().yaml));
}

std::string WithClaim(const std::string& claim) {
  return "claims: 1\nmanufacturer: C\nsocs: []\nops:\n  - " + claim + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    All, BadClaims,
    ::testing::Values(
        BadFile{"version", "claims: 2\nmanufacturer: C\nsocs: []\nops: []\n", "1:9",
                "2 is not between 1 and 1"},
        BadFile{"no socs", "claims: 1\nmanufacturer: C\nops: []\n", "1:1",
                "claims needs a key 'socs'"},
        BadFile{"soc twice", "claims: 1\nmanufacturer: C\nsocs: [a, a]\nops: []\n", "3:7",
                "a SoC stands twice"},
        BadFile{"unknown op", WithClaim("{op: FOO, types: [int8]}"), "5:10",
                "unknown operator 'FOO'"},
        BadFile{"no types", WithClaim("{op: ADD, types: []}"), "5:22", "at least one type"},
        BadFile{"bad type", WithClaim("{op: ADD, types: [f32]}"), "5:23",
                "expected an element type"},
        BadFile{"no outputs", WithClaim("{op: ADD, types: [{in: int8, out: []}]}"), "5:39",
                "a type for each output"},
        BadFile{"bad limit", WithClaim("{op: ADD, types: [int8], limits: {rank: 3}}"), "5:39",
                "unknown key 'rank' in limits"},
        BadFile{"limits of no rank",
                WithClaim("{op: ADD, types: [int8], limits: {min_rank: 4, max_rank: 2}}"), "5:49",
                "min_rank 4 is above max_rank 2"},
        BadFile{"limit of wrong type",
                WithClaim("{op: ADD, types: [int8], limits: {broadcast: 1}}"), "5:50",
                "expected true or false, found '1'"},
        BadFile{"empty range",
                WithClaim("{op: ELU, types: [int8], limits: {options: {alpha: {}}}}"), "5:56",
                "a range needs 'min' or 'max'"},
        BadFile{"range of no number",
                WithClaim("{op: ELU, types: [int8], limits: {options: {alpha: {min: x}}}}"), "5:62",
                "expected a number, found 'x'"},
        BadFile{"range of nothing",
                WithClaim("{op: ELU, types: [int8], limits: {options: {alpha: {min: 2, max: 1}}}}"),
                "5:62", "min 2 is above max 1"},
        BadFile{"unknown option",
                WithClaim("{op: CONV_2D, types: [int8], limits: {options: {dilation: [1]}}}"),
                "5:53", "unknown option 'dilation'"},
        BadFile{"option without such a value",
                WithClaim("{op: ADD, types: [int8], limits: {options: "
                          "{fused_activation_function: [NONE, RELU7]}}}"),
                "5:83", "found 'RELU7'"},
        BadFile{"claimed twice", WithClaim("{op: [ADD, ADD], types: [int8]}"), "5:5",
                "ADD int8 is claimed twice"},
        BadFile{"failure without reason",
                "claims: 1\nmanufacturer: C\nsocs: []\nops: []\nexpected_failures: [{case: x}]\n",
                "5:21", "needs a key 'reason'"},
        BadFile{"bad pattern",
                "claims: 1\nmanufacturer: C\nsocs: []\nops: []\nexpected_failures: [{case: '(', "
                "reason: x}]\n",
                "5:28", "not a regular expression"}),
    [](const auto& info) {
      std::string name = info.param.what;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

TEST(ClaimsFile, RoundingIsOnceOrTwiceAndOfSteps) {
  const auto with = [](const std::string& types, const std::string& rounding) {
    return "claims: 1\nmanufacturer: C\nsocs: [c]\nops:\n  - {op: ADD, types: [" + types +
           "], rounding: " + rounding + "}\n";
  };
  EXPECT_EQ(ClaimsError(with("int8, int16", "once")), "");
  EXPECT_EQ(ClaimsError(with("float32", "twice")), "");
  EXPECT_THAT(ClaimsError(with("int8", "never")), HasSubstr("rounding is once or twice"));
  EXPECT_THAT(ClaimsError(with("float32", "once")), HasSubstr("float32 has none"));
  const auto value = ParseValue(with("int8", "once"), "c.yaml");
  ASSERT_TRUE(value);
  const auto claims = ReadClaims(*value);
  ASSERT_TRUE(claims);
  EXPECT_TRUE(claims->ops[0].rounds_once);
}

TEST(ClaimsFile, EveryTruncationEndsWithAnAnswer) {
  const std::string yaml = kClaims;
  for (size_t length = 0; length < yaml.size(); ++length) {
    const std::string error = ClaimsError(yaml.substr(0, length));
    EXPECT_THAT(error, ::testing::AnyOf("", StartsWith("c.yaml:"))) << length;
  }
}

// Any byte replaced by one that means something in YAML, or that is none of its characters.
TEST(ClaimsFile, EveryDamagedByteEndsWithAnAnswer) {
  const std::string yaml = kClaims;
  for (size_t at = 0; at < yaml.size(); ++at) {
    for (const char byte :
         {'\0', '\xff', '{', '}', '[', ']', ':', '-', '*', '&', '!', '"', '\n', '\t'}) {
      std::string damaged = yaml;
      damaged[at] = byte;
      const std::string error = ClaimsError(damaged);
      EXPECT_THAT(error, ::testing::AnyOf("", StartsWith("c.yaml:"))) << at << " " << int{byte};
    }
  }
}

// A graph of one op, enough to match claims against.
struct OneOp {
  BufferStore store;
  Subgraph subgraph{&store};
  Op* op = nullptr;

  Tensor& Add(LiteRtElementType type, std::vector<int32_t> shape, bool constant = false) {
    Tensor& tensor = subgraph.AddTensor();
    tensor.element_type = type;
    tensor.shape = std::move(shape);
    if (constant) tensor.weights = {&store, store.Add(SharedBytes::Take(std::vector<uint8_t>(4)))};
    return tensor;
  }
  OneOp(LiteRtOpCode code, OpOptions options) {
    op = &subgraph.AddOp();
    op->code = code;
    op->options = std::move(options);
  }
  OneOp& In(LiteRtElementType type, std::vector<int32_t> shape, bool constant = false) {
    Subgraph::AddInput(*op, &Add(type, std::move(shape), constant));
    return *this;
  }
  OneOp& Out(LiteRtElementType type, std::vector<int32_t> shape) {
    Subgraph::AddOutput(*op, Add(type, std::move(shape)));
    return *this;
  }
};

TEST(ClaimMatch, TypesAndLimits) {
  const Claims claims = MustReadClaims();
  constexpr auto kF32 = kLiteRtElementTypeFloat32;
  constexpr auto kI8 = kLiteRtElementTypeInt8;
  constexpr auto kI16 = kLiteRtElementTypeInt16;
  constexpr auto kI32 = kLiteRtElementTypeInt32;
  auto answer = [&](const OneOp& one) { return MatchClaim(claims, *one.op); };

  OneOp add(kLiteRtOpCodeTflAdd, AddOptions{});
  add.In(kF32, {2}).In(kF32, {2}).Out(kF32, {2});
  EXPECT_TRUE(answer(add).claimed) << answer(add).reason;
  add.op->options.As<AddOptions>()->fused_activation_function = ActivationFunctionType::kRelu6;
  EXPECT_EQ(answer(add).reason, "ADD float32: option fused_activation_function is RELU6");

  OneOp mixed(kLiteRtOpCodeTflAdd, AddOptions{});
  mixed.In(kF32, {2}).In(kI8, {2}).Out(kF32, {2});
  EXPECT_FALSE(answer(mixed).claimed);
  OneOp deep(kLiteRtOpCodeTflMul, MulOptions{});
  deep.In(kF32, {1, 1, 1, 1, 2}).In(kF32, {2}).Out(kF32, {1, 1, 1, 1, 2});
  EXPECT_THAT(answer(deep).reason, HasSubstr("rank 5, above max_rank 4"));
  OneOp sub(kLiteRtOpCodeTflSub, SubOptions{});
  EXPECT_EQ(answer(sub).reason, "no claim names SUB");

  OneOp dense(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{});
  dense.In(kI8, {1, 8}).In(kI8, {4, 8}, true).In(kI32, {4}, true).Out(kI8, {1, 4});
  EXPECT_TRUE(answer(dense).claimed) << answer(dense).reason;
  dense.op->inputs[1]->quantization.scale = {0.1f, 0.2f, 0.3f, 0.4f};
  EXPECT_THAT(answer(dense).reason, HasSubstr("quantised per channel"));
  OneOp variable(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{});
  variable.In(kI8, {1, 8}).In(kI8, {4, 8}).Out(kI8, {1, 4});
  EXPECT_THAT(answer(variable).reason, HasSubstr("input 1 is no constant"));
  OneOp wide(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{});
  wide.In(kI16, {1, 8}).In(kI8, {4, 8}, true).Out(kI16, {1, 4});
  EXPECT_TRUE(answer(wide).claimed) << answer(wide).reason;
  OneOp biased(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{});
  biased.In(kI16, {1, 8}).In(kI8, {4, 8}, true).In(kI32, {4}, true).Out(kI16, {1, 4});
  EXPECT_THAT(answer(biased).reason, HasSubstr("input 2 is int32"));
  biased.op->inputs[2]->element_type = kLiteRtElementTypeInt64;
  EXPECT_TRUE(answer(biased).claimed) << answer(biased).reason;

  OneOp leaky(kLiteRtOpCodeTflLeakyRelu, LeakyReluOptions{.alpha = 0.5f});
  leaky.In(kI8, {2}).Out(kI8, {2});
  EXPECT_TRUE(answer(leaky).claimed) << answer(leaky).reason;
  for (const float alpha : {-0.25f, 1.5f}) {
    leaky.op->options.As<LeakyReluOptions>()->alpha = alpha;
    EXPECT_THAT(answer(leaky).reason, StartsWith("LEAKY_RELU int8: option alpha is "));
  }

  OneOp quantize(kLiteRtOpCodeTflQuantize, QuantizeOptions{});
  quantize.In(kF32, {2}).Out(kI8, {2});
  EXPECT_TRUE(answer(quantize).claimed) << answer(quantize).reason;
  quantize.op->inputs[0]->shape_signature = {-1};
  EXPECT_THAT(answer(quantize).reason, HasSubstr("dynamic"));
}

// Values and their places.
TEST(ClaimMatch, EachOutputHasItsType) {
  const Claims claims = MustReadClaims();
  constexpr auto kF32 = kLiteRtElementTypeFloat32;
  constexpr auto kI32 = kLiteRtElementTypeInt32;
  constexpr auto kI16 = kLiteRtElementTypeInt16;
  const auto reason = [&](LiteRtElementType x, const std::vector<LiteRtElementType>& outputs) {
    OneOp topk(kLiteRtOpCodeTflTopkV2, OpOptions{});
    topk.In(x, {2, 9}).In(kI32, {}, true);
    for (LiteRtElementType type : outputs) topk.Out(type, {2, 3});
    return MatchClaim(claims, *topk.op).reason;
  };
  EXPECT_EQ(reason(kF32, {kF32, kI32}), "");
  EXPECT_EQ(reason(kI32, {kI32, kI32}), "");
  EXPECT_THAT(reason(kF32, {kF32, kI16}), HasSubstr("the outputs are float32, int16"));
  EXPECT_THAT(reason(kF32, {kF32, kF32}), HasSubstr("the outputs are float32, float32"));
  EXPECT_NE(reason(kF32, {kF32}), "");
  EXPECT_NE(reason(kF32, {kF32, kI32, kI32}), "");
  EXPECT_NE(reason(kI32, {kI32, kI16}), "");
}

// How many are asked for is no element, though it may be of their type.
TEST(ClaimMatch, CountsAreOfInt32) {
  auto value =
      ParseValue(WithClaim("{op: TOPK_V2, types: [{in: int16, out: [int16, int32]}]}"), "c.yaml");
  ASSERT_TRUE(value);
  const auto claims = ReadClaims(*value);
  ASSERT_TRUE(claims) << claims.Error().Message();
  for (const auto count : {kLiteRtElementTypeInt32, kLiteRtElementTypeInt16}) {
    OneOp topk(kLiteRtOpCodeTflTopkV2, OpOptions{});
    topk.In(kLiteRtElementTypeInt16, {2, 9}).In(count, {}, true);
    topk.Out(kLiteRtElementTypeInt16, {2, 3}).Out(kLiteRtElementTypeInt32, {2, 3});
    EXPECT_EQ(MatchClaim(*claims, *topk.op).claimed, count == kLiteRtElementTypeInt32);
  }
}

TEST(OpOptionReader, DefaultsAreUsable) {
  const OpOptions conv = DefaultOpOptions(kLiteRtOpCodeTflConv2d);
  EXPECT_EQ(OptionText(conv, "stride_w"), "1");
  EXPECT_EQ(OptionText(conv, "padding"), "SAME");
  EXPECT_EQ(OptionText(conv, "no_such_field"), "");
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// operators.def against what AcmeCorp says of itself to the world.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/support.h"

namespace acme::compiler {
namespace {

// "int8", or "int16 by int8 to int32" where types differ.
using Types = std::set<std::string>;

std::string TypesText(const std::string& in, const std::string& second, const std::string& out) {
  return in + (second == in ? "" : " by " + second) + (out == in ? "" : " to " + out);
}

// Claims give the weights' type where an operand has another; where they give none, it is the first
// operand's.
std::map<std::string, Types> Claimed() {
  std::map<std::string, Types> claimed;
  const YAML::Node claims =
      YAML::LoadFile(NPUKIT_SOURCE_DIR "/reference_plugin/AcmeCorp.claims.yaml");
  for (const YAML::Node& entry : claims["ops"]) {
    Types types;
    for (const YAML::Node& row : entry["types"]) {
      if (row.IsScalar()) {
        types.insert(
            TypesText(row.as<std::string>(), row.as<std::string>(), row.as<std::string>()));
      } else {
        const auto in = row["in"].as<std::string>();
        const YAML::Node out = row["out"].IsSequence() ? row["out"][0] : row["out"];
        types.insert(TypesText(in, row["weights"].as<std::string>(in), out.as<std::string>()));
      }
    }
    const YAML::Node op = entry["op"];
    if (op.IsScalar()) {
      claimed[op.as<std::string>()].merge(Types(types));
    } else {
      for (const YAML::Node& name : op) claimed[name.as<std::string>()].merge(Types(types));
    }
  }
  return claimed;
}

std::map<std::string, Types> Taken() {
  std::map<std::string, Types> taken;
  for (const OperatorSupport& op : AllOperators()) {
    // AcmeCorp's own operator is no operator of the schema that claims could name.
    if (op.code == kLiteRtOpCodeTflCustom) continue;
    const std::string name =
        op.code == kLiteRtOpCodeShloComposite ? "odml.rms_norm" : std::string(op.name);
    for (const TypeRow& row : op.types) {
      const std::string in = row.half ? "float16" : DtypeName(row.in);
      const std::string second = row.half ? in : row.int4 ? "int4" : DtypeName(row.second);
      taken[name].insert(TypesText(in, second, DtypeName(row.out)));
    }
  }
  return taken;
}

TEST(Operators, AreWhatTheClaimsSay) { EXPECT_EQ(Taken(), Claimed()); }

TEST(Operators, OccurOnceEach) {
  std::set<LiteRtOpCode> codes;
  std::set<std::string> names;
  for (const OperatorSupport& op : AllOperators()) {
    EXPECT_TRUE(codes.insert(op.code).second) << op.name;
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    EXPECT_LE(op.min_inputs, op.max_inputs) << op.name;
    EXPECT_FALSE(op.types.empty()) << op.name;
    EXPECT_EQ(FindOperator(op.code), &op);
  }
}

TEST(Operators, AreNotLeftOutAsWell) {
  const std::string others = WhyLeftOut(kLiteRtOpCodeTflPow);
  EXPECT_EQ(others, "the NPU's compiler does not have this operator");
  for (const OperatorSupport& op : AllOperators())
    EXPECT_EQ(WhyLeftOut(op.code), others) << op.name;
  EXPECT_THAT(WhyLeftOut(kLiteRtOpCodeTflSvdf), testing::HasSubstr("keeps state"));
  EXPECT_THAT(WhyLeftOut(kLiteRtOpCodeTflShape), testing::HasSubstr("--fold-constants"));
}

TEST(TakesTypes, OnlyTogether) {
  const LiteRtOpCode conv = kLiteRtOpCodeTflConv2d;
  EXPECT_TRUE(TakesTypes(conv, {Dtype::kI16, Dtype::kI16, Dtype::kI8}));
  EXPECT_FALSE(TakesTypes(conv, {Dtype::kI16, Dtype::kI16, Dtype::kI16}));
  EXPECT_FALSE(TakesTypes(conv, {Dtype::kI8, Dtype::kI16, Dtype::kI8}));
  EXPECT_FALSE(TakesTypes(kLiteRtOpCodeTflWhile, {Dtype::kI8, Dtype::kI8, Dtype::kI8}));
}

}  // namespace
}  // namespace acme::compiler

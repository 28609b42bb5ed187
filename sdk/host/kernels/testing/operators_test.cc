// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The table of operators: nothing lacks a part, nothing stands twice, every file is used.

#include "sdk/host/kernels/operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "sdk/host/kernels/testing/node_spec.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::kernels {
namespace {

namespace fs = std::filesystem;

// The names that operators.def has, and those that sources define.
std::set<std::string> NamesInTable() {
  return {
#define NPUKIT_OPERATOR(Name, NAME) #Name,
#define NPUKIT_STABLEHLO(Name, NAME) "Shlo" #Name,
#define NPUKIT_CUSTOM(Name, code) #Name,
#define NPUKIT_COMPOSITE(Name, name) #Name,
#include "sdk/host/kernels/operators.def"
  };
}

std::set<std::string> NamesInSources() {
  constexpr std::string_view kDefinition = "NPUKIT_DEFINE_OPERATOR(";
  std::set<std::string> names;
  const fs::path folder = fs::path(NPUKIT_SOURCE_DIR) / "sdk/host/kernels";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with(kDefinition)) continue;
      line.erase(0, kDefinition.size());
      names.insert(line.substr(0, line.find(')')));
    }
  }
  return names;
}

TEST(Operators, NoneLacksAPart) {
  for (const Operator& op : AllOperators()) {
    SCOPED_TRACE(std::string(op.name));
    EXPECT_NE(op.parts.infer, nullptr);
    EXPECT_NE(op.parts.prepare, nullptr);
    EXPECT_NE(op.parts.oracle, nullptr);
    EXPECT_FALSE(op.parts.tolerance.integers.reason.empty());
    EXPECT_FALSE(op.parts.tolerance.floats.reason.empty());
    EXPECT_FALSE(op.parts.doc.formula.empty());
    EXPECT_FALSE(op.parts.doc.source.empty());
    const auto signature = Signature::Parse(op.parts.signature);
    EXPECT_TRUE(signature) << (signature ? "" : signature.Error().Message());
  }
}

// Strings are of no size: an operator that takes them computes none.
TEST(Operators, EveryOneHasTypeRules) {
  const testing::TensorSpec text = {.type = kLiteRtElementTypeTfString, .shape = {2, 2}};
  for (const Operator& op : AllOperators()) {
    testing::NodeSpec spec{
        .code = op.code, .options = DefaultOptions(op.code), .inputs = {}, .outputs = {text}};
    if (!op.composite_name.empty()) {
      spec.options = StableHLOCompositeOptions{.name = std::string(op.composite_name)};
    }
    for (int inputs = 0; inputs <= 5; ++inputs, spec.inputs.push_back(text)) {
      const auto tried = testing::TryNode(spec);
      EXPECT_FALSE(tried) << op.name << " takes " << inputs << " strings";
      if (tried) continue;
      EXPECT_THAT(tried.Error().Message(), ::testing::HasSubstr(testing::NameOf(spec)));
    }
  }
}

// Types of LiteRT v2.2.0 alone: no kernel computes with them. Those that only move values take what
// has whole bytes.
TEST(Operators, TypesWithoutKernelsAreRefused) {
  for (const LiteRtElementType type :
       {kElementTypeUInt4, kElementTypeFloat8E4M3FN, kElementTypeFloat8E5M2}) {
    const testing::TensorSpec tensor = {.type = type, .shape = {2, 2}};
    for (const Operator& op : AllOperators()) {
      testing::NodeSpec spec{
          .code = op.code, .options = DefaultOptions(op.code), .inputs = {}, .outputs = {tensor}};
      if (!op.composite_name.empty())
        spec.options = StableHLOCompositeOptions{.name = std::string(op.composite_name)};
      for (int inputs = 0; inputs <= 5; ++inputs, spec.inputs.push_back(tensor)) {
        if (!testing::TryNode(spec)) continue;
        EXPECT_THAT(op.parts.signature, ::testing::ContainsRegex("any|bytes"))
            << op.name << " takes " << inputs << " of " << ElementTypeName(type);
        EXPECT_NE(type, kElementTypeUInt4) << op.name;
      }
    }
    const auto sum = testing::TryNode({.code = kLiteRtOpCodeTflAdd,
                                       .options = DefaultOptions(kLiteRtOpCodeTflAdd),
                                       .inputs = {tensor, tensor},
                                       .outputs = {tensor}});
    ASSERT_FALSE(sum);
    EXPECT_THAT(sum.Error().Message(), ::testing::HasSubstr(ElementTypeName(type) + "[2,2]"));
  }
}

TEST(Operators, NamesAreThoseOfTheSchema) {
  for (const Operator& op : AllOperators()) {
    if (op.code == kLiteRtOpCodeTflCustom) {
      Op custom;
      custom.custom_code = op.name;
      EXPECT_EQ(FindOperator(custom), &op) << op.name << " stands twice";
    } else if (op.composite_name.empty()) {
      EXPECT_EQ(OpCodeName(op.code), op.name);
      EXPECT_EQ(FindOperator(op.code), &op) << op.name << " stands twice";
    } else {
      Op composite;
      composite.code = kLiteRtOpCodeShloComposite;
      composite.options = StableHLOCompositeOptions{.name = std::string(op.composite_name)};
      EXPECT_EQ(FindOperator(composite), &op) << op.name << " stands twice";
    }
  }
}

TEST(Operators, EveryDefinitionIsInTheTable) { EXPECT_EQ(NamesInSources(), NamesInTable()); }

TEST(Operators, UnknownOnesAreNotFound) {
  EXPECT_EQ(FindOperator(kLiteRtOpCodeTflConcatEmbeddings), nullptr);
  EXPECT_EQ(FindOperator(static_cast<LiteRtOpCode>(100000)), nullptr);
  Op composite;
  composite.code = kLiteRtOpCodeShloComposite;
  EXPECT_EQ(FindOperator(composite), nullptr);
  composite.options = StableHLOCompositeOptions{.name = "contoso.unheard_of"};
  EXPECT_EQ(FindOperator(composite), nullptr);
}

}  // namespace
}  // namespace npukit::kernels

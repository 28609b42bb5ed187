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

// The sources that define an operator, without their extension.
std::set<std::string> OperatorFiles() {
  std::set<std::string> files;
  const fs::path folder = fs::path(NPUKIT_SOURCE_DIR) / "sdk/host/kernels";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("NPUKIT_DEFINE_OPERATOR")) files.insert(entry.path().stem().string());
    }
  }
  return files;
}

TEST(Operators, NoneLacksAPart) {
  for (const Operator& op : AllOperators()) {
    SCOPED_TRACE(std::string(op.name));
    EXPECT_NE(op.infer, nullptr);
    EXPECT_NE(op.prepare, nullptr);
    EXPECT_NE(op.oracle, nullptr);
    EXPECT_NE(op.tolerance, nullptr);
    EXPECT_FALSE(op.doc.formula.empty());
    EXPECT_FALSE(op.doc.source.empty());
    EXPECT_FALSE(op.doc.types.empty());
  }
}

// Type rules are a part too, though they stand within infer: an operator without them would take
// tensors whose elements have no size.
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
        EXPECT_NE(op.doc.types.find("any"), std::string_view::npos)
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

// What the documentation says of types is said in the names that errors use.
TEST(Operators, DocumentationNamesTypes) {
  for (const Operator& op : AllOperators()) {
    bool names_one = op.doc.types.find("any") != std::string_view::npos;
    for (int type = 1; type < 32; ++type) {
      const std::string name = ElementTypeName(static_cast<LiteRtElementType>(type));
      names_one |= op.doc.types.find(name) != std::string_view::npos;
    }
    EXPECT_TRUE(names_one) << op.name << ": \"" << op.doc.types << "\"";
  }
}

TEST(Operators, NamesAreThoseOfTheSchema) {
  for (const Operator& op : AllOperators()) {
    if (op.composite_name.empty()) {
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

TEST(Operators, EveryFileIsInTheTable) {
  std::set<std::string> used;
  for (const Operator& op : AllOperators()) used.insert(std::string(op.file));
  EXPECT_EQ(OperatorFiles(), used);
}

TEST(Operators, UnknownOnesAreNotFound) {
  EXPECT_EQ(FindOperator(kLiteRtOpCodeTflHashtableLookup), nullptr);
  EXPECT_EQ(FindOperator(static_cast<LiteRtOpCode>(100000)), nullptr);
  Op composite;
  composite.code = kLiteRtOpCodeShloComposite;
  EXPECT_EQ(FindOperator(composite), nullptr);
  composite.options = StableHLOCompositeOptions{.name = "contoso.unheard_of"};
  EXPECT_EQ(FindOperator(composite), nullptr);
}

}  // namespace
}  // namespace npukit::kernels

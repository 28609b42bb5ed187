// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every operator that the oracle has is judged by cases, with every combination of element types
// that it takes.

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/oracle/graph_model.h"
#include "conformance/oracle/testing/operator_types.h"
#include "conformance/oracle/testing/operators_without_cases.h"
#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/suite/suite.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

using kernels::testing::NodeSpec;

// The ops that the suites judge by values, by name and types.
using Judged = std::map<std::string, std::map<std::string, NodeSpec>>;

Judged JudgedNodes() {
  Judged judged;
  for (const char* name : {"core", "operators"}) {
    auto suite =
        LoadSuite(std::string(NPUKIT_SOURCE_DIR) + "/conformance/suites/" + name + ".yaml");
    EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
    if (!suite) continue;
    for (const CaseSpec& spec : suite->cases) {
      if (!spec.Asks("numerics.oracle")) continue;
      const auto made = MakeCaseModel(spec, nullptr, 1);
      EXPECT_TRUE(made) << spec.name << ": " << (made ? "" : made.Error().Message());
      if (!made) continue;
      for (const auto& op : made->model->main_subgraph().ops()) {
        const NodeSpec node = NodeSpec::Of(*op);
        judged[ClaimName(*op)].emplace(TypesOf(node), node);
      }
    }
  }
  return judged;
}

// Combinations that the oracle takes and no case has, with the reason. Both are regular
// expressions over a whole name and whole types.
struct Exception {
  const char* operators;
  const char* types;
  const char* reason;
};
constexpr Exception kExceptions[] = {
    {"BITCAST", "\\S+ -> .*", "any two types of 1, 2, 4 or 8 bytes"},
    {".*", ".*complex64.*", "the suites have no complex numbers: the kernels' own tests do"},
    {"STRIDED_SLICE|SLICE|SPLIT_V|SPACE_TO_BATCH_ND|BATCH_TO_SPACE_ND",
     "\\S+ .*(int32 int64|int64 int32).* -> .*",
     "converters give all parameters of an operator the same type"},
};

struct Matcher {
  NamePattern operators;
  NamePattern types;
};

NamePattern CompilePattern(const char* text) {
  auto pattern = NamePattern::Compile(text);
  EXPECT_TRUE(pattern) << text;
  return pattern ? std::move(*pattern) : NamePattern();
}

std::vector<Matcher> ExceptionMatchers() {
  std::vector<Matcher> matchers;
  for (const Exception& exception : kExceptions)
    matchers.push_back({CompilePattern(exception.operators), CompilePattern(exception.types)});
  return matchers;
}

// Counts the exceptions that cover it.
bool IsExcepted(const std::vector<Matcher>& exceptions, const std::string& name,
                const std::string& types, std::vector<size_t>& uses) {
  bool is_excepted = false;
  for (size_t i = 0; i < exceptions.size(); ++i) {
    if (!exceptions[i].operators.Matches(name) || !exceptions[i].types.Matches(types)) continue;
    ++uses[i];
    is_excepted = true;
  }
  return is_excepted;
}

TEST(Coverage, EveryTypeOfEveryOperatorHasCases) {
  const Judged judged = JudgedNodes();
  const std::vector<Matcher> exceptions = ExceptionMatchers();
  std::vector<size_t> uses(std::size(kExceptions));
  size_t combinations = 0;
  size_t excepted = 0;
  for (const kernels::Operator& op : kernels::AllOperators()) {
    const std::string name(op.name);
    const auto nodes = judged.find(name);
    if (nodes == judged.end()) {
      EXPECT_TRUE(HasNoCases(name)) << name << ": no case";
      continue;
    }
    EXPECT_FALSE(HasNoCases(name)) << name << " has cases";
    std::vector<NodeSpec> specs;
    for (const auto& [types, node] : nodes->second) specs.push_back(node);
    std::string missing;
    for (const std::string& types : AcceptedTypes(op, specs)) {
      ++combinations;
      if (nodes->second.contains(types)) continue;
      const bool is_excepted = IsExcepted(exceptions, name, types, uses);
      excepted += is_excepted;
      if (!is_excepted) missing += "\n    " + types;
    }
    EXPECT_TRUE(missing.empty()) << name << " takes types that no case has:" << missing;
  }
  std::printf("%zu combinations of operator and types, %zu without a case:\n", combinations,
              excepted);
  for (size_t i = 0; i < std::size(kExceptions); ++i) {
    std::printf("  %zu of %s with %s: %s\n", uses[i], kExceptions[i].operators,
                kExceptions[i].types, kExceptions[i].reason);
    EXPECT_GT(uses[i], 0u) << "nothing needs this exception any more: " << kExceptions[i].reason;
  }
}

// A claim that the oracle cannot judge would be taken on trust.
TEST(Coverage, WhatAcmeCorpClaimsTheOracleTakes) {
  const auto claims =
      LoadClaims(std::string(NPUKIT_SOURCE_DIR) + "/reference_plugin/AcmeCorp.claims.yaml");
  ASSERT_TRUE(claims) << (claims ? "" : claims.Error().Message());
  std::map<std::string_view, const kernels::Operator*> by_name;
  for (const kernels::Operator& op : kernels::AllOperators()) by_name[op.name] = &op;
  size_t judged = 0;
  for (const OpClaim& claim : claims->ops) {
    const auto found = by_name.find(claim.op);
    if (found == by_name.end()) {
      EXPECT_TRUE(claim.op.starts_with("custom:") || claim.op.starts_with("odml.")) << claim.op;
      continue;  // judged through the package that computes it, or its decomposition
    }
    for (const TypeClaim& types : claim.types) {
      ++judged;
      EXPECT_TRUE(Allows(*found->second, types)) << claim.op << " " << types.ToString();
    }
  }
  EXPECT_GT(judged, 100u);
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which cases the suites have for what a vendor claims: asked of claims and suites alone.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "conformance/runner/claims/claimed_cases.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/verdict/claim_coverage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/text_table.h"

namespace npukit::conformance {
namespace {

// Cases by what they exercise, as ExercisedBy names it.
using CaseCounts = std::map<std::string, size_t>;

litert::Expected<CaseCounts> CountCases(const PluginUnderTest& under_test) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<Suite> suites, LoadDefaultSuites());
  CaseCounts counts;
  ForEachJudgedCase(suites, under_test, [&](const CaseSpec&, const std::vector<JudgedOp>& ops) {
    std::map<std::string, bool> once;
    for (const JudgedOp& judged : ops) {
      for (const std::string& text : ExercisedBy(judged)) once[text] = true;
    }
    for (const auto& [text, observed] : once) ++counts[text];
  });
  return counts;
}

size_t CountOf(const CaseCounts& counts, const std::string& text) {
  const auto found = counts.find(text);
  return found == counts.end() ? 0 : found->second;
}

void PrintTable(const Claims& claims, const CaseCounts& counts) {
  tools::TextTable table("<><");
  table.Add({"claim", "cases", "by value of the options that it limits"});
  for (const OpClaim& claim : claims.ops) {
    for (const TypeClaim& types : claim.types) {
      const std::string text = claim.op + " " + types.ToString();
      std::string values;
      for (const auto& [field, texts] : claim.limits.options) {
        values += (values.empty() ? "" : "; ") + field;
        for (const std::string& value : texts)
          values +=
              fmt::format(" {} {}", value, CountOf(counts, OptionValueText(text, field, value)));
      }
      table.Add({text, fmt::format("{}", CountOf(counts, text)), std::move(values)});
    }
  }
  fmt::print("{}", table.Text());
}

}  // namespace

int RunCoverage(const CoverageArguments& arguments) {
  auto fail = [](const std::string& message) {
    fmt::print(stderr, "npukit conform coverage: {}\n", message);
    return static_cast<int>(kExitUsage);
  };
  auto claims = LoadCheckedClaims(arguments.claims);
  if (!claims) return fail(claims.Error().Message());
  PluginUnderTest under_test;
  under_test.claims = std::move(*claims);
  const auto counts = CountCases(under_test);
  if (!counts) return fail(counts.Error().Message());
  const ClaimSummary summary = Summarize(under_test.claims);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::vector<std::string> missing;
  for (const auto* entries : {&summary.ops, &summary.option_values}) {
    for (const ClaimSummary::Entry& entry : *entries) {
      const size_t cases = CountOf(*counts, entry.text);
      json.push_back({{"claim", entry.text}, {"at", entry.at}, {"cases", cases}});
      if (cases == 0) missing.push_back(entry.at + ": no case has " + entry.text);
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", tools::JsonText(nlohmann::ordered_json{{"coverage", json}}, 1));
  } else {
    PrintTable(under_test.claims, *counts);
    for (const std::string& line : missing) fmt::print("{}\n", line);
  }
  return missing.empty() ? kExitConformant : kExitNotConformant;
}

}  // namespace npukit::conformance

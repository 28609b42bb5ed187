// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "conformance/spec/graph/networks.h"
#include "conformance/spec/text/expansion.h"
#include "conformance/spec/text/schema.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr double kMaxTimeoutSeconds = 3600;

litert::Expected<void> ReadChecks(const Value* classes, const Value* checks, CaseSpec& spec) {
  const bool has_model = spec.has_model();
  std::vector<bool> wanted(AllChecks().size());
  auto want = [&](auto&& predicate) {
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = wanted[i] || predicate(AllChecks()[i]);
  };
  if (classes != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, ReadStrings(*classes));
    for (const std::string& name : names) {
      if (!IsCheckClass(name)) {
        return SpecError(classes->at,
                         "unknown class '" + name + "'; known are " + CheckClassList());
      }
      want([&](const CheckInfo& check) {
        // Of a class what fits the case: some checks are about the library as such, and are asked
        // once, of cases without a graph.
        return check.klass == name && (check.needs != CheckNeeds::kNothing) == has_model;
      });
    }
  }
  if (checks != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, ReadStrings(*checks));
    for (const std::string& name : names) {
      const CheckInfo* check = FindCheck(name);
      if (check == nullptr) return SpecError(checks->at, "unknown check '" + name + "'");
      if ((check->needs != CheckNeeds::kNothing) != has_model) {
        return SpecError(checks->at,
                         "check '" + name + "' needs " + (has_model ? "no" : "a") + " graph");
      }
      want([&](const CheckInfo& other) { return &other == check; });
    }
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) spec.checks.push_back(&AllChecks()[i]);
  }
  return {};
}

litert::Expected<void> ReadExpectation(const Value& value, Expectation& expect) {
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "an expectation"));
  if (const Value* select = map.Optional("select"); select != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const size_t choice, ReadChoice(*select, {"claimed", "none", "any"}));
    expect.select = static_cast<SelectRule>(choice);
  }
  if (const Value* partitions = map.Optional("partitions"); partitions != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(*partitions, 0, 1'000'000));
    expect.partitions = static_cast<int>(number);
  }
  return map.Finish();
}

litert::Expected<void> ReadPatterns(const Value* value, CaseSpec& spec) {
  if (value == nullptr) {
    spec.patterns = {DataSpec::Pattern::kRandom, DataSpec::Pattern::kExtremes};
    return {};
  }
  LITERT_RETURN_IF_ERROR(ExpectList(*value));
  for (const Value& item : value->items) {
    LITERT_ASSIGN_OR_RETURN(const DataSpec data, ReadData(item));
    if (data.pattern >= DataSpec::Pattern::kValues)
      return SpecError(item.at, "expected the name of a pattern");
    spec.patterns.push_back(data.pattern);
  }
  if (spec.patterns.empty()) return SpecError(value->at, "expected at least one pattern");
  return {};
}

litert::Expected<void> ReadSubject(MapReader& map, CaseSpec& spec) {
  const Value* graph = map.Optional("graph");
  const Value* model = map.Optional("model");
  const Value* network = map.Optional("network");
  if ((graph != nullptr) + (model != nullptr) + (network != nullptr) > 1) {
    return SpecError(spec.at, "a case has one of 'graph', 'model' and 'network'");
  }
  if (graph != nullptr) {
    LITERT_ASSIGN_OR_RETURN(GraphSpec read, ReadGraph(*graph));
    spec.graph = std::make_shared<const GraphSpec>(std::move(read));
  }
  if (model != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const std::string path, ReadString(*model));
    const std::filesystem::path folder = std::filesystem::path(*spec.at.file).parent_path();
    spec.model_path = (folder / path).string();
  }
  if (network != nullptr) {
    LITERT_ASSIGN_OR_RETURN(spec.network, ReadString(*network));
    if (!IsNetwork(spec.network)) {
      return SpecError(network->at, "unknown network '" + spec.network + "'; known are " +
                                        JoinChoices(NetworkNames()));
    }
  }
  return {};
}

// Files of raw bytes by tensor name, from the suite's folder.
litert::Expected<void> ReadInputFiles(const Value* value, CaseSpec& spec) {
  if (value == nullptr) return {};
  if (!value->is_map())
    return SpecError(value->at, "expected a map of files, found " + value->Describe());
  const std::filesystem::path folder = std::filesystem::path(*spec.at.file).parent_path();
  for (const auto& [name, member] : value->members) {
    LITERT_ASSIGN_OR_RETURN(const std::string path, ReadString(member));
    spec.input_files[name] = (folder / path).string();
  }
  return {};
}

// Bounds of random values by tensor name.
litert::Expected<void> ReadInputRanges(const Value* value, CaseSpec& spec) {
  if (value == nullptr) return {};
  if (!value->is_map())
    return SpecError(value->at, "expected a map of ranges, found " + value->Describe());
  for (const auto& [name, member] : value->members) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<double> ends, ReadNumbers(member));
    if (ends.size() != 2 || ends[0] > ends[1])
      return SpecError(member.at, "expected [least, largest]");
    spec.input_ranges[name] = {ends[0], ends[1]};
  }
  return {};
}

// One expanded case; `value` holds no parameters any more.
litert::Expected<CaseSpec> ReadCase(const Value& value, const std::string& suite) {
  CaseSpec spec;
  spec.suite = suite;
  spec.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a case"));
  LITERT_ASSIGN_OR_RETURN(const Value* name, map.Required("name"));
  LITERT_ASSIGN_OR_RETURN(spec.name, ReadName(*name));
  map.Optional("description");
  map.Optional("matrix");
  map.Optional("exclude");
  LITERT_RETURN_IF_ERROR(ReadSubject(map, spec));
  const Value* classes = map.Optional("classes");
  const Value* checks = map.Optional("checks");
  LITERT_RETURN_IF_ERROR(ReadChecks(classes, checks, spec));
  if (const Value* expect = map.Optional("expect"); expect != nullptr) {
    LITERT_RETURN_IF_ERROR(ReadExpectation(*expect, spec.expect));
  }
  if (const Value* needs = map.Optional("needs_all_claimed"); needs != nullptr) {
    LITERT_ASSIGN_OR_RETURN(spec.needs_all_claimed, ReadBool(*needs));
  }
  if (const Value* tolerance = map.Optional("tolerance"); tolerance != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const size_t choice, ReadChoice(*tolerance, {"derived", "exact"}));
    spec.exact = choice == 1;
  }
  LITERT_RETURN_IF_ERROR(ReadPatterns(map.Optional("data"), spec));
  LITERT_RETURN_IF_ERROR(ReadInputFiles(map.Optional("inputs"), spec));
  LITERT_RETURN_IF_ERROR(ReadInputRanges(map.Optional("ranges"), spec));
  if (const Value* timeout = map.Optional("timeout_s"); timeout != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const double seconds, ReadNumber(*timeout));
    if (seconds <= 0 || seconds > kMaxTimeoutSeconds)
      return SpecError(timeout->at, "expected 0 < timeout_s <= 3600");
    spec.timeout_s = seconds;
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  // After Finish(): a misspelt key is the likelier reason.
  if (spec.checks.empty()) {
    return SpecError(spec.at, "the case asks nothing: give 'classes' or 'checks'");
  }
  return spec;
}

litert::Expected<std::vector<CaseSpec>> ExpandCase(const Value& value, const std::string& suite) {
  std::vector<Binding> bindings(1);
  const Value* matrix = value.Find("matrix");
  const Value* exclude = value.Find("exclude");
  if (exclude != nullptr && matrix == nullptr)
    return SpecError(exclude->at, "'exclude' needs a 'matrix'");
  if (matrix != nullptr) {
    LITERT_ASSIGN_OR_RETURN(bindings, Combinations(*matrix, exclude));
  }
  // The matrix itself must not be substituted: its values may hold anything.
  Value body = value;
  std::erase_if(body.members,
                [](const Value::Member& m) { return m.first == "matrix" || m.first == "exclude"; });
  std::vector<CaseSpec> cases;
  cases.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    LITERT_ASSIGN_OR_RETURN(const Value concrete, Substitute(body, binding));
    LITERT_ASSIGN_OR_RETURN(CaseSpec spec, ReadCase(concrete, suite));
    cases.push_back(std::move(spec));
  }
  return cases;
}

// Names are unique over all parts.
litert::Expected<void> AddCases(const Value& cases, std::map<std::string, SourceLocation>& observed,
                                Suite& suite) {
  LITERT_RETURN_IF_ERROR(ExpectList(cases));
  for (const Value& item : cases.items) {
    LITERT_ASSIGN_OR_RETURN(std::vector<CaseSpec> expanded, ExpandCase(item, suite.name));
    for (CaseSpec& spec : expanded) {
      const auto [first, inserted] = observed.emplace(spec.name, spec.at);
      if (!inserted) {
        return SpecError(spec.at, "case '" + spec.name + "' stands twice; the first is at " +
                                      first->second.ToString());
      }
      suite.cases.push_back(std::move(spec));
    }
  }
  return {};
}

// A file of cases that the suite names.
litert::Expected<void> AddPart(const Value& name, std::map<std::string, SourceLocation>& observed,
                               Suite& suite) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadString(name));
  const std::filesystem::path folder = std::filesystem::path(suite.files.front()).parent_path();
  const std::string path = (folder / text).string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return SpecError(name.at, "no such file: '" + path + "'");
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  suite.files.push_back(path);
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a part of a suite"));
  LITERT_ASSIGN_OR_RETURN(const Value* whole, map.Required("part_of"));
  LITERT_ASSIGN_OR_RETURN(const std::string whole_name, ReadString(*whole));
  if (whole_name != suite.name)
    return SpecError(whole->at, "is part of '" + whole_name + "', not of '" + suite.name + "'");
  map.Optional("shared");  // a place for anchors
  LITERT_ASSIGN_OR_RETURN(const Value* cases, map.Required("cases"));
  LITERT_RETURN_IF_ERROR(map.Finish());
  return AddCases(*cases, observed, suite);
}

}  // namespace

namespace {

CaseSpec ModelCase(const std::string& path, std::set<std::string>& names) {
  CaseSpec spec;
  spec.suite = kModelSuite;
  std::string stem = std::filesystem::path(path).stem().string();
  std::replace_if(
      stem.begin(), stem.end(), [](char c) { return c == '/' || !IsNameCharacter(c); }, '_');
  spec.name = stem;
  for (int number = 2; !names.insert(spec.name).second; ++number)
    spec.name = fmt::format("{}_{}", stem, number);
  spec.model_path = path;
  spec.patterns = {DataSpec::Pattern::kRandom};
  spec.at.file = std::make_shared<const std::string>(path);
  for (const CheckInfo& check : AllChecks()) {
    if (check.klass == "model" || check.id == "partition.selection" ||
        check.id == "partition.valid_ops" || check.id == "compile.calls") {
      spec.checks.push_back(&check);
    }
  }
  return spec;
}

}  // namespace

std::vector<CaseSpec> ModelCases(const std::vector<std::string>& paths) {
  std::set<std::string> names;
  std::vector<CaseSpec> cases;
  for (const std::string& path : paths) cases.push_back(ModelCase(path, names));
  return cases;
}

litert::Expected<Suite> ReadSuite(const Value& value) {
  Suite suite;
  suite.files.push_back(value.at.file ? *value.at.file : std::string());
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a suite"));
  LITERT_ASSIGN_OR_RETURN(const Value* name, map.Required("suite"));
  LITERT_ASSIGN_OR_RETURN(suite.name, ReadName(*name));
  if (const Value* description = map.Optional("description"); description != nullptr) {
    LITERT_ASSIGN_OR_RETURN(suite.description, ReadString(*description));
  }
  map.Optional("shared");  // a place for anchors
  const Value* parts = map.Optional("parts");
  const Value* cases = map.Optional("cases");
  LITERT_RETURN_IF_ERROR(map.Finish());
  if (parts == nullptr && cases == nullptr)
    return SpecError(value.at, "a suite needs a key 'cases' or 'parts'");
  std::map<std::string, SourceLocation> observed;
  if (parts != nullptr) {
    LITERT_RETURN_IF_ERROR(ExpectList(*parts));
    for (const Value& part : parts->items) LITERT_RETURN_IF_ERROR(AddPart(part, observed, suite));
  }
  if (cases != nullptr) LITERT_RETURN_IF_ERROR(AddCases(*cases, observed, suite));
  return suite;
}

litert::Expected<Suite> LoadSuite(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  return ReadSuite(value);
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit conform export-ats: cases of the suites as models for LiteRT's accelerator test suite.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/oracle/graph_model.h"
#include "conformance/runner/ats/ats_model.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/suite/case_yaml.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/spec/text/text_hash.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

namespace fs = std::filesystem;

// A folder within the exported one: LiteRT's suite does not look below the folder that it is given.
constexpr const char* kOwnFolder = "npukit";

struct LeftOut {
  std::string name;  // of the case
  std::string reason;
};

struct Exported {
  std::vector<std::string> files;
  std::vector<LeftOut> left_out;
  std::string cases_yaml;
};

bool AsksValues(const CaseSpec& spec) {
  return std::any_of(spec.checks.begin(), spec.checks.end(), [](const CheckInfo* check) {
    return check->klass == "numerics" || check->klass == "model";
  });
}

bool HasUnclaimed(const CaseSpec& spec) {
  if (spec.graph == nullptr) return false;
  for (const SubgraphSpec& subgraph : spec.graph->subgraphs) {
    for (const auto& op : subgraph.ops) {
      if (op.name == OpSpec::kUnclaimedUnary) return true;
    }
  }
  return false;
}

class Exporter {
 public:
  Exporter(const ExportAtsArguments& arguments, const Claims* claims,
           const std::optional<NamePattern>& filter)
      : arguments_(arguments), claims_(claims), filter_(filter) {}

  litert::Expected<void> Export(const CaseSpec& spec) {
    const std::string name = spec.full_name();
    if (filter_ && !filter_->IsFoundIn(name)) return {};
    if (!spec.has_model() || !AsksValues(spec)) return {};
    if (spec.expect.select == SelectRule::kNone || HasUnclaimed(spec)) return {};
    auto made = MakeCaseModel(spec, claims_, HashText(name, arguments_.seed));
    if (!made) return LeaveOut(name, "its model can't be made");
    Model& model = *made->model;
    if (!HasWantedOp(model)) return {};
    if (claims_ != nullptr && !IsClaimed(model)) return LeaveOut(name, "an op is not claimed");
    const bool changed = arguments_.float_ends && MakeEndsFloat(model);
    if (const std::string why = WhyNotForAts(model, made->input_ranges); !why.empty()) {
      return LeaveOut(name, why);
    }
    LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, SerializeModel(model));
    std::string text(bytes.begin(), bytes.end());
    if (!models_.insert(text).second) return LeaveOut(name, "another case has the same model");
    const std::string file = FileName(name);
    LITERT_RETURN_IF_ERROR(WriteTextFile(arguments_.folder + "/" + file, text));
    out_.files.push_back(file);
    CaseSpec exported = spec;
    exported.name = file.substr(0, file.rfind('.'));
    exported.input_files.clear();
    exported.input_ranges.clear();
    if (changed) {
      exported.exact = false;
      exported.expect.partitions.reset();
    } else {
      for (const auto& [input, range] : made->input_ranges) {
        if (range) exported.input_ranges[input] = *range;
      }
    }
    out_.cases_yaml += ModelCaseYaml(exported, "../" + file);
    return {};
  }

  Exported& out() { return out_; }

 private:
  litert::Expected<void> LeaveOut(const std::string& name, const std::string& reason) {
    out_.left_out.push_back({name, reason});
    return {};
  }

  bool HasWantedOp(const Model& model) const {
    if (arguments_.ops.empty()) return true;
    for (const auto& op : model.main_subgraph().ops()) {
      const std::string name = ClaimName(*op);
      if (std::find(arguments_.ops.begin(), arguments_.ops.end(), name) != arguments_.ops.end()) {
        return true;
      }
    }
    return false;
  }

  bool IsClaimed(const Model& model) const {
    const auto& ops = model.main_subgraph().ops();
    return std::all_of(ops.begin(), ops.end(),
                       [&](const auto& op) { return MatchClaim(*claims_, *op).claimed; });
  }

  // "core/ADD/int8" is core.ADD.int8.tflite: LiteRT's suite names its test by it.
  std::string FileName(const std::string& case_name) {
    std::string stem = case_name;
    std::replace(stem.begin(), stem.end(), '/', '.');
    std::string name = stem;
    for (int number = 2; !names_.insert(name).second; ++number) {
      name = fmt::format("{}_{}", stem, number);
    }
    return name + ".tflite";
  }

  const ExportAtsArguments& arguments_;
  const Claims* claims_;
  const std::optional<NamePattern>& filter_;
  std::set<std::string> models_;
  std::set<std::string> names_;
  Exported out_;
};

litert::Expected<void> MakeFolder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
    return litert::Unexpected(litert::Status::kErrorAlreadyExists,
                              folder + " is already there, and nothing is overwritten");
  }
  fs::create_directories(fs::path(folder) / kOwnFolder, error);
  if (error) {
    return litert::Unexpected(litert::Status::kErrorFileIO,
                              fmt::format("cannot create {}: {}", folder, error.message()));
  }
  return {};
}

void Print(const ExportAtsArguments& arguments, const Exported& exported) {
  std::map<std::string, size_t> reasons;
  for (const LeftOut& left_out : exported.left_out) ++reasons[left_out.reason];
  if (arguments.json) {
    nlohmann::ordered_json left_out = nlohmann::ordered_json::array();
    for (const LeftOut& one : exported.left_out) {
      left_out.push_back({{"case", one.name}, {"reason", one.reason}});
    }
    fmt::print("{}\n", tools::JsonText(nlohmann::ordered_json{{"folder", arguments.folder},
                                                              {"models", exported.files},
                                                              {"left_out", left_out}},
                                       1));
    return;
  }
  fmt::print("{}: {} models for LiteRT's accelerator test suite\n", arguments.folder,
             exported.files.size());
  if (!exported.left_out.empty()) fmt::print("left out: {}\n", exported.left_out.size());
  for (const auto& [reason, count] : reasons) fmt::print("{:>8}  {}\n", count, reason);
  std::error_code error;
  fmt::print(
      "Run them:\n  bazel run //litert/ats:ats -- --extra_models={} --do_register=ExtraModel\n",
      fs::absolute(arguments.folder, error).lexically_normal().string());
}

// A builtin's name, a composite's, or "custom:NAME", as claims name them.
litert::Expected<void> CheckOps(const std::vector<std::string>& ops) {
  for (const std::string& op : ops) {
    if (OpCodeFromName(op) || op.find('.') != std::string::npos || op.starts_with("custom:")) {
      continue;
    }
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--op: unknown operator '{}'; expected a builtin's name (ADD), a composite's "
                    "(odml.rms_norm) or custom:NAME",
                    op));
  }
  return {};
}

litert::Expected<Exported> Export(const ExportAtsArguments& arguments) {
  LITERT_RETURN_IF_ERROR(CheckOps(arguments.ops));
  std::optional<Claims> claims;
  if (!arguments.claims.empty()) {
    LITERT_ASSIGN_OR_RETURN(claims, LoadClaims(arguments.claims));
  }
  std::optional<NamePattern> filter;
  if (!arguments.filter.empty()) {
    LITERT_ASSIGN_OR_RETURN(filter, NamePattern::Compile(arguments.filter));
  }
  const std::string folder = SuiteFolder();
  const std::vector<std::string> names =
      arguments.suites.empty() ? DefaultSuiteNames(folder) : arguments.suites;
  std::vector<Suite> suites;
  for (const std::string& name : names) {
    LITERT_ASSIGN_OR_RETURN(Suite suite, FindSuite(folder, name));
    suites.push_back(std::move(suite));
  }
  const auto is_meant = [&](const CaseSpec& spec) {
    return !filter || filter->IsFoundIn(spec.full_name());
  };
  if (std::none_of(suites.begin(), suites.end(), [&](const Suite& suite) {
        return std::any_of(suite.cases.begin(), suite.cases.end(), is_meant);
      })) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--filter: no case's name has '{}' in it", arguments.filter));
  }
  LITERT_RETURN_IF_ERROR(MakeFolder(arguments.folder));
  Exporter exporter(arguments, claims ? &*claims : nullptr, filter);
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) LITERT_RETURN_IF_ERROR(exporter.Export(spec));
  }
  Exported exported = std::move(exporter.out());
  LITERT_RETURN_IF_ERROR(WriteTextFile(
      fmt::format("{}/{}/cases.yaml", arguments.folder, kOwnFolder),
      "# The cases that the models beside this folder were made of.\nsuite: ats\ncases:" +
          (exported.cases_yaml.empty() ? std::string(" []\n") : "\n" + exported.cases_yaml)));
  return exported;
}

}  // namespace

int RunExportAts(const ExportAtsArguments& arguments) {
  const auto exported = Export(arguments);
  if (!exported) {
    fmt::print(stderr, "npukit conform export-ats: {}\n", exported.Error().Message());
    return kExitUsage;
  }
  Print(arguments, *exported);
  return exported->files.empty() ? kExitNotConformant : kExitConformant;
}

}  // namespace npukit::conformance

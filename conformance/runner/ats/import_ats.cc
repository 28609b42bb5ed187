// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit conform import-ats: a folder of models, as LiteRT's accelerator test suite takes and writes them, as a suite.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/runner/command_line.h"
#include "conformance/spec/suite/case_yaml.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

namespace fs = std::filesystem;

struct Imported {
  size_t models = 0;
  std::vector<std::string> refused;  // file: why
  std::string yaml;
};

// What a case's name may have.
std::string CaseName(const std::string& stem, std::set<std::string>& names) {
  std::string plain;
  for (const char c : stem) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("_-.+").find(c) != std::string_view::npos;
    plain += fits ? c : '_';
  }
  std::string name = plain;
  for (int number = 2; !names.insert(name).second; ++number)
    name = fmt::format("{}_{}", plain, number);
  return name;
}

// Models in a folder, not below it: so LiteRT's suite reads it. Sorted.
litert::Expected<std::vector<fs::path>> ModelsIn(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> models;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file() && entry.path().extension() == ".tflite")
      models.push_back(entry.path());
  }
  if (error) {
    return litert::Unexpected(litert::Status::kErrorFileIO,
                              fmt::format("cannot read {}: {}", folder, error.message()));
  }
  std::sort(models.begin(), models.end());
  return models;
}

// The cases that export-ats wrote down, by their model's file.
litert::Expected<std::map<fs::path, CaseSpec>> KnownCases(const std::string& folder) {
  std::map<fs::path, CaseSpec> known;
  const std::string path = folder + "/npukit/cases.yaml";
  std::error_code error;
  if (!fs::exists(path, error)) return known;
  LITERT_ASSIGN_OR_RETURN(const Suite suite, LoadSuite(path));
  for (const CaseSpec& spec : suite.cases) {
    known[fs::path(spec.model_path).filename()] = spec;
  }
  return known;
}

litert::Expected<Imported> Import(const ImportAtsArguments& arguments) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<fs::path> models, ModelsIn(arguments.folder));
  if (models.empty()) {
    return litert::Unexpected(litert::Status::kErrorNotFound,
                              arguments.folder + " has no .tflite file");
  }
  LITERT_ASSIGN_OR_RETURN(auto known, KnownCases(arguments.folder));
  std::error_code error;
  const fs::path suite_folder = fs::absolute(arguments.output, error).parent_path();
  Imported imported;
  imported.yaml =
      fmt::format("# Models of {}.\nsuite: {}\ncases:\n", arguments.folder, arguments.name);
  std::set<std::string> names;
  for (const fs::path& path : models) {
    if (const auto model = LoadModel(path.string()); !model) {
      imported.refused.push_back(fmt::format("{}: {}", path.string(), model.Error().Message()));
      continue;
    }
    const std::string file =
        fs::proximate(fs::absolute(path, error), suite_folder, error).generic_string();
    const auto found = known.find(path.filename());
    CaseSpec spec = found != known.end() ? found->second : ModelCases({path.string()}).front();
    spec.name = CaseName(path.stem().string(), names);
    imported.yaml += ModelCaseYaml(spec, file);
    ++imported.models;
  }
  if (imported.models == 0) return imported;
  LITERT_RETURN_IF_ERROR(WriteTextFile(arguments.output, imported.yaml));
  return imported;
}

}  // namespace

int RunImportAts(const ImportAtsArguments& arguments) {
  const auto imported = Import(arguments);
  if (!imported) {
    fmt::print(stderr, "npukit conform import-ats: {}\n", imported.Error().Message());
    return kExitUsage;
  }
  for (const std::string& refused : imported->refused) {
    fmt::print(stderr, "npukit conform import-ats: {}\n", refused);
  }
  if (arguments.json) {
    fmt::print("{}\n", tools::JsonText(nlohmann::ordered_json{{"suite", arguments.output},
                                                              {"models", imported->models},
                                                              {"refused", imported->refused}},
                                       1));
  } else if (imported->models > 0) {
    fmt::print("{}: {} cases\nJudge them:\n  npukit conform --plugin-dir DIR --suite {}\n",
               arguments.output, imported->models, arguments.output);
  }
  return imported->refused.empty() ? kExitConformant : kExitNotConformant;
}

}  // namespace npukit::conformance

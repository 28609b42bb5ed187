// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit new: starts a vendor's plugin project.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/project/project_template.h"

namespace npukit::tools {
namespace {

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

int List(const std::filesystem::path& folder, bool json) {
  const std::vector<std::string> names = TemplateNames(folder);
  if (names.empty()) return Fail(kNotLoaded, "no templates in " + folder.string());
  if (json) {
    PrintJson(nlohmann::ordered_json{{"templates", names}});
  } else {
    for (const std::string& name : names) fmt::print("{}\n", name);
  }
  return kDone;
}

int Write(const std::string& name, const std::string& template_name, std::string directory,
          bool json) {
  const auto project = ParseProjectName(name);
  if (!project) return Fail(kWrongUsage, project.Error().Message());
  const std::filesystem::path folder = TemplateFolder();
  const std::vector<std::string> names = TemplateNames(folder);
  if (std::find(names.begin(), names.end(), template_name) == names.end()) {
    return Fail(names.empty() ? kNotLoaded : kWrongUsage,
                "no template '" + template_name + "' in " + folder.string() +
                    (names.empty() ? "" : ", there are: " + Join(names)));
  }
  if (directory.empty()) directory = project->lower;
  const auto files = WriteProject(folder / template_name, directory, *project);
  if (!files) return Fail(kFailed, files.Error().Message());
  if (json) {
    PrintJson(nlohmann::ordered_json{{"name", project->camel},
                                     {"template", template_name},
                                     {"directory", directory},
                                     {"files", *files}});
    return kDone;
  }
  fmt::print("{}: {} files\n", directory, files->size());
  for (const std::string& file : *files) fmt::print("  {}\n", file);
  const std::string prefix = folder.parent_path().parent_path().parent_path().string();
  fmt::print(
      "Build it:\n  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1}\n"
      "  cmake --build {0}/build\n  npukit conform --plugin-dir {0}/build/lib\n",
      directory, prefix);
  return kDone;
}

}  // namespace

int New(CommandLine& line, int argc, char** argv) {
  std::string name;
  std::string template_name = "compiler_plugin";
  std::string directory;
  bool list = false;
  bool json = false;
  line.Add("NAME", name, "the vendor, as an identifier: contoso, my_npu, AcmeCorp");
  line.Add("--template", template_name, "which template").ShowDefault();
  line.Add("-o,--output", directory, "where to (default: the name in lower case)");
  line.AddFlag("--list", list, "list the templates");
  line.AddFlag("--json", json, "print the result as JSON");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (list) return List(TemplateFolder(), json);
  if (name.empty()) return Fail(kWrongUsage, "NAME is missing");
  return Write(name, template_name, directory, json);
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit new: starts a vendor's plugin project.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/shell_word.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/project/project_template.h"
#include "sdk/tools/project/upstream/registration.h"
#include "sdk/tools/project/upstream/upstream_tree.h"

namespace npukit::tools {
namespace {

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

constexpr const char* kPluginTemplate = "compiler_plugin";
// No project by itself.
constexpr const char* kBoardTemplate = "board";

std::vector<std::string> ProjectTemplates(const std::filesystem::path& folder) {
  std::vector<std::string> names = TemplateNames(folder);
  std::erase(names, kBoardTemplate);
  return names;
}

int List(const std::filesystem::path& folder, bool json) {
  const std::vector<std::string> names = ProjectTemplates(folder);
  if (names.empty()) return Fail(kNotLoaded, "no templates in " + folder.string());
  if (json) {
    PrintJson(nlohmann::ordered_json{{"templates", names}});
  } else {
    for (const std::string& name : names) fmt::print("{}\n", name);
  }
  return kDone;
}

// `npukit` as it can be typed: where the shell finds another or none, with its folder.
std::string CommandOf(const std::filesystem::path& prefix) {
  const std::filesystem::path own = prefix / "bin" / "npukit";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path found = std::filesystem::path(folder) / "npukit";
    std::error_code error;
    if (!std::filesystem::exists(found, error)) continue;
    return std::filesystem::equivalent(found, own, error) ? "npukit" : ShellWord(own.string());
  }
  return ShellWord(own.string());
}

int Write(const std::string& name, const std::string& template_name, bool with_board,
          std::string directory, bool json) {
  const auto project = ParseProjectName(name);
  if (!project) return Fail(kWrongUsage, project.Error().Message());
  const std::filesystem::path folder = TemplateFolder();
  const std::vector<std::string> names = ProjectTemplates(folder);
  if (template_name == kBoardTemplate) {
    return Fail(kWrongUsage,
                "'board' adds to a project and is none: give --board without --template");
  }
  if (with_board && template_name != kPluginTemplate) {
    return Fail(kWrongUsage,
                fmt::format("--board goes with the template {} alone", kPluginTemplate));
  }
  if (std::find(names.begin(), names.end(), template_name) == names.end()) {
    return Fail(names.empty() ? kNotLoaded : kWrongUsage,
                "no template '" + template_name + "' in " + folder.string() +
                    (names.empty() ? "" : ", there are: " + Join(names)));
  }
  if (directory.empty()) directory = project->lower;
  std::vector<std::filesystem::path> folders = {folder / template_name};
  if (with_board) folders.push_back(folder / kBoardTemplate);
  const auto files = WriteProject(folders, directory, *project);
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
      "  cmake --build {0}/build\n  {3} {2} {0}/build/lib\n",
      directory, prefix,
      template_name == kPluginTemplate ? "conform --plugin-dir" : "info --op-package-dir",
      CommandOf(prefix));
  return kDone;
}

// Where the sources of an upstream tree come from, and where it goes.
struct UpstreamPlaces {
  std::string project;    // empty: the template
  std::string directory;  // empty: the name
  std::string checkout;   // of LiteRT, in place of `directory`; empty: none
};

constexpr const char* kUpstreamTemplate = "upstream";

// The tree's part that lies in LiteRT's, and LiteRT's own files as they become.
int WriteToCheckout(const UpstreamTree& tree, const std::string& checkout, const ProjectName& name,
                    bool json) {
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::path(checkout) / "litert" / "vendors",
                                     error)) {
    return Fail(
        kWrongUsage,
        fmt::format("{} has no folder litert/vendors: give a checkout of LiteRT", checkout));
  }
  FileTexts files;
  for (const auto& [path, text] : tree.files) {
    if (path.starts_with("litert/")) files[path] = text;
  }
  Registered registered = RegisterIn(checkout, name);
  files.insert(registered.files.begin(), registered.files.end());
  const auto written = WriteFiles(checkout, files, registered.files);
  if (!written) return Fail(kFailed, written.Error().Message());
  for (const std::string& missing : registered.missing) Warn("not registered: " + missing);
  if (json) {
    std::vector<std::string> changed;
    for (const auto& [path, text] : registered.files) changed.push_back(path);
    PrintJson(nlohmann::ordered_json{{"name", name.camel},
                                     {"checkout", checkout},
                                     {"changed", changed},
                                     {"not_registered", registered.missing},
                                     {"notes", tree.notes}});
  } else {
    fmt::print("{}: {} files, of which {} were LiteRT's\n", checkout, files.size(),
               registered.files.size());
    for (const auto& [path, text] : files) fmt::print("  {}\n", path);
  }
  return registered.missing.empty() ? kDone : kFailed;
}

int WriteUpstream(const std::string& given_name, const UpstreamPlaces& places, bool json) {
  const auto name = ParseProjectName(given_name);
  if (!name) return Fail(kWrongUsage, name.Error().Message());
  const std::filesystem::path templates = TemplateFolder();
  std::error_code error;
  if (!places.project.empty() && !std::filesystem::is_directory(places.project, error))
    return Fail(kWrongUsage, fmt::format("--from: {} is no folder", places.project));
  const auto tree = MakeUpstreamTree(places.project.empty() ? templates / "compiler_plugin"
                                                            : std::filesystem::path(places.project),
                                     templates / kUpstreamTemplate, FindSdk(), *name);
  if (!tree) return Fail(kFailed, tree.Error().Message());
  for (const std::string& note : tree->notes) Warn(note);
  if (!places.checkout.empty()) return WriteToCheckout(*tree, places.checkout, *name, json);
  const std::string directory = places.directory.empty() ? name->lower : places.directory;
  if (std::filesystem::exists(directory, error) && !std::filesystem::is_empty(directory, error)) {
    return Fail(kFailed, directory + " is already there, and nothing is overwritten");
  }
  const auto written = WriteFiles(directory, tree->files);
  if (!written) return Fail(kFailed, written.Error().Message());
  std::vector<std::string> paths;
  for (const auto& [path, text] : tree->files) paths.push_back(path);
  if (json) {
    PrintJson(nlohmann::ordered_json{{"name", name->camel},
                                     {"template", kUpstreamTemplate},
                                     {"directory", directory},
                                     {"files", paths},
                                     {"notes", tree->notes}});
    return kDone;
  }
  fmt::print("{}: {} files\n", directory, paths.size());
  for (const std::string& path : paths) fmt::print("  {}\n", path);
  fmt::print("{}/README.md says what to do with them\n", directory);
  return kDone;
}

}  // namespace

int New(CommandLine& line, int argc, char** argv) {
  std::string name;
  std::string template_name = kPluginTemplate;
  std::string directory;
  UpstreamPlaces upstream_places;
  bool upstream = false;
  bool board = false;
  bool list = false;
  bool json = false;
  line.Add("NAME", name, "the vendor, as an identifier: contoso, my_npu, AcmeCorp");
  line.Add("--template", template_name, "which template").ShowDefault();
  line.Suggest("--template", [] { return ProjectTemplates(TemplateFolder()); });
  line.Add("-o,--output", directory, "folder to write to (default: the name in lower case)");
  line.AddFlag("--upstream", upstream,
               "the sources as they lie in LiteRT's tree: folders, BUILD files, registration");
  line.Add("--from", upstream_places.project,
           "with --upstream: a project of `npukit new` (default: the template)")
      .Needs(line.Find("--upstream"));
  line.Add("--litert", upstream_places.checkout,
           "with --upstream: a checkout of LiteRT, to write and register them there")
      .Needs(line.Find("--upstream"))
      .Excludes("--output");
  line.AddFlag("--board", board,
               "with a toolchain file, a script that judges a board, and a CI job for it")
      .Excludes("--upstream");
  line.AddFlag("--list", list, "list the templates").Excludes("NAME");
  line.AddFlag("--json", json, "print the result as JSON");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (list) return List(TemplateFolder(), json);
  if (name.empty()) return Fail(kWrongUsage, "NAME is missing");
  if (upstream && template_name != kUpstreamTemplate && template_name != kPluginTemplate) {
    return Fail(kWrongUsage,
                fmt::format("--upstream goes with the template {} alone", kPluginTemplate));
  }
  if (!upstream && template_name != kUpstreamTemplate) {
    return Write(name, template_name, board, directory, json);
  }
  upstream_places.directory = directory;
  return WriteUpstream(name, upstream_places, json);
}

}  // namespace npukit::tools

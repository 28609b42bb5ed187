// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Copies a template of templates/ and fills in a name. templates/README.md describes the
// placeholders.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_PROJECT_TEMPLATE_H_
#define NPUKIT_SDK_TOOLS_PROJECT_PROJECT_TEMPLATE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// The spellings of a project's name.
struct ProjectName {
  std::string lower;  // "my_npu"
  std::string camel;  // "MyNpu"
  std::string upper;  // "MY_NPU"
  std::string magic;  // eight hexadecimal digits, the same for the same name
};

// Error: not an identifier, or one that C++ or the SDK has taken.
litert::Expected<ProjectName> ParseProjectName(std::string_view name);

// `text` with every placeholder replaced.
std::string FillIn(std::string_view text, const ProjectName& name);

// share/npukit/templates beside the folder of the running program: so it lies in an installation
// and in a build tree.
std::filesystem::path TemplateFolder();

// Names of the templates in a folder, sorted.
std::vector<std::string> TemplateNames(const std::filesystem::path& folder);

// Writes the project to `directory`, which must not exist or be empty, and gives the files,
// relative to it and sorted; of several templates what all of them have, which are different files. After
// an error there is nothing new on disk.
litert::Expected<std::vector<std::string>> WriteProject(
    const std::vector<std::filesystem::path>& template_folders,
    const std::filesystem::path& directory, const ProjectName& name);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_PROJECT_TEMPLATE_H_

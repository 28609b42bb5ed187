// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's project as it stands in LiteRT's tree. The same files build out of it too, by the CMakeLists.txt that comes with
// them.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_UPSTREAM_TREE_H_
#define NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_UPSTREAM_TREE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/project/project_template.h"
#include "sdk/tools/project/upstream/source_files.h"
#include "sdk/tools/project/upstream/vendored_sdk.h"

namespace npukit::tools {

struct UpstreamTree {
  // By path. What begins with litert/ belongs into LiteRT's tree, the rest builds it out of that.
  FileTexts files;
  // What the user should know: sources that were left out, includes that nobody provides.
  std::vector<std::string> notes;
};

// `project`: what `npukit new` made, as it is by now, or its template. `extras`: templates/upstream.
// Error: it is no such project.
litert::Expected<UpstreamTree> MakeUpstreamTree(const std::filesystem::path& project,
                                                const std::filesystem::path& extras,
                                                const SdkFolders& sdk, const ProjectName& name);

// All files of a folder but those of build folders and of .git, with placeholders filled in.
litert::Expected<FileTexts> ReadTree(const std::filesystem::path& folder, const ProjectName& name);

// Writes into `directory`, which may hold other files. Error: a file is there already, whatever its
// text, unless it is in `may_change`; then nothing was written.
litert::Expected<void> WriteFiles(const std::filesystem::path& directory, const FileTexts& files,
                                  const FileTexts& may_change = {});

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_UPSTREAM_TREE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a vendor adds to LiteRT's own files (registration.def): as a page for people, or done in a checkout.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_REGISTRATION_H_
#define NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_REGISTRATION_H_

#include <filesystem>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/project/project_template.h"
#include "sdk/tools/project/upstream/source_files.h"

namespace npukit::tools {

// A page (Markdown) that lists file, place and text.
std::string RegistrationPage(const ProjectName& name);

struct Registered {
  // LiteRT's files as they become, by path in the checkout.
  FileTexts files;
  // What is left to do by hand: a file or the place in it is not there.
  std::vector<std::string> missing;
};
// Reads the checkout and changes nothing on disk. What is registered already is left as it is.
Registered RegisterIn(const std::filesystem::path& checkout, const ProjectName& name);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_REGISTRATION_H_

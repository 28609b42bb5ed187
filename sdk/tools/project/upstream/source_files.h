// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sources of a vendor's project as they lie in LiteRT's tree: which belong to the compiler plugin, which to the
// dispatch library, which to both, and what their includes are called there.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_SOURCE_FILES_H_
#define NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_SOURCE_FILES_H_

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Texts by path, with '/' between folders.
using FileTexts = std::map<std::string, std::string>;

// What stands in the #include lines with quotation marks, in their order. What a comment or a false
// #if holds counts too.
std::vector<std::string> QuotedIncludes(std::string_view text);
// Every quoted include that `rename` gives another path for has it.
std::string RenameIncludes(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>& rename);

// What of a vendor's folder a BUILD file lists.
struct SourceGroup {
  std::vector<std::string> sources;  // .cc
  std::vector<std::string> headers;  // .h
  std::vector<std::string> texts;    // what is included and is neither: .def, .inc
};

struct VendorSources {
  // By path in LiteRT's tree, with includes as they are there.
  FileTexts files;
  // Paths within the group's package.
  SourceGroup common, compiler, dispatch;
  // What was not taken: tests, and what is no C++.
  std::vector<std::string> left_out;
};

// What stands before cc/ in place of litert/ where the wrappers are copied to. Not a folder litert below
// npukit/: there the includes of npukit's headers would be found before LiteRT's.
inline constexpr std::string_view kWrapperPrefix = "npukit/litert_";

// What an include of npukit's C++ wrappers is called in LiteRT's tree, where litert/cc are LiteRT's own;
// nothing for what keeps its name.
std::optional<std::string> NameOfWrapper(const std::string& include);

// The folder litert/vendors/NAME of the sources in `files`, by path within the vendor's folder; `name`
// is that folder's. Error: no compiler plugin or no dispatch library is among them.
litert::Expected<VendorSources> PlaceSources(const FileTexts& files, const std::string& name);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_SOURCE_FILES_H_

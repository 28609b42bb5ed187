// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/vendored_sdk.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/project/upstream/build_text.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;

// By the name it has here and by the one it has in the SDK.
constexpr std::string_view kContextFiles[][2] = {
    {"npukit/context/context_functions.cc", "context_functions.cc"},
    {"npukit/context/host_table.cc", "host_table.cc"},
    {"npukit/context/host_table.h", "host_table.h"},
};
constexpr std::string_view kContextHeaderInSdk = "sdk/host/c_api/support/host_table.h";

std::optional<std::string> NewName(const std::string& include) {
  if (include == kContextHeaderInSdk) return std::string(kContextFiles[2][0]);
  return NameOfWrapper(include);
}

// Copies headers and what they include.
class Copier {
 public:
  explicit Copier(const fs::path& include) : include_(include) {}

  // `name` as in include/ of the copy.
  litert::Expected<void> Copy(const std::string& name) {
    if (!name.starts_with("npukit/") || files_.contains("include/" + name)) return {};
    // Of another folder; VendorSdk() adds these.
    for (const auto& context_file : kContextFiles) {
      if (name == context_file[0]) return {};
    }
    const std::string original =
        name.starts_with(kWrapperPrefix) ? "litert/" + name.substr(kWrapperPrefix.size()) : name;
    const fs::path from = include_ / original;
    LITERT_ASSIGN_OR_RETURN(std::string text, ReadWholeText(from.string()));
    return Add(name, text);
  }

  litert::Expected<void> Add(const std::string& name, const std::string& text) {
    std::string& copy = files_["include/" + name];
    copy = RenameIncludes(text, NewName);
    std::vector<std::string> includes = QuotedIncludes(copy);
    for (const std::string& include : includes) {
      if (include.starts_with("npukit/")) {
        LITERT_RETURN_IF_ERROR(Copy(include));
      } else {
        others_.insert(include);
      }
    }
    return {};
  }

  FileTexts& files() { return files_; }
  // What the copies include of others.
  const std::set<std::string>& others() const { return others_; }

 private:
  const fs::path& include_;
  FileTexts files_;
  std::set<std::string> others_;
};

litert::Expected<std::string> BuildFile(const std::set<std::string>& includes,
                                        const std::string& name) {
  std::set<std::string> deps;
  std::set<std::string> headers;
  for (const std::string& include : includes) {
    // Where a release has it the dispatch headers bring it: see npukit/device.h.
    if (include == "litert/c/litert_profiler_types.h") continue;
    const auto label = LabelOfHeader(include);
    if (!label) {
      return litert::Unexpected(litert::Status::kErrorNotFound,
                                fmt::format("no label of LiteRT's is known for {}", include));
    }
    (label->is_file ? headers : deps).insert(label->label);
  }
  std::vector<std::string> files(headers.begin(), headers.end());
  std::string text =
      "# What of npukit's SDK (Apache 2.0) this vendor's sources use: C++ over LiteRT's C headers, "
      "and the C\n"
      "# API's functions over the tables that the host hands to a plugin. Written by `npukit new "
      "--upstream`.\n\n";
  text += LoadLine("@rules_cc//cc:cc_library.bzl", {"cc_library"});
  text +=
      BuildRule("package")
          .List("default_visibility", {fmt::format("//litert/vendors/{}:__subpackages__", name)})
          .Write();
  std::string header_list =
      "glob([\n        \"include/**/*.h\",\n        \"include/**/*.def\",\n    ])";
  if (!files.empty()) {
    header_list += " + [\n";
    for (const std::string& file : files) header_list += fmt::format("        \"{}\",\n", file);
    header_list += "    ]";
  }
  text += BuildRule("cc_library")
              .Text("name", "plugin_sdk")
              .List("srcs", {"include/npukit/context/context_functions.cc",
                             "include/npukit/context/host_table.cc"})
              .Raw("hdrs", header_list)
              // The C API's names must not leave the library that links this.
              .List("copts", {"-fvisibility=hidden", "-fvisibility-inlines-hidden"})
              .List("defines", {"NPUKIT_ABI_2_2"})
              .List("includes", {"include"})
              .List("linkopts", {"-ldl"})
              .Raw("alwayslink", "True")
              .Labels("deps", deps)
              .Write();
  return text;
}

}  // namespace

SdkFolders FindSdk() {
  const auto folder = OwnFolder();
  const fs::path root = folder ? folder->parent_path() : fs::path();
  std::error_code error;
  const fs::path share = root / "share" / "npukit";
  const fs::path include = share / "include";
  return {fs::exists(include, error) ? include : root / "include", share / "context"};
}

litert::Expected<FileTexts> VendorSdk(const SdkFolders& sdk, const VendorSources& sources,
                                      const std::string& name) {
  Copier copier(sdk.include);
  for (const auto& [path, text] : sources.files) {
    for (const std::string& include : QuotedIncludes(text)) {
      LITERT_RETURN_IF_ERROR(copier.Copy(include));
    }
  }
  for (const auto& [copy, original] : kContextFiles) {
    LITERT_ASSIGN_OR_RETURN(const std::string text,
                            ReadWholeText((sdk.context / original).string()));
    LITERT_RETURN_IF_ERROR(copier.Add(std::string(copy), text));
  }
  FileTexts files = std::move(copier.files());
  LITERT_ASSIGN_OR_RETURN(files["BUILD"], BuildFile(copier.others(), name));
  return files;
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/upstream_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/project/upstream/build_text.h"
#include "sdk/tools/project/upstream/registration.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuildDefs = "//litert/build_common:litert_build_defs.bzl";

bool IsSource(const std::string& path) {
  return path.ends_with(".cc") || path.ends_with(".h") || path.ends_with(".def") ||
         path.ends_with(".inc");
}

// Which labels the sources of a package need, and what nobody has.
struct Needs {
  std::set<std::string> deps;
  std::set<std::string> headers;
  std::set<std::string> unknown;
};

Needs NeedsOf(const VendorSources& sources, const SourceGroup& group, const std::string& package,
              const std::string& vendor) {
  Needs needs;
  std::vector<std::string> paths = group.sources;
  paths.insert(paths.end(), group.headers.begin(), group.headers.end());
  paths.insert(paths.end(), group.texts.begin(), group.texts.end());
  for (const std::string& path : paths) {
    for (const std::string& include : QuotedIncludes(sources.files.at(package + path))) {
      if (include.starts_with("npukit/")) {
        needs.deps.insert(fmt::format("//litert/vendors/{}/npukit:plugin_sdk", vendor));
      } else if (sources.files.contains(include)) {
        // Of the vendor's own files those of the package itself stand in its rule. What both
        // libraries need is a target above them.
        if (!include.starts_with(package) ||
            include.substr(package.size()).find('/') != std::string::npos) {
          const bool is_common =
              !include.starts_with(fmt::format("litert/vendors/{}/compiler/", vendor)) &&
              !include.starts_with(fmt::format("litert/vendors/{}/dispatch/", vendor));
          if (is_common && package != fmt::format("litert/vendors/{}/", vendor)) {
            needs.deps.insert(fmt::format("//litert/vendors/{0}:{0}_common", vendor));
          }
        }
      } else if (const auto label = LabelOfHeader(include)) {
        (label->is_file ? needs.headers : needs.deps).insert(label->label);
      } else {
        needs.unknown.insert(include);
      }
    }
  }
  return needs;
}

std::string UnknownComment(const Needs& needs) {
  std::string text;
  for (const std::string& include : needs.unknown) {
    text += fmt::format(
        "\n# TODO: a label for \"{}\", which nothing in LiteRT's tree is known to provide.",
        include);
  }
  return text.empty() ? text : text + "\n";
}

std::vector<std::string> Joined(const std::vector<std::string>& a, const std::set<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

std::string PackageLine(const std::string& visibility) {
  return BuildRule("package").List("default_visibility", {visibility}).Write();
}

// Both libraries are one rule, of other names.
struct LibraryNames {
  const char* target;      // "compiler_plugin"
  std::string so_name;     // "libLiteRtCompilerPlugin_Contoso.so"
  const char* symbols_sh;  // LiteRT's test of what the library exports
  std::vector<std::string> symbols_args;
  std::vector<std::string> visibility;
};

std::string LibraryBuild(const LibraryNames& names, const SourceGroup& group, const Needs& needs,
                         const ProjectName& vendor) {
  const std::string so_target = fmt::format("{}_so", names.target);
  std::string text = LoadLine("@rules_shell//shell:sh_test.bzl", {"sh_test"});
  text += LoadLine(kBuildDefs, {"litert_dynamic_lib"});
  text += PackageLine(fmt::format("//litert/vendors/{}:__subpackages__", vendor.lower));
  text += UnknownComment(needs);
  text += BuildRule("litert_dynamic_lib")
              .Text("name", names.target)
              .List("srcs", group.sources)
              .List("hdrs", Joined(group.headers, needs.headers))
              .List("textual_hdrs", group.texts)
              .List("copts", {"-fvisibility=hidden", "-fvisibility-inlines-hidden"})
              .Raw("export_litert_only", "True")
              .Raw("linkstatic", "1")
              .Text("shared_lib_name", so_target)
              .Text("so_name", names.so_name)
              .Raw("ungrte", "True")
              .List("visibility", names.visibility)
              .Labels("deps", needs.deps)
              .Write();
  std::vector<std::string> args = names.symbols_args;
  args.push_back(fmt::format("$(location :{})", so_target));
  text += BuildRule("sh_test")
              .Text("name", fmt::format("{}_{}_symbol_test", vendor.lower, so_target))
              .List("srcs", {fmt::format("//litert/test:{}", names.symbols_sh)})
              .List("args", args)
              .List("data", {":" + so_target})
              .Write();
  return text;
}

std::string VendorBuild(const SourceGroup& group, const Needs& needs, const ProjectName& vendor) {
  std::string text = LoadLine("@bazel_skylib//rules:build_test.bzl", {"build_test"});
  const bool has_common = !group.sources.empty() || !group.headers.empty();
  if (has_common) text += LoadLine("@rules_cc//cc:cc_library.bzl", {"cc_library"});
  text += PackageLine("//litert:__subpackages__");
  text += UnknownComment(needs);
  if (has_common) {
    text += BuildRule("cc_library")
                .Text("name", vendor.lower + "_common")
                .List("srcs", group.sources)
                .List("hdrs", Joined(group.headers, needs.headers))
                .List("textual_hdrs", group.texts)
                .List("copts", {"-fvisibility=hidden", "-fvisibility-inlines-hidden"})
                .Labels("deps", needs.deps)
                .Write();
  }
  const std::string folder = "//litert/vendors/" + vendor.lower;
  text += BuildRule("build_test")
              .Text("name", "build_so_test")
              .List("targets",
                    {folder + "/compiler:compiler_plugin_so", folder + "/dispatch:dispatch_api_so"})
              .Write();
  return text;
}

std::string Trimmed(std::string_view text) {
  const auto is_edge = [](char c) { return c == ' ' || c == '\t' || c == '"' || c == '\''; };
  while (!text.empty() && is_edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_edge(text.back())) text.remove_suffix(1);
  return std::string(text);
}

// The SoC models of a claims file: `socs: [a, b]`, in one line as `npukit new` writes it.
std::vector<std::string> SocsOf(const FileTexts& files) {
  std::vector<std::string> socs;
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".claims.yaml")) continue;
    const size_t begin = text.find("\nsocs:");
    const size_t open = begin == std::string::npos ? begin : text.find('[', begin);
    const size_t close = open == std::string::npos ? open : text.find(']', open);
    if (close == std::string::npos || text.find('\n', begin + 1) < close) continue;
    std::string_view list = std::string_view(text).substr(open + 1, close - open - 1);
    while (!list.empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      if (const std::string soc = Trimmed(list.substr(0, comma)); !soc.empty()) socs.push_back(soc);
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    break;
  }
  return socs;
}

// The enumerators of target.py.
std::string SocEnumerators(const std::vector<std::string>& socs) {
  std::string text;
  for (const std::string& soc : socs) {
    std::string upper;
    for (const char c : soc) {
      upper += std::isalnum(static_cast<unsigned char>(c)) != 0
                   ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                   : '_';
    }
    if (upper.empty() || std::isdigit(static_cast<unsigned char>(upper[0])) != 0)
      upper = "SOC_" + upper;
    text += fmt::format("  {} = \"{}\"\n", upper, soc);
  }
  return text;
}

void AddBuildFiles(const VendorSources& sources, const ProjectName& name, UpstreamTree& tree) {
  const std::string folder = "litert/vendors/" + name.lower + "/";
  const LibraryNames compiler = {
      "compiler_plugin",
      fmt::format("libLiteRtCompilerPlugin_{}.so", name.camel),
      "litert_compiler_plugin_symbol_test.sh",
      {},
      {"//ci/tools/python/wheel:__subpackages__", "//litert:__subpackages__"}};
  const LibraryNames dispatch = {"dispatch_api",
                                 fmt::format("libLiteRtDispatch_{}.so", name.camel),
                                 "litert_c_api_dependency_test.sh",
                                 {"LiteRtDispatchGetApi"},
                                 {"//litert:litert_public"}};
  const Needs common = NeedsOf(sources, sources.common, folder, name.lower);
  const Needs compiling = NeedsOf(sources, sources.compiler, folder + "compiler/", name.lower);
  const Needs running = NeedsOf(sources, sources.dispatch, folder + "dispatch/", name.lower);
  tree.files[folder + "BUILD"] = VendorBuild(sources.common, common, name);
  tree.files[folder + "compiler/BUILD"] = LibraryBuild(compiler, sources.compiler, compiling, name);
  tree.files[folder + "dispatch/BUILD"] = LibraryBuild(dispatch, sources.dispatch, running, name);
  for (const Needs* needs : {&common, &compiling, &running}) {
    for (const std::string& include : needs->unknown) {
      tree.notes.push_back(
          fmt::format("\"{}\": nothing in LiteRT's tree is known to provide it; add a label where "
                      "BUILD says TODO",
                      include));
    }
  }
}

}  // namespace

litert::Expected<FileTexts> ReadTree(const fs::path& folder, const ProjectName& name) {
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  const auto unreadable = [&] {
    return litert::Unexpected(
        litert::Status::kErrorFileIO,
        fmt::format("cannot read all of {}: {}", folder.string(), error.message()));
  };
  if (error) return unreadable();
  FileTexts files;
  for (const fs::recursive_directory_iterator end; it != end; it.increment(error)) {
    const std::string leaf = it->path().filename().string();
    if (it->is_directory() && (leaf == ".git" || leaf.starts_with("build"))) {
      it.disable_recursion_pending();
    }
    if (!it->is_regular_file()) continue;
    LITERT_ASSIGN_OR_RETURN(const std::string text, ReadWholeText(it->path().string()));
    files[FillIn(fs::relative(it->path(), folder, error).generic_string(), name)] =
        FillIn(text, name);
  }
  // A folder that can't be entered is the walk's end, too.
  if (error) return unreadable();
  return files;
}

litert::Expected<UpstreamTree> MakeUpstreamTree(const fs::path& project, const fs::path& extras,
                                                const SdkFolders& sdk, const ProjectName& name) {
  LITERT_ASSIGN_OR_RETURN(const FileTexts files, ReadTree(project, name));
  FileTexts own;
  UpstreamTree tree;
  for (const auto& [path, text] : files) {
    if (path.starts_with(name.lower + "/") && IsSource(path)) {
      own[path.substr(name.lower.size() + 1)] = text;
    } else if (path.ends_with(".claims.yaml") || path.ends_with(".baseline.json")) {
      tree.files[path] = text;
    }
  }
  auto sources = PlaceSources(own, name.lower);
  if (!sources) {
    return litert::Unexpected(sources.Error().StatusCC(),
                              fmt::format("{}: {}", project.string(), sources.Error().Message()));
  }
  tree.files.insert(sources->files.begin(), sources->files.end());
  for (const std::string& path : sources->left_out) {
    tree.notes.push_back(
        fmt::format("{}/{} was left out: a test, or included by nothing", name.lower, path));
  }
  AddBuildFiles(*sources, name, tree);

  LITERT_ASSIGN_OR_RETURN(const FileTexts vendored, VendorSdk(sdk, *sources, name.lower));
  for (const auto& [path, text] : vendored) {
    tree.files[fmt::format("litert/vendors/{}/npukit/{}", name.lower, path)] = text;
  }
  LITERT_ASSIGN_OR_RETURN(const FileTexts extra, ReadTree(extras, name));
  const std::vector<std::string> socs = SocsOf(tree.files);
  if (socs.empty())
    tree.notes.emplace_back(
        "no claims file with `socs: [...]`: fill in the SoC models in target.py");
  for (const auto& [path, text] : extra) {
    const std::string_view place = "@SOCS@\n";
    const size_t at = text.find(place);
    tree.files[path] = at == std::string::npos ? text
                                               : text.substr(0, at) + SocEnumerators(socs) +
                                                     text.substr(at + place.size());
  }
  tree.files["REGISTRATION.md"] = RegistrationPage(name);
  return tree;
}

namespace {

// Files that are all written, or none: what went before an error is taken back.
class WrittenFiles {
 public:
  litert::Expected<void> Write(const fs::path& path, const std::string& text) {
    std::error_code error;
    for (fs::path folder = path.parent_path(); !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
      new_folders_.push_back(folder);
    fs::create_directories(path.parent_path(), error);
    std::optional<std::string> before;
    if (fs::exists(path, error)) {
      LITERT_ASSIGN_OR_RETURN(before, ReadWholeText(path.string()));
    }
    before_.emplace_back(path, std::move(before));
    return WriteText(path, text);
  }

  void TakeBack() {
    std::error_code error;
    for (const auto& [path, text] : before_) {
      if (text) {
        (void)WriteText(path, *text);
      } else {
        fs::remove(path, error);
      }
    }
    // The longest first: of two folders one within the other it is the inner one.
    std::sort(new_folders_.begin(), new_folders_.end(), [](const fs::path& a, const fs::path& b) {
      return a.native().size() > b.native().size();
    });
    for (const fs::path& folder : new_folders_) fs::remove(folder, error);
  }

 private:
  static litert::Expected<void> WriteText(const fs::path& path, const std::string& text) {
    return WriteWholeFile(path.string(),
                          {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }

  std::vector<std::pair<fs::path, std::optional<std::string>>> before_;
  std::vector<fs::path> new_folders_;
};

}  // namespace

litert::Expected<void> WriteFiles(const fs::path& directory, const FileTexts& files,
                                  const FileTexts& may_change) {
  std::error_code error;
  for (const auto& [path, text] : files) {
    if (fs::exists(directory / path, error) && !may_change.contains(path)) {
      return litert::Unexpected(litert::Status::kErrorAlreadyExists,
                                fmt::format("{} is already there, and nothing is overwritten",
                                            (directory / path).string()));
    }
  }
  WrittenFiles written;
  for (const auto& [path, text] : files) {
    auto done = written.Write(directory / path, text);
    if (done) continue;
    written.TakeBack();
    return done;
  }
  return {};
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;

// Of an #include line the place of what stands between its quotation marks.
std::optional<std::pair<size_t, size_t>> QuotedPart(std::string_view line) {
  size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#') return std::nullopt;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string_view::npos || !line.substr(at).starts_with("include")) return std::nullopt;
  at = line.find_first_not_of(" \t", at + std::string_view("include").size());
  if (at == std::string_view::npos || line[at] != '"') return std::nullopt;
  const size_t end = line.find('"', at + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::pair(at + 1, end - at - 1);
}

template <class Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    visit(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
}

bool IsSource(const std::string& path) { return path.ends_with(".cc"); }
bool IsTest(const std::string& path) { return path.ends_with("_test.cc"); }

// Who needs a file.
enum Use : unsigned { kNobody = 0, kCompiler = 1, kDispatch = 2, kBoth = 3 };

// Follows includes, and from a header to the source of its name.
class Uses {
 public:
  Uses(const FileTexts& files, const std::string& name) : files_(files), name_(name) {}

  void Follow(const std::string& path, Use use) {
    unsigned& known = uses_[path];
    if ((known & use) == use) return;
    // Before what it includes is followed: two files that include each other end here.
    known |= use;
    for (const std::string& include : QuotedIncludes(files_.at(path))) {
      if (const auto own = Resolve(path, include)) Follow(*own, use);
    }
    if (!path.ends_with(".h")) return;
    const std::string source = path.substr(0, path.size() - 2) + ".cc";
    if (files_.contains(source)) Follow(source, use);
  }

  Use Of(const std::string& path) const {
    const auto found = uses_.find(path);
    return found == uses_.end() ? kNobody : static_cast<Use>(found->second);
  }

  // The vendor's file that an include means.
  std::optional<std::string> Resolve(const std::string& from, const std::string& include) const {
    const std::string prefix = name_ + "/";
    if (include.starts_with(prefix) && files_.contains(include.substr(prefix.size()))) {
      return include.substr(prefix.size());
    }
    const std::string beside = (fs::path(from).parent_path() / include).lexically_normal();
    if (files_.contains(beside)) return beside;
    return std::nullopt;
  }

 private:
  const FileTexts& files_;
  const std::string& name_;
  std::map<std::string, unsigned> uses_;
};

// A source that nobody's header names goes where all is that it includes.
void FollowTheRest(const FileTexts& files, Uses& uses) {
  for (const auto& [path, text] : files) {
    if (!IsSource(path) || IsTest(path) || uses.Of(path) != kNobody) continue;
    unsigned use = kBoth;
    for (const std::string& include : QuotedIncludes(text)) {
      const auto own = uses.Resolve(path, include);
      if (own && uses.Of(*own) != kNobody) use &= uses.Of(*own);
    }
    uses.Follow(path, use == kNobody ? kBoth : static_cast<Use>(use));
  }
}

// Its path within litert/vendors/NAME: a package of its own for the compiler, for the dispatch
// library, and one above them for both.
std::string PlaceOf(const std::string& path, Use use) {
  const size_t slash = path.find('/');
  const std::string top = slash == std::string::npos ? "" : path.substr(0, slash);
  if (use == kBoth) {
    return top == "compiler" || top == "dispatch" ? "common/" + path.substr(slash + 1) : path;
  }
  const std::string package = use == kCompiler ? "compiler" : "dispatch";
  return top == package ? path : package + "/" + path;
}

void AddTo(SourceGroup& group, const std::string& path) {
  (IsSource(path)         ? group.sources
   : path.ends_with(".h") ? group.headers
                          : group.texts)
      .push_back(path);
}

}  // namespace

std::vector<std::string> QuotedIncludes(std::string_view text) {
  std::vector<std::string> includes;
  ForEachLine(text, [&](std::string_view line) {
    if (const auto part = QuotedPart(line)) {
      includes.emplace_back(line.substr(part->first, part->second));
    }
  });
  return includes;
}

std::string RenameIncludes(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>& rename) {
  std::string out;
  ForEachLine(text, [&](std::string_view line) {
    const auto part = QuotedPart(line);
    const auto other =
        part ? rename(std::string(line.substr(part->first, part->second))) : std::nullopt;
    if (!other) {
      out += line;
      return;
    }
    out += line.substr(0, part->first);
    out += *other;
    out += line.substr(part->first + part->second);
  });
  return out;
}

std::optional<std::string> NameOfWrapper(const std::string& include) {
  const bool is_table = include.starts_with("litert/") && include.ends_with(".def");
  if (include.starts_with("litert/cc/") || is_table) {
    return std::string(kWrapperPrefix) + include.substr(std::string_view("litert/").size());
  }
  return std::nullopt;
}

litert::Expected<VendorSources> PlaceSources(const FileTexts& files, const std::string& name) {
  Uses uses(files, name);
  unsigned found = kNobody;
  for (const auto& [path, text] : files) {
    if (!IsSource(path) || IsTest(path)) continue;
    const bool compiles = text.find("NPUKIT_EXPORT_COMPILER_PLUGIN(") != std::string::npos;
    const bool runs = text.find("NPUKIT_EXPORT_DISPATCH(") != std::string::npos;
    if (compiles) uses.Follow(path, kCompiler);
    if (runs) uses.Follow(path, kDispatch);
    found |= (compiles ? kCompiler : 0u) | (runs ? kDispatch : 0u);
  }
  if (found != kBoth) {
    return litert::Unexpected(
        litert::Status::kErrorNotFound,
        fmt::format("no source in {}/ has {}", name,
                    (found & kCompiler) != 0 ? "NPUKIT_EXPORT_DISPATCH("
                                             : "NPUKIT_EXPORT_COMPILER_PLUGIN("));
  }
  FollowTheRest(files, uses);

  VendorSources out;
  const std::string folder = "litert/vendors/" + name + "/";
  for (const auto& file : files) {
    const auto& path = file.first;  // a lambda may not capture a structured binding
    const Use use = uses.Of(path);
    if (use == kNobody) {
      out.left_out.push_back(path);
      continue;
    }
    const std::string place = PlaceOf(path, use);
    const bool is_new =
        out.files
            .emplace(folder + place,
                     RenameIncludes(file.second,
                                    [&](const std::string& include) -> std::optional<std::string> {
                                      const auto own = uses.Resolve(path, include);
                                      if (!own) return NameOfWrapper(include);
                                      return folder + PlaceOf(*own, uses.Of(*own));
                                    }))
            .second;
    if (!is_new) {
      return litert::Unexpected(litert::Status::kErrorAlreadyExists,
                                fmt::format("two sources of {} would be {}", name, place));
    }
    if (use == kBoth) {
      AddTo(out.common, place);
    } else {
      const size_t package = std::string_view("compiler/").size();
      static_assert(std::string_view("compiler/").size() == std::string_view("dispatch/").size());
      AddTo(use == kCompiler ? out.compiler : out.dispatch, place.substr(package));
    }
  }
  return out;
}

}  // namespace npukit::tools

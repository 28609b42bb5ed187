// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/library_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_abi_header.h"
#include "sdk/tools/doctor/copy_size.h"

namespace npukit::tools {
namespace {

constexpr uint64_t kWordBytes = sizeof(uint64_t);
// The version 0.1.0 as the two words that hold it: major and minor, patch.
constexpr uint64_t kVersionWord = uint64_t{1} << 32;
// Functions of the basic table.
constexpr uint64_t kFunctionsUpToV22 = 25;

// A header of a table, followed by a pointer. `word` is of no trust: a word that is a number by
// chance is told from a header by fields that are small in every header, and by the pointer that
// must not be there.
std::optional<LiteRtAbiHeader> HeaderAt(const ElfImage& image, uint64_t address) {
  const auto word = image.Word(address);
  if (!word || image.Pointer(address)) return std::nullopt;
  LiteRtAbiHeader header = {};
  static_assert(sizeof header == kWordBytes);
  std::memcpy(&header, &*word, sizeof header);
  const bool is_header = header.struct_size >= 2 * kWordBytes && header.struct_size <= 4096 &&
                         header.struct_size % kWordBytes == 0 && header.major_version >= 1 &&
                         header.major_version <= 99 && header.minor_version <= 99 &&
                         header.reserved == 0;
  if (!is_header) return std::nullopt;
  return header;
}

// A struct LiteRtDispatchApi in the library's data.
struct ApiObject {
  uint64_t version_address = 0;
  uint64_t basic_address = 0;      // of the table of functions
  std::optional<bool> has_header;  // whether the header of v2.2.0 stands before the version
  std::optional<uint64_t> basic_functions;  // in that table
};

std::optional<bool> HasHeader(const ElfImage& image, uint64_t version_address) {
  // A struct that begins with a header is an object of its own, eight bytes before the version; one
  // without begins with the version. Where no symbol tells, what stands in the word before does.
  const uint64_t header = version_address - kWordBytes;
  if (image.ObjectSize(version_address)) return false;
  if (const auto size = image.ObjectSize(header); size && *size >= 56) return true;
  if (image.Pointer(header)) return false;
  const auto word = image.Word(header);
  if (!word) return std::nullopt;
  if (const auto found = HeaderAt(image, header)) return found->struct_size == 56;
  if (*word != 0) return false;
  return std::nullopt;  // zero: a header that was left so, or something else
}

// Several in a library that answers each host in its own layout.
std::vector<ApiObject> FindApis(const ElfImage& image) {
  std::vector<ApiObject> found;
  for (const auto& [address, target] : image.pointers()) {
    // By its shape, as a stripped library has no symbol for it: a version in two words, then a
    // pointer to a table that itself begins with a pointer to code.
    if (address < 2 * kWordBytes) continue;
    const uint64_t version = address - 2 * kWordBytes;
    const auto major_minor = image.Word(version);
    const auto patch = image.Word(version + kWordBytes);
    if (major_minor != kVersionWord || !patch || static_cast<uint32_t>(*patch) != 0 ||
        image.Pointer(version) || image.Pointer(version + kWordBytes)) {
      continue;
    }
    // The basic interface begins with a function.
    const auto first = image.Pointer(target);
    if (!first || !image.IsCode(*first)) continue;
    ApiObject api{.version_address = version,
                  .basic_address = target,
                  .has_header = HasHeader(image, version),
                  .basic_functions = {}};
    if (const auto size = image.ObjectSize(target)) api.basic_functions = *size / kWordBytes;
    found.push_back(api);
  }
  return found;
}

class Examiner {
 public:
  explicit Examiner(LibraryFile& file) : file_(file), image_(file.image) {}

  void Examine() {
    const std::set<std::string> strings = image_.Strings(4);
    file_.versions = StatedVersions(strings);
    static const std::regex library(R"(lib[A-Za-z0-9_+-]+(\.[0-9]+)*\.so(\.[0-9]+)*)");
    for (const std::string& text : strings) {
      if (text.size() < 80 && text.starts_with("lib") && std::regex_match(text, library) &&
          text != image_.soname) {
        file_.opens.insert(text);
      }
    }
    if (image_.Exports("LiteRtDispatchGetApi") || image_.Exports("LiteRtDispatchQueryInterface")) {
      ExamineDispatch();
    }
    if (image_.Exports("LiteRtCreateCompilerPlugin") ||
        image_.Exports("LiteRtCompilerPluginQueryInterface")) {
      ExamineCompiler();
    }
    // An application may hold the host without exporting a name of it.
    const bool asks_api = strings.contains("LiteRtDispatchGetApi");
    const bool asks_query = strings.contains("LiteRtDispatchQueryInterface");
    if (file_.dispatch.none() && file_.compiler.none() &&
        (image_.Exports("LiteRtCreateEnvironment") || (!LinksHost() && (asks_api || asks_query)))) {
      ExamineHost(asks_query);
    }
  }

 private:
  // A program on top of a host, as npukit's Python module, whatever names it knows.
  bool LinksHost() const {
    return std::any_of(image_.needed.begin(), image_.needed.end(), [](const std::string& library) {
      return library.starts_with("libLiteRt.so");
    });
  }

  void Say(std::string text) { file_.evidence.push_back(std::move(text)); }

  void ExamineDispatch() {
    using enum Generation;
    if (image_.Exports("LiteRtDispatchQueryInterface")) {
      file_.AddDispatch(Only(kQueried));
      Say("exports LiteRtDispatchQueryInterface");
      SayTables();
    }
    if (!image_.Exports("LiteRtDispatchGetApi")) return;
    std::vector<ApiObject> apis = FindApis(image_);
    const std::optional<uint64_t> copied = CopiedBytes();
    // What the function copies is believed where there is one struct, or none that can be seen: of
    // several it copies one or the other.
    if ((copied == 56 || copied == 48) && apis.size() < 2) {
      if (apis.empty()) apis.emplace_back();
      if (!apis[0].has_header) apis[0].has_header = copied == 56;
    }
    const bool has_header = std::any_of(
        apis.begin(), apis.end(), [](const ApiObject& api) { return api.has_header == true; });
    // Libraries that are given a table of the host's functions import none of them.
    if (image_.ImportsPrefix("LiteRt") && !has_header) {
      file_.AddDispatch(Only(k2_1a));
      Say("exports LiteRtDispatchGetApi and imports LiteRt functions of the host");
      return;
    }
    if (apis.empty()) {
      file_.AddDispatch(From(k2_1b, kAug2));
      Say("exports LiteRtDispatchGetApi and imports no LiteRt function, as from v2.1.5 on; what it "
          "answers stands in no table of the file");
      return;
    }
    for (ApiObject& api : apis) {
      // A library with both answers chooses by the host's header, and so knows both kinds of host
      // that have none.
      const bool is_for_older = apis.size() > 1 && has_header && !api.has_header.value_or(false);
      if (is_for_older) api.has_header = false;
      const Generations entry = OfApi(api);
      if (!is_for_older) {
        file_.AddDispatch(entry);
      } else {
        file_.AddDispatch(Only(k2_1b));
        file_.AddDispatch(Only(kMid));
      }
    }
  }

  std::optional<uint64_t> CopiedBytes() const {
    const ElfSymbol& function = image_.exports.find("LiteRtDispatchGetApi")->second;
    constexpr uint64_t kLongestBytes = 4096;
    return CopySize(image_.machine,
                    image_.BytesAt(function.address, std::min(function.size_bytes, kLongestBytes)));
  }

  Generations OfApi(const ApiObject& api) {
    using enum Generation;
    if (api.has_header == false) {
      Say("LiteRtDispatchApi of 48 bytes, without a header, as before v2.2.0");
      return From(k2_1b, kMid);
    }
    Generations generations = From(api.has_header ? k2_2 : k2_1b, kAug2);
    Say(api.has_header ? "LiteRtDispatchApi of 56 bytes, with a header, as from v2.2.0 on"
                       : "LiteRtDispatchApi has zeros where v2.2.0 has a header");
    if (!api.basic_functions) return generations;
    Say(fmt::format("{} functions in its table", *api.basic_functions));
    if (*api.basic_functions <= kFunctionsUpToV22) {
      return generations & From(k2_1b, k2_2);
    }
    return generations & From(kAug1, kAug2);
  }

  // Tables with a header of their own, which queried interfaces have.
  void SayTables() {
    int said = 0;
    for (const auto& [address, target] : image_.pointers()) {
      if (address < kWordBytes || said == 4) continue;
      const auto header = HeaderAt(image_, address - kWordBytes);
      if (!header || !image_.IsCode(target)) continue;
      Say(fmt::format("table of {} bytes, version {}.{}", header->struct_size,
                      header->major_version, header->minor_version));
      ++said;
    }
  }

  void ExamineCompiler() {
    using enum Generation;
    if (image_.Exports("LiteRtCompilerPluginQueryInterface")) {
      file_.AddCompiler(Only(kQueried));
      Say("exports LiteRtCompilerPluginQueryInterface");
      SayTables();
    }
    if (!image_.Exports("LiteRtCreateCompilerPlugin")) return;
    if (!image_.Exports("LiteRtGetCompilerPluginSDKVersion")) {
      file_.AddCompiler(Only(k2_1a));
      Say("exports LiteRtCreateCompilerPlugin without LiteRtGetCompilerPluginSDKVersion");
      return;
    }
    Generations generations = From(k2_1b, kAug2);
    Say("exports LiteRtGetCompilerPluginSDKVersion, as from v2.1.5 on; its exports do not tell the "
        "later ones apart");
    if (image_.imports.contains("LiteRtBuilderBuildOp")) {
      generations &= From(k2_1b, kAug1);
      Say("imports LiteRtBuilderBuildOp, as before 14 August 2026");
    }
    file_.AddCompiler(generations);
  }

  void ExamineHost(bool asks_query) {
    using enum Generation;
    if (image_.Exports("NpukitRegisterStaticPlugin")) {
      file_.is_npukit_host = true;
      file_.host = From(k2_1a, kQueried);
      Say("npukit's host, which loads libraries of every generation");
      return;
    }
    if (asks_query || image_.Exports("LiteRtStaticLinkedDispatchQueryInterface")) {
      file_.host = Only(kQueried);
      Say("asks for LiteRtDispatchQueryInterface");
      return;
    }
    file_.host = OfContexts();
    if (!image_.Exports("LiteRtCreateEnvironment")) return;
    Generations by_exports = From(k2_1a, kAug2);
    const std::pair<const char*, Generation> first_seen[] = {
        {"LiteRtGetSubgraphName", k2_1b},
        {"LiteRtExternalLiteRtBufferContextGetRunOptions", kMid},
        {"LiteRtDispatchGetHooks", kAug1}};
    // A host with the name is at least as new as the name, one without it older; one that asks for
    // a query was dealt with above.
    for (const auto& [name, since] : first_seen) {
      by_exports &= image_.Exports(name) ? From(since, kAug2) : ~From(since, kQueried);
      Say(fmt::format("{} {}", image_.Exports(name) ? "exports" : "does not export", name));
    }
    if ((file_.host & by_exports).any()) file_.host &= by_exports;
  }

  // By the tables that it passes to plugins.
  Generations OfContexts() {
    using enum Generation;
    for (const auto& [address, target] : image_.pointers()) {
      const auto header =
          address < kWordBytes ? std::nullopt : HeaderAt(image_, address - kWordBytes);
      if (!header || header->major_version != 1 || !image_.IsCode(target)) continue;
      const uint16_t size = header->struct_size;
      // Of the tables of host functions, two kinds in two generations (docs/doctor.md).
      if (size != 400 && size != 408 && size != 1048 && size != 1104) continue;
      const bool is_newer = size == 408 || size == 1104;
      Say(fmt::format("a table of host functions of {} bytes, minor version {}", size,
                      header->minor_version));
      return is_newer ? Only(kAug2) : From(kMid, kAug1);
    }
    return From(k2_1a, kAug2);
  }

  LibraryFile& file_;
  const ElfImage& image_;
};

}  // namespace

std::map<std::string, std::string> StatedVersions(const std::set<std::string>& texts) {
  static const std::regex stated(
      R"(([A-Za-z][A-Za-z0-9_ ]{0,40}[Vv](ersion|ERSION))[ :=]{0,3}[vV]?([0-9]+(\.[0-9]+)+))");
  std::map<std::string, std::string> versions;
  for (const std::string& text : texts) {
    if (text.size() > 400 ||
        (text.find("ersion") == std::string::npos && text.find("ERSION") == std::string::npos)) {
      continue;
    }
    std::smatch match;
    if (!std::regex_search(text, match, stated)) continue;
    std::string label = match[1];
    std::transform(label.begin(), label.end(), label.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    versions.emplace(label, match[3]);
  }
  return versions;
}

std::string LibraryFile::Kind() const {
  std::string kind;
  const auto add = [&](bool is, const char* name) {
    if (is) kind += (kind.empty() ? "" : ", ") + std::string(name);
  };
  add(host.any(), "LiteRT");
  add(dispatch.any(), "dispatch library");
  add(compiler.any(), "compiler plugin");
  if (!kind.empty()) return kind;
  const auto init = image.exports.lower_bound("PyInit_");
  const bool is_python = init != image.exports.end() && init->first.starts_with("PyInit_");
  return is_python ? "Python module" : "library";
}

void LibraryFile::AddDispatch(Generations entry) {
  dispatch_entries.push_back(entry);
  dispatch |= entry;
}

void LibraryFile::AddCompiler(Generations entry) {
  compiler_entries.push_back(entry);
  compiler |= entry;
}

LibraryFile ExamineLibrary(const std::string& path, ElfImage image) {
  LibraryFile file;
  file.path = path;
  file.image = std::move(image);
  Examiner(file).Examine();
  return file;
}

}  // namespace npukit::tools

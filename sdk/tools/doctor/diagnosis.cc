// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sdk/host/library/dispatch_search.h"

namespace npukit::tools {
namespace {

std::string NameOfFile(std::string_view path) {
  return std::filesystem::path(path).filename().string();
}

// "libopenvino" of "libopenvino.so.2630" and "libopenvino_2026.so".
std::string StemOf(const std::string& name) { return name.substr(0, name.find(".so")); }

// What every system with a C++ program has, Linux or Android.
bool IsOfTheSystem(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {
      "libc.so",       "libm.so",         "libdl.so",     "libpthread.so",  "librt.so",
      "libstdc++.so",  "libgcc_s.so",     "ld-linux",     "libc++_shared.", "liblog.so",
      "libandroid.so", "libnativewindow", "libvulkan.so", "libEGL.so",      "libGLESv",
      "libz.so",       "libOpenCL.so",    "libsync.so",   "libatomic.so",   "linux-vdso"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view known) { return name.starts_with(known); });
}

bool IsOnThisMachine(const std::string& name) {
  for (const char* folder :
       {"/lib", "/usr/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
        "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::path(folder) / name, error)) return true;
  }
  return false;
}

class Doctor {
 public:
  explicit Doctor(const Examined& examined) : examined_(examined) {}

  Diagnosis Diagnose() {
    for (const UnreadFile& file : examined_.unread) {
      Add(Severity::kMismatch, {file.path}, file.why, "Replace the file with a complete one.");
    }
    for (const LibraryFile& library : examined_.libraries) {
      if (library.host.any()) JudgeHost(library);
      if (library.dispatch.any() || library.compiler.any()) JudgeImports(library);
      JudgeNeeded(library);
    }
    JudgeWithoutHost();
    JudgeCopies();
    JudgeStatedVersions();
    JudgeDispatchFolders();
    JudgeBuilds();
    for (const ModelFile& model : examined_.models) JudgeModel(model);
    std::stable_sort(diagnosis_.findings.begin(), diagnosis_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return std::move(diagnosis_);
  }

 private:
  void Add(Severity severity, std::vector<std::string> files, std::string text, std::string fix) {
    diagnosis_.findings.push_back({severity, std::move(files), std::move(text), std::move(fix)});
  }

  void JudgeHost(const LibraryFile& host) {
    for (const LibraryFile& library : examined_.libraries) {
      if (library.dispatch.any()) AddPair(host, library, library.dispatch_entries, WhyNoDispatch);
      if (library.compiler.any()) AddPair(host, library, library.compiler_entries, WhyNoCompiler);
    }
  }

  void AddPair(const LibraryFile& host, const LibraryFile& library,
               const std::vector<Generations>& entries, WhyNot why_not) {
    PairJudgement judgement =
        host.is_npukit_host ? PairJudgement{true, ""} : JudgeEntries(host.host, entries, why_not);
    if (judgement.works == false) {
      Add(Severity::kMismatch, {host.path, library.path}, judgement.why,
          fmt::format(
              "Use {} and {} from one release of LiteRT, or rebuild the library for {}. Where "
              "LiteRT "
              "refuses a library it says so in its log only, and runs the model on the CPU.",
              NameOfFile(host.path), NameOfFile(library.path),
              fmt::join(NamesOf(host.host), " or ")));
    } else if (!judgement.works) {
      Add(Severity::kWarning, {host.path, library.path},
          "the files do not tell whether they go together: " + judgement.why,
          "Use both from one release of LiteRT, or let npukit doctor --load ask the library.");
    }
    diagnosis_.pairs.push_back(
        {host.path, library.path, judgement.works, std::move(judgement.why)});
  }

  // Without a host two libraries may still be such that none serves both: every generation is tried
  // as the host, and all of them would have to refuse one of the two.
  void JudgeWithoutHost() {
    for (const LibraryFile& library : examined_.libraries) {
      if (library.host.any()) return;
    }
    for (const LibraryFile& dispatch : examined_.libraries) {
      for (const LibraryFile& compiler : examined_.libraries) {
        if (dispatch.dispatch.none() || compiler.compiler.none()) continue;
        bool any = false;
        for (size_t i = 0; i < kNumGenerations && !any; ++i) {
          Generations host;
          host.set(i);
          any = JudgeEntries(host, dispatch.dispatch_entries, WhyNoDispatch).works != false &&
                JudgeEntries(host, compiler.compiler_entries, WhyNoCompiler).works != false;
        }
        diagnosis_.pairs.push_back({dispatch.path, compiler.path,
                                    any ? std::nullopt : std::optional(false),
                                    any ? "no LiteRT library was given" : "no LiteRT loads both"});
        if (any) continue;
        Add(Severity::kMismatch, {dispatch.path, compiler.path},
            fmt::format(
                "no LiteRT loads both: the dispatch library is of {}, the compiler plugin of {}",
                fmt::join(NamesOf(dispatch.dispatch), " or "),
                fmt::join(NamesOf(compiler.compiler), " or ")),
            "Use both from one release.");
      }
    }
  }

  void JudgeImports(const LibraryFile& library) {
    for (const LibraryFile& host : examined_.libraries) {
      if (host.host.none() || !host.image.Exports("LiteRtCreateEnvironment")) continue;
      std::vector<std::string> missing;
      for (const auto& [name, version] : library.image.imports) {
        if (name.starts_with("LiteRt") && !host.image.Exports(name)) missing.push_back(name);
      }
      if (missing.empty()) continue;
      Add(Severity::kMismatch, {host.path, library.path},
          fmt::format("{} imports what {} does not export: {}", NameOfFile(library.path),
                      NameOfFile(host.path), fmt::join(missing, ", ")),
          "Use both from one release of LiteRT: the library can't be opened.");
    }
  }

  const LibraryFile* Find(const std::string& name) const {
    for (const LibraryFile& library : examined_.libraries) {
      if (NameOfFile(library.path) == name || library.image.soname == name) return &library;
    }
    return nullptr;
  }

  // One that differs in its version alone.
  const LibraryFile* FindRelative(const std::string& name) const {
    for (const LibraryFile& library : examined_.libraries) {
      if (StemOf(NameOfFile(library.path)) == StemOf(name)) return &library;
    }
    return nullptr;
  }

  void JudgeNeeded(const LibraryFile& library) {
    for (const std::string& name : library.image.needed) {
      if (IsOfTheSystem(name) || Find(name) != nullptr) continue;
      if (const LibraryFile* relative = FindRelative(name)) {
        Add(Severity::kMismatch, {library.path, relative->path},
            fmt::format("{} needs {}, and there is {}", NameOfFile(library.path), name,
                        NameOfFile(relative->path)),
            fmt::format("Put {} of the version that the library was built with beside it.", name));
      } else if (name == "libLiteRt.so") {
        Add(Severity::kNote, {library.path}, "links libLiteRt.so, which the application must bring",
            "");
      } else if (examined_.is_whole && !IsOnThisMachine(name)) {
        Add(Severity::kMismatch, {library.path},
            fmt::format("{} needs {}, which is not there", NameOfFile(library.path), name),
            fmt::format("Put {} beside it.", name));
      }
    }
    if (!examined_.is_whole || (library.dispatch.none() && library.compiler.none())) return;
    std::vector<std::string> missing;
    for (const std::string& name : library.opens) {
      if (!IsOfTheSystem(name) && Find(name) == nullptr && name != "libLiteRt.so" &&
          !IsOnThisMachine(name)) {
        missing.push_back(name);
      }
    }
    if (!missing.empty()) {
      Add(Severity::kWarning, {library.path},
          fmt::format("names libraries that it may open and that are not there: {}",
                      fmt::join(missing, ", ")),
          "Put those of the vendor's SDK that the device lacks beside it.");
    }
  }

  void JudgeCopies() {
    std::map<std::string, const LibraryFile*> first;
    for (const LibraryFile& library : examined_.libraries) {
      const auto [found, is_new] = first.emplace(NameOfFile(library.path), &library);
      if (is_new || found->second->image.IsCopyOf(library.image)) continue;
      // By name, as the loader takes the first of its name and no other.
      const LibraryFile& other = *found->second;
      const bool same_versions = other.versions == library.versions;
      Add(same_versions ? Severity::kWarning : Severity::kMismatch, {other.path, library.path},
          same_versions ? "two builds of one library state the same versions: results may differ "
                          "with the one that is found"
                        : "two versions of one library: the first on the search path wins",
          "Remove one of them.");
    }
  }

  // The same label with another number: stub and skeleton, runtime and its parts.
  void JudgeStatedVersions() {
    std::map<std::string, const LibraryFile*> first;
    for (const LibraryFile& library : examined_.libraries) {
      for (const auto& [label, number] : library.versions) {
        const auto [found, is_new] = first.emplace(label, &library);
        const std::string& other = found->second->versions.at(label);
        // Copies of one library are told of by JudgeCopies().
        if (is_new || other == number ||
            NameOfFile(found->second->path) == NameOfFile(library.path)) {
          continue;
        }
        Add(Severity::kMismatch, {found->second->path, library.path},
            fmt::format("{} says {} {}, {} says {}", NameOfFile(found->second->path), label, other,
                        NameOfFile(library.path), number),
            "Use the vendor's libraries from one SDK.");
      }
    }
  }

  void JudgeDispatchFolders() {
    std::map<std::string, std::vector<std::string>> folders;
    for (const LibraryFile& library : examined_.libraries) {
      if (library.dispatch.any()) {
        folders[std::filesystem::path(library.path).parent_path().string()].push_back(library.path);
      }
    }
    for (const auto& [folder, paths] : folders) {
      if (paths.size() < 2) continue;
      Add(Severity::kWarning, paths,
          "several dispatch libraries in one folder: LiteRT opens the first that the folder lists",
          "Leave the one of the device there.");
    }
  }

  void JudgeBuilds() {
    std::map<std::string, std::vector<std::string>> compilers;
    for (const LibraryFile& library : examined_.libraries) {
      if (library.host.none() && library.dispatch.none() && library.compiler.none()) continue;
      if (!library.image.compiler.empty()) {
        compilers[library.image.compiler].push_back(library.path);
      }
    }
    if (compilers.size() < 2) return;
    std::vector<std::string> files;
    std::string text = "built by different compilers, so perhaps not together:";
    for (const auto& [compiler, paths] : compilers) {
      files.insert(files.end(), paths.begin(), paths.end());
      text += fmt::format(" {} by {};", fmt::join(paths, ", "), compiler);
    }
    text.pop_back();
    Add(Severity::kNote, std::move(files), std::move(text), "");
  }

  void JudgeModel(const ModelFile& model) {
    const bool has_libraries = examined_.is_whole || !examined_.libraries.empty();
    if (model.entry_points.empty()) {
      Add(Severity::kWarning, {model.path},
          "no dispatch op: the model runs on the CPU, or is compiled when it is loaded",
          "Compile it ahead of time (npukit apply), and see with npukit explain why ops stay.");
      return;
    }
    if (model.empty_modules > 0) {
      Add(Severity::kMismatch, {model.path},
          fmt::format("{} of {} dispatch ops have no bytecode", model.empty_modules,
                      model.entry_points.size()),
          "Compile the model again with a plugin that gives no executable handle ahead of time.");
    }
    if (!model.has_stamp) {
      Add(Severity::kWarning, {model.path}, "compiled, but not stamped with a SoC",
          "Compile it again: a host can't tell which library it is for.");
    }
    bool has_dispatch = false;
    for (const LibraryFile& library : examined_.libraries) {
      if (library.dispatch.none()) continue;
      has_dispatch = true;
      JudgeVendor(model, library);
    }
    if (!has_dispatch && has_libraries) {
      Add(Severity::kMismatch, {model.path},
          "compiled for an NPU, and there is no dispatch library: LiteRT fails with DISPATCH_OP "
          "unresolved, or silently runs nothing on the NPU",
          fmt::format("Put libLiteRtDispatch_{}.so there, and set the folder as the environment's "
                      "dispatch library folder.",
                      model.soc_manufacturer.empty() ? "VENDOR" : model.soc_manufacturer));
    }
    for (const LibraryFile& library : examined_.libraries) {
      if (library.compiler.any()) JudgeSoc(model, library);
      for (const auto& [label, number] : model.versions) {
        const auto found = library.versions.find(label);
        if (found == library.versions.end() || found->second == number) continue;
        Add(Severity::kMismatch, {model.path, library.path},
            fmt::format("the bytecode says {} {}, {} says {}", label, number,
                        NameOfFile(library.path), found->second),
            "Compile the model with the SDK of the device, or bring the device's SDK up to date.");
      }
    }
  }

  // Whether the plugin of the model's vendor compiles for the SoC of its stamp: by what it says when
  // loaded, else by whether its file holds that name.
  void JudgeSoc(const ModelFile& model, const LibraryFile& library) {
    constexpr std::string_view kPrefix = "libLiteRtCompilerPlugin";
    std::string vendor = StemOf(NameOfFile(library.path));
    if (!vendor.starts_with(kPrefix) || model.soc_model.empty()) return;
    vendor.erase(0, kPrefix.size());
    vendor.erase(0, vendor.find_first_not_of('_'));
    if (VendorLikeness(vendor, model.soc_manufacturer) == 0) return;
    if (!library.soc_models.empty()) {
      const auto& socs = library.soc_models;
      if (std::find(socs.begin(), socs.end(), model.soc_model) != socs.end()) return;
      Add(Severity::kMismatch, {model.path, library.path},
          fmt::format("the model is compiled for SoC model '{}', the plugin compiles for {}",
                      model.soc_model, fmt::join(socs, ", ")),
          "Use the plugin that compiled the model, or compile it again.");
    } else if (!library.image.Strings(model.soc_model.size()).contains(model.soc_model)) {
      Add(Severity::kWarning, {model.path, library.path},
          fmt::format(
              "the model is compiled for SoC model '{}', a name that the plugin's file does "
              "not hold",
              model.soc_model),
          "See with npukit doctor --load which SoC models it compiles for.");
    }
  }

  void JudgeVendor(const ModelFile& model, const LibraryFile& library) {
    const std::string vendor = VendorOfDispatchFile(library.path);
    if (vendor.empty() || model.soc_manufacturer.empty()) return;
    bool fits = false;
    for (std::string_view rest = model.soc_manufacturer; !rest.empty();) {
      const size_t comma = rest.find(',');
      fits = fits || VendorLikeness(vendor, rest.substr(0, comma)) > 0;
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    diagnosis_.pairs.push_back(
        {model.path, library.path, fits,
         fits ? "" : fmt::format("compiled for {}, not for {}", model.soc_manufacturer, vendor)});
    if (fits) return;
    Add(Severity::kMismatch, {model.path, library.path},
        fmt::format("the model is compiled for {} {}, the dispatch library is {}'s",
                    model.soc_manufacturer, model.soc_model, vendor),
        fmt::format("Put {}'s dispatch library there, or compile the model for {}.",
                    model.soc_manufacturer, vendor));
  }

  const Examined& examined_;
  Diagnosis diagnosis_;
};

}  // namespace

bool Diagnosis::HasMismatch() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::kMismatch;
  });
}

Diagnosis Diagnose(const Examined& examined) { return Doctor(examined).Diagnose(); }

}  // namespace npukit::tools

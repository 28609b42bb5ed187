// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit unpack: the sections of a bundle as files.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/tools/bundles/bundle_report.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

// A name from a file is no path.
std::string FileName(const Bundle& bundle, const BundleSection& section) {
  std::string name = section.name;
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  if (name.empty() || name == "." || name == "..") name = "_" + name;
  if (section.is_model) return name + ".tflite";
  return bundle.format == BundleFormat::kTask ? name : name + ".bin";
}

// By section, each another; empty for the compressed ones, which are left out. A name that is taken
// gets a number: "a.bin", "a_2.bin".
std::vector<std::string> FileNames(const Bundle& bundle) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const BundleSection& section : bundle.sections) {
    std::string& name = names.emplace_back();
    if (section.method != 0) continue;
    const std::filesystem::path first = name = FileName(bundle, section);
    for (int number = 2; !taken.insert(name).second; ++number)
      name = fmt::format("{}_{}{}", first.stem().string(), number, first.extension().string());
  }
  return names;
}

}  // namespace

int Unpack(CommandLine& line, int argc, char** argv) {
  std::string path;
  std::string folder;
  bool json = false;
  line.Add("BUNDLE", path, "A .litertlm or .task file").Required();
  line.Add("-o,--output", folder, "Folder for the files; made if it is not there").Required();
  line.AddFlag("--json", json, "Print what inspect prints, with each section's file, as JSON");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  auto file = MapFile(path);
  if (!file) return Fail(kNotLoaded, file.Error());
  if (!LooksLikeBundle(file->bytes))
    return Fail(kNotLoaded, path + ": is neither a .litertlm nor a .task bundle");
  const auto bundle = ParseBundle(std::move(*file), path);
  if (!bundle) return Fail(kNotLoaded, bundle.Error());
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Fail(kFailed, fmt::format("{}: {}", folder, error.message()));
  const std::vector<std::string> names = FileNames(*bundle);
  for (const std::string& name : names) {
    const std::filesystem::path to = std::filesystem::path(folder) / name;
    if (!name.empty() && std::filesystem::equivalent(to, path, error)) {
      return Fail(kWrongUsage, fmt::format("{}: the section of that name would be written over the "
                                           "bundle itself; expected another folder after -o",
                                           to.string()));
    }
  }
  nlohmann::ordered_json report = DescribeBundle(*bundle, path);
  std::string compressed;  // which are left out
  for (size_t i = 0; i < bundle->sections.size(); ++i) {
    const BundleSection& section = bundle->sections[i];
    if (section.method != 0) {
      compressed += (compressed.empty() ? "" : ", ") + section.name;
      continue;
    }
    const std::string to = (std::filesystem::path(folder) / names[i]).string();
    if (const auto written = WriteWholeFile(to, section.bytes.bytes); !written)
      return Fail(kFailed, written.Error());
    report["sections"][i]["file"] = to;
    if (!json) fmt::print("{}\n", to);
  }
  if (json) PrintJson(report);
  if (!compressed.empty()) {
    return Fail(kFailed, fmt::format("{}: compressed members are left out, an unzip gets them: {}",
                                     path, compressed));
  }
  return kDone;
}

}  // namespace npukit::tools

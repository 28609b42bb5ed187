// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit pack: a bundle with other contents in some of its sections.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"

namespace npukit::tools {
namespace {

// "NAME=FILE": the section's contents become the file's.
litert::Expected<void> Replace(const Bundle& bundle, const std::string& assignment,
                               std::vector<SharedBytes>& contents) {
  const size_t mark = assignment.find('=');
  if (mark == std::string::npos) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--section {}: expected the section's name and a file: NAME=FILE", assignment));
  }
  const std::string name = assignment.substr(0, mark);
  const BundleSection* section = bundle.Find(name);
  if (section == nullptr) {
    std::string names;
    for (const BundleSection& known : bundle.sections)
      names += (names.empty() ? "" : ", ") + known.name;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--section {}: there is no section '{}', only {}", assignment, name, names));
  }
  auto file = MapFile(assignment.substr(mark + 1));
  if (!file) return file.Error();
  contents[static_cast<size_t>(section - bundle.sections.data())] = std::move(*file);
  return {};
}

}  // namespace

int Pack(CommandLine& line, int argc, char** argv) {
  std::string path;
  std::string output;
  std::vector<std::string> replaced;
  line.Add("BUNDLE", path, "A .litertlm or .task file").Required();
  line.Add("--section", replaced,
           "NAME=FILE: contents of that section; may be given several times. All others stay as "
           "they are");
  line.Add("-o,--output", output, "The bundle to write").Required();
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  auto file = MapFile(path);
  if (!file) return Fail(kNotLoaded, file.Error());
  if (!LooksLikeBundle(file->bytes))
    return Fail(kNotLoaded, path + ": is neither a .litertlm nor a .task bundle");
  const auto bundle = ParseBundle(std::move(*file), path);
  if (!bundle) return Fail(kNotLoaded, bundle.Error());
  std::vector<SharedBytes> contents;
  for (const BundleSection& section : bundle->sections) contents.push_back(section.bytes);
  for (const std::string& assignment : replaced) {
    if (const auto done = Replace(*bundle, assignment, contents); !done)
      return Fail(kWrongUsage, done.Error());
  }
  if (const auto written = WriteBundle(*bundle, contents, output); !written)
    return Fail(kFailed, written.Error());
  return kDone;
}

}  // namespace npukit::tools

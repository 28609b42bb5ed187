// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/version.h"
#include "sdk/tools/shell/man_page.h"

namespace npukit::tools {
namespace {

int WritePage(const std::filesystem::path& path, const std::string& page) {
  std::ofstream file(path);
  file << page;
  if (!file.flush()) return Fail(kFailed, fmt::format("cannot write {}", path.string()));
  return kDone;
}

int WriteAll(const std::filesystem::path& folder, const std::vector<VerbFacts>& verbs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Fail(kFailed, fmt::format("cannot make {}: {}", folder.string(), error.message()));
  int exit_code = WritePage(folder / "npukit.1", FrontManPage(verbs, Version()));
  for (const VerbFacts& verb : verbs) {
    std::string name = verb.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    if (exit_code == kDone)
      exit_code = WritePage(folder / (name + ".1"), VerbManPage(verb, Version()));
  }
  return exit_code;
}

}  // namespace

int Man(CommandLine& line, int argc, char** argv) {
  std::string name;
  std::string output;
  line.Add("VERB", name, "the verb; without it npukit itself");
  const auto folder = OwnFolder();
  if (!folder) return Fail(kFailed, folder.Error());
  line.Suggest("VERB", [&] {
    std::vector<std::string> names;
    for (const auto& [verb, facts] : FindVerbs(*folder)) names.push_back(verb);
    return names;
  });
  line.Add("-o,--output", output, "write npukit.1 and npukit-VERB.1 of all verbs into this folder")
      .Excludes("VERB");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  const std::vector<VerbFacts> verbs = DescribedVerbs(*folder);
  if (!output.empty()) return WriteAll(output, verbs);
  if (name.empty()) {
    fmt::print("{}", FrontManPage(verbs, Version()));
    return kDone;
  }
  const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const VerbFacts& facts) {
    return facts.name == "npukit " + name;
  });
  if (verb == verbs.end()) return UnknownVerb(name, *folder);
  fmt::print("{}", VerbManPage(*verb, Version()));
  return kDone;
}

}  // namespace npukit::tools

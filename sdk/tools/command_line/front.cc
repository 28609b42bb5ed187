// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit VERB [ARGUMENTS]: runs npukit-VERB, which stands beside this program. Whoever puts a
// program there brings a verb.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/terminal.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/version.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

void PrintUsage(std::FILE* out, const std::filesystem::path& folder) {
  fmt::print(out, "Usage: npukit VERB [ARGUMENTS]\n\n");
  const std::map<std::string, Verb> verbs = FindVerbs(folder);
  if (verbs.empty()) {
    fmt::print(out, "There is no npukit-VERB in {}.\n", folder.string());
    return;
  }
  const int columns = ColumnsOf(out);
  size_t width = 0;
  for (const auto& [name, verb] : verbs) width = std::max(width, name.size());
  for (const auto& [name, verb] : verbs) {
    const std::string help =
        Wrapped(verb.help, std::max(20, columns - static_cast<int>(width) - 4));
    std::string_view rest = help;
    std::string_view first = name;
    do {
      const std::string_view row = rest.substr(0, rest.find('\n'));
      fmt::print(out, "  {:<{}}  {}\n", std::exchange(first, {}), width, row);
      rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    } while (!rest.empty());
  }
  fmt::print(out, "\n{}\n{}\n",
             Wrapped("'npukit VERB --help' tells more, 'npukit help TOPIC' prints a page of the "
                     "documentation ('npukit help topics' lists them).",
                     columns),
             Wrapped("Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not loaded.", columns));
}

int PrintTopic(const std::string& name, const std::filesystem::path& folder) {
  const std::set<std::string> topics = FindTopics(folder);
  if (name == "topics") {
    fmt::print("{}\n", fmt::join(topics, "\n"));
    return kDone;
  }
  if (topics.count(name) == 0) {
    std::set<std::string> names = topics;
    for (const auto& [verb, facts] : FindVerbs(folder)) names.insert(verb);
    const std::string nearest = NearestName(name, names);
    return Fail(kWrongUsage, fmt::format("there is no verb and no topic '{}'{}\nTopics: {}.", name,
                                         nearest.empty() ? "" : "; did you mean '" + nearest + "'?",
                                         fmt::join(topics, ", ")));
  }
  const auto text = ReadWholeText((DocsFolder(folder) / (name + ".md")).string());
  if (!text) return Fail(kFailed, text.Error());
  fmt::print("{}", *text);
  return kDone;
}

// What stands behind "KEY:" at the beginning of a line, without quotes.
std::string ValueOf(const std::string& yaml, const std::string& key) {
  const size_t begin = ("\n" + yaml).find("\n" + key + ":");
  if (begin == std::string::npos) return {};
  const size_t end = std::min(yaml.find('\n', begin), yaml.size());
  std::string value = yaml.substr(begin + key.size() + 1, end - begin - key.size() - 1);
  std::erase_if(value, [](char c) { return c == '\'' || c == '"' || c == ' ' || c == '\r'; });
  return value;
}

// The tools', the plugin ABIs' and the profiles' versions, which change for reasons of their own.
void PrintVersions(const std::filesystem::path& folder) {
  fmt::print("npukit {}\nplugin abi {}\n", Version(), PluginAbis());
  std::set<std::string> profiles;
  std::error_code error;
  const std::filesystem::path shared = folder.parent_path() / "share" / "npukit" / "profiles";
  for (std::filesystem::directory_iterator it(shared, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() != ".yaml") continue;
    const auto text = ReadWholeText(it->path().string());
    if (!text) {
      Warn(text.Error().Message());
      continue;
    }
    profiles.insert(
        fmt::format("profile {} {}\n", ValueOf(*text, "profile"), ValueOf(*text, "version")));
  }
  fmt::print("{}", fmt::join(profiles, ""));
}

int RunFront(std::vector<std::string> arguments) {
  const litert::Expected<std::filesystem::path> own_folder = OwnFolder();
  if (!own_folder) return Fail(kFailed, own_folder.Error());
  const std::filesystem::path& folder = *own_folder;
  if (arguments.empty()) {
    PrintUsage(stderr, folder);
    return kWrongUsage;
  }
  if (arguments[0] == "help" && arguments.size() > 1) {
    if (FindVerbs(folder).count(arguments[1]) == 0) return PrintTopic(arguments[1], folder);
    arguments = {arguments[1], "--help"};
  }
  const std::string verb = arguments[0];
  if (verb == "--help" || verb == "-h" || verb == "help") {
    PrintUsage(stdout, folder);
    return kDone;
  }
  if (verb == "--version") {
    PrintVersions(folder);
    return kDone;
  }
  const std::filesystem::path program = folder / ("npukit-" + verb);
  // A verb is a name in the folder and no path out of it.
  if (verb.empty() || verb[0] == '-' || verb.find('/') != std::string::npos ||
      access(program.c_str(), X_OK) != 0) {
    return UnknownVerb(verb, folder);
  }
  std::string program_name = program.string();
  std::vector<char*> pointers = {program_name.data()};
  for (size_t i = 1; i < arguments.size(); ++i) pointers.push_back(arguments[i].data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  return Fail(kFailed, program.string() + " cannot be run: " + std::strerror(errno));
}

}  // namespace

int Front(int argc, char** argv) {
  return Guarded("npukit", [&] { return RunFront({argv + 1, argv + std::max(argc, 1)}); });
}

}  // namespace npukit::tools

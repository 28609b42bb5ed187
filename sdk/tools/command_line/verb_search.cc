// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb_search.h"

#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

constexpr std::string_view kPrefix = "npukit-";

std::string HelpOf(const std::filesystem::path& program) {
  // Read, and not run: any program may stand there, and listing verbs is to be quick.
  const auto file = ReadRegularFile(program.string());
  if (!file) return {};
  const std::string_view bytes(reinterpret_cast<const char*>(file->data()), file->size());
  constexpr std::string_view kMark = NPUKIT_VERB_HELP_MARK;
  constexpr size_t kMaxCharacters = 200;
  // A program that holds this function has the bare mark, too.
  for (size_t at = 0; (at = bytes.find(kMark, at)) != std::string::npos;) {
    at += kMark.size();
    const std::string_view rest = bytes.substr(at, kMaxCharacters);
    const auto end =
        std::find_if(rest.begin(), rest.end(), [](unsigned char c) { return c < ' '; });
    if (end != rest.begin()) return std::string(rest.begin(), end);
  }
  return {};
}

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> distance(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) distance[i][0] = i;
  std::iota(distance[0].begin(), distance[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({replaced, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[a.size()][b.size()];
}

}  // namespace

litert::Expected<std::filesystem::path> OwnFolder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return program.parent_path();
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                            "cannot find the folder of this program: " + error.message());
}

std::map<std::string, Verb> FindVerbs(const std::filesystem::path& folder) {
  std::map<std::string, Verb> verbs;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (!name.starts_with(kPrefix) || !it->is_regular_file(ignored) ||
        access(it->path().c_str(), X_OK) != 0)
      continue;
    verbs[name.substr(kPrefix.size())] = {.program = it->path(), .help = HelpOf(it->path())};
  }
  return verbs;
}

std::filesystem::path DocsFolder(const std::filesystem::path& folder) {
  return folder.parent_path() / "share" / "npukit" / "docs";
}

std::set<std::string> FindTopics(const std::filesystem::path& folder) {
  std::set<std::string> topics;
  std::error_code error;
  for (std::filesystem::directory_iterator it(DocsFolder(folder), error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".md") topics.insert(it->path().stem().string());
  }
  return topics;
}

std::string NearestName(const std::string& name, const std::set<std::string>& names) {
  std::string nearest;
  // Two slips, or one in three letters of a long name. What is the beginning of a name counts as
  // one slip, however much is missing.
  size_t smallest = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : names) {
    const bool is_start = name.size() >= 2 && candidate.starts_with(name);
    const size_t distance = is_start ? 1 : EditDistance(name, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

int UnknownVerb(const std::string& name, const std::filesystem::path& folder) {
  std::string message = "there is no verb '" + name + "'";
  std::set<std::string> names;
  for (const auto& [verb, facts] : FindVerbs(folder)) names.insert(verb);
  if (const std::string suggestion = NearestName(name, names); !suggestion.empty()) {
    message += "; did you mean '" + suggestion + "'?";
  }
  return Fail(kWrongUsage, message + "\n'npukit --help' lists the verbs.");
}

}  // namespace npukit::tools

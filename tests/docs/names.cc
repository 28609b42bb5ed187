// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/docs/names.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <regex>
#include <sstream>
#include <utility>

namespace npukit::docs {
namespace {

namespace fs = std::filesystem;

// Paths under these are looked for; of others only the file's own name is.
constexpr std::array kRoots = {
    "sdk/",  "simulator/", "reference_plugin/", "conformance/", "templates/",
    "docs/", "tests/",     "scripts/",          "cmake/",       "npukit/"};

// Files of LiteRT's and TFLite's, or made up.
constexpr std::array kNotOurs = {"activations.cc", "namespace_heuristics.h", "run_model_simple.cc",
                                 "x.cc",           "x_benchmark.cc",         "x_fuzz.cc",
                                 "x_test.cc"};

bool IsPlaceholder(const std::string& path) {
  static const std::regex kPlaceholder(R"([*{}<>@$%]|\.\.\.|[A-Z]{3,}|_generated\.h|^tflite/)");
  return std::regex_search(path, kPlaceholder) && path.find("README.md") == std::string::npos &&
         path.find("CMakeLists.txt") == std::string::npos;
}

std::string OutputOf(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  std::string output;
  char buffer[4096];
  for (size_t count; (count = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    output.append(buffer, count);
  return pclose(pipe) == 0 ? output : "";
}

bool HasFlag(const std::string& help, const std::string& flag) {
  const std::regex as_a_word("(^|[^a-z-])" + flag + "($|[^a-z-])");
  return std::regex_search(help, as_a_word);
}

}  // namespace

Tree::Tree(fs::path root) : root_(std::move(root)) {
  for (const fs::path& path : TreeFiles(root_)) {
    const fs::path relative = path.lexically_relative(root_);
    files_.insert(relative.string());
    file_names_.insert(relative.filename().string());
    for (fs::path folder = relative.parent_path(); !folder.empty(); folder = folder.parent_path())
      folders_.insert(folder.string());
    if (relative.filename() != "CMakeLists.txt") continue;
    static const std::regex kWord("[A-Za-z0-9_]+");
    const std::string text = ReadText(path);
    for (std::sregex_iterator it(text.begin(), text.end(), kWord), end; it != end; ++it)
      targets_.insert(it->str());
  }
}

bool Tree::HasPath(const std::string& folder, const std::string& path) const {
  for (const std::string& base : {std::string(), std::string("sdk/include/"), folder + "/"}) {
    const std::string whole = (fs::path(base) / path).lexically_normal().string();
    if (files_.contains(whole) || folders_.contains(whole)) return true;
    // A pair of header and source goes by the name of both.
    if (files_.contains(whole + ".h") || files_.contains(whole + ".cc")) return true;
  }
  return false;
}

bool Tree::HasTest(const std::string& name) const {
  return targets_.contains(name) || file_names_.contains(name + ".cc") ||
         file_names_.contains(name + ".sh");
}

std::vector<std::string> Tree::MissingNames(const std::string& file,
                                            const std::string& line) const {
  static const std::regex kPath(R"([A-Za-z0-9_@*{}<>$%./,-]*[A-Za-z0-9_@*}>])");
  static const std::regex kFile(R"([a-z0-9_]+\.(h|cc|def|inc|md|sh|cmake))");
  static const std::regex kTest(R"([a-z0-9_]+_(test|benchmark|fuzz))");
  const std::string folder = fs::path(file).parent_path().string();
  std::vector<std::string> missing;
  for (std::sregex_iterator it(line.begin(), line.end(), kPath), end; it != end; ++it) {
    const std::string word = it->str();
    if (IsPlaceholder(word)) continue;
    const bool rooted = std::any_of(kRoots.begin(), kRoots.end(), [&](const char* root) {
      return word.starts_with(root) && word != root;
    });
    const std::string name = fs::path(word).filename().string();
    if (rooted) {
      if (!HasPath(folder, word)) missing.push_back(word);
    } else if (std::regex_match(name, kFile) && word.find("build") == std::string::npos) {
      const bool known = file_names_.contains(name) ||
                         std::find(kNotOurs.begin(), kNotOurs.end(), name) != kNotOurs.end();
      if (!known) missing.push_back(word);
    } else if (std::regex_match(word, kTest) && !HasTest(word)) {
      missing.push_back(word);
    }
  }
  return missing;
}

const std::string& Verbs::Help(const std::string& arguments) {
  const auto [place, is_new] = help_.try_emplace(arguments);
  if (is_new) place->second = OutputOf(bin_.string() + "/npukit-" + arguments + " --help");
  return place->second;
}

std::string Verbs::Fault(const std::string& command) {
  static const std::regex kVerb(R"((?:^|[\s(/])npukit[ -]([a-z]+)(?= |$)(.*))");
  static const std::regex kFlag(R"((?:^|[\s\[|(])(--[a-z][a-z-]*))");
  static const std::regex kWord(R"([a-z][a-z-]+)");
  std::smatch match;
  if (!std::regex_search(command, match, kVerb)) return {};
  const std::string verb = match[1];
  if (verb == "help") return {};  // npukit's own; its words are verbs and topics
  std::string rest = match[2];
  // What belongs to another command.
  rest = rest.substr(0, rest.find_first_of("#&;"));
  const std::string* help = &Help(verb);
  if (help->empty()) return "there is no `npukit " + verb + "`";
  std::istringstream words(rest);
  if (std::string word; words >> word && std::regex_match(word, kWord)) {
    // A verb of the verb, if it has that: help that is not the verb's own.
    const std::string& inner = Help(verb + " " + word);
    if (!inner.empty() && inner != *help) help = &inner;
  }
  for (std::sregex_iterator it(rest.begin(), rest.end(), kFlag), end; it != end; ++it) {
    const std::string flag = (*it)[1];
    if (!HasFlag(*help, flag)) return "`npukit " + verb + "` has no " + flag;
  }
  return {};
}

}  // namespace npukit::docs

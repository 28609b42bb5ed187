// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether what pages and comments name is in the tree: files, tests, commands.

#ifndef NPUKIT_TESTS_DOCS_NAMES_H_
#define NPUKIT_TESTS_DOCS_NAMES_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/docs/page.h"

namespace npukit::docs {

class Tree {
 public:
  explicit Tree(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }
  // Relative to the root.
  const std::set<std::string>& files() const { return files_; }

  // What is wrong with a line of a file: names of files and tests that are not in the tree.
  std::vector<std::string> MissingNames(const std::string& file, const std::string& line) const;

 private:
  bool HasPath(const std::string& folder, const std::string& path) const;
  bool HasTest(const std::string& name) const;

  std::filesystem::path root_;
  std::set<std::string> files_;
  std::set<std::string> folders_;
  std::set<std::string> file_names_;  // without folders
  std::set<std::string> targets_;     // words of the CMakeLists.txt
};

// The verbs of a build and what their --help says.
class Verbs {
 public:
  explicit Verbs(std::filesystem::path bin) : bin_(std::move(bin)) {}

  // What is wrong with a command line: no such verb, or no such flag of it. "" if it names no verb.
  std::string Fault(const std::string& command);

 private:
  // Of `npukit-VERB --help`, or of one of its own verbs; empty if there is none.
  const std::string& Help(const std::string& arguments);

  std::filesystem::path bin_;
  std::map<std::string, std::string> help_;
};

}  // namespace npukit::docs

#endif  // NPUKIT_TESTS_DOCS_NAMES_H_

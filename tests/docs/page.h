// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A page of documentation, or the comments of a source, as text to be held against the tree.

#ifndef NPUKIT_TESTS_DOCS_PAGE_H_
#define NPUKIT_TESTS_DOCS_PAGE_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace npukit::docs {

struct Line {
  size_t number = 0;  // from 1
  std::string text;
};

// What stands between two lines of ```.
struct Fence {
  size_t number = 0;     // of the opening line
  std::string language;  // "sh", "console"; empty if none is named
  // From <!-- not run: REASON --> on the line before; empty: it runs.
  std::string why_not_run;
  std::vector<Line> lines;
};

struct Page {
  std::vector<Line> prose;         // all outside of fences
  std::vector<Line> code_spans;    // what stands in `backticks` there
  std::vector<std::string> links;  // targets of [text](target)
  std::vector<Fence> fences;
  // Commands of <!-- setup: COMMAND -->, which run before the page's own.
  std::vector<std::string> setup;
};

Page ParsePage(std::string_view text);

// The comments of C++, C, CMake, shell and YAML sources, by the name's ending; string literals are
// not looked into.
std::vector<Line> Comments(const std::filesystem::path& name, std::string_view text);

std::string ReadText(const std::filesystem::path& path);
std::vector<Line> Lines(std::string_view text);

// All sources and pages of the tree, sorted, without what is built.
std::vector<std::filesystem::path> TreeFiles(const std::filesystem::path& root);

}  // namespace npukit::docs

#endif  // NPUKIT_TESTS_DOCS_PAGE_H_

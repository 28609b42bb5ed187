// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The project's own sources as the tests of its structure see them: which file names which in an
// #include.

#ifndef NPUKIT_TESTS_SOURCE_TREE_H_
#define NPUKIT_TESTS_SOURCE_TREE_H_

#include <array>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace npukit {

struct Include {
  std::string target;   // as written between the quotes or angle brackets
  bool quoted = false;  // "x", not <x>
};

// The files that it may name, from the project's root: of the tree, or a public header.
std::array<std::string, 2> PathsOf(const Include& include);

struct SourceFile {
  std::string path;  // from the project's root
  std::vector<Include> includes;
};

// In the order of the text.
std::vector<Include> ReadIncludes(std::istream& in);

// Every .h, .cc, .c and .def file of the project, by path.
std::vector<SourceFile> ReadSourceTree();

// Whether the file is compiled into tests, benchmarks or fuzzers only: by its name (x_test.cc,
// x_benchmark.cc, x_fuzz.cc) or by a folder for tests that it lies in (tests/, testing/,
// test_plugins/ ...).
bool IsTestFile(std::string_view path);

bool IsUnder(std::string_view path, std::string_view folder);

}  // namespace npukit

#endif  // NPUKIT_TESTS_SOURCE_TREE_H_

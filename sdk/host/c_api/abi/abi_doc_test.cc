// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// docs/abi.md says of each name that a release of LiteRT exports whether it is implemented. The two
// tables are made from the headers, exports.txt, unsupported_functions.def and releases.def; to
// bring them up to date, run this test with NPUKIT_UPDATE_DOCS=1. Then the tables themselves are
// held against the library's symbols and LiteRT's list.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sdk/host/c_api/abi/testing/exported_symbols.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

constexpr char kPath[] = NPUKIT_SOURCE_DIR "/docs/abi.md";
constexpr char kHeaders[] = NPUKIT_SOURCE_DIR "/sdk/include/";

struct Row {
  enum Kind { kSection, kUnsupported, kDoesNothing, kNotExported } kind;
  const char* name;
  const char* why = "";
};

const std::vector<Row>& Rows() {
  static const auto* rows = new std::vector<Row>{
#define SECTION(title, why) {Row::kSection, title, why},
#define UNSUPPORTED(name, parameters) {Row::kUnsupported, #name},
#define UNSUPPORTED_VOID(name, parameters) {Row::kDoesNothing, #name},
#define NOT_EXPORTED(name) {Row::kNotExported, #name},
#include "sdk/host/c_api/abi/unsupported_functions.def"
  };
  return *rows;
}

// What v2.1.4 does not export, with the label of when it came.
const std::map<std::string, std::string>& Added() {
  static const auto* names = new std::map<std::string, std::string>{
#define ADDED(name, label) {#name, label},
#include "sdk/host/c_api/abi/testing/releases.def"
  };
  return *names;
}

Names RemovedInV22() {
  return {
#define REMOVED_IN_2_2(name) #name,
#include "sdk/host/c_api/abi/testing/releases.def"
  };
}

Names Unsupported() {
  Names names;
  for (const Row& row : Rows()) {
    if (row.kind != Row::kSection && row.kind != Row::kNotExported) names.insert(row.name);
  }
  return names;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Where each function is declared: "litert/c/litert_model.h".
std::map<std::string, std::string> Declarations() {
  std::set<std::string> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kHeaders)) {
    if (entry.path().extension() == ".h") headers.insert(entry.path().string());
  }
  // A function, or a variable: of a pointer, or of a function's address.
  const std::regex call(R"((?:\b|\(\*)(LiteRt\w+)(?:\)?\(|;))");
  std::map<std::string, std::string> declarations;
  for (const std::string& header : headers) {
    const std::string text = ReadFile(header);
    for (std::sregex_iterator i(text.begin(), text.end(), call), end; i != end; ++i) {
      declarations.emplace((*i)[1].str(), header.substr(sizeof kHeaders - 1));
    }
  }
  return declarations;
}

// " (2.2)" behind a name that v2.1.4 lacks.
std::string Label(const std::string& name) {
  const auto found = Added().find(name);
  return found == Added().end() ? "" : " (" + found->second + ")";
}

std::string ImplementedTable() {
  const Names unsupported = Unsupported();
  auto declarations = Declarations();
  std::map<std::string, std::vector<std::string>> by_header;
  for (const std::string& name : ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt")) {
    if (unsupported.contains(name)) continue;
    EXPECT_TRUE(declarations.contains(name)) << name << " is exported but in no header";
    by_header[declarations[name]].push_back(name + Label(name));
  }
  std::string text = "\n| declared in | functions |\n| --- | --- |\n";
  for (const auto& [header, names] : by_header) {
    text += "| `" + header + "` | ";
    for (const std::string& name : names) text += (&name == &names.front() ? "" : ", ") + name;
    text += " |\n";
  }
  return text + "\n";
}

const char* Behaviour(Row::Kind kind) {
  switch (kind) {
    case Row::kUnsupported:
      return "gives kLiteRtStatusErrorUnsupported";
    case Row::kDoesNothing:
      return "does nothing";
    default:
      return "not exported";
  }
}

std::string UnsupportedTables() {
  std::string text;
  for (const Row& row : Rows()) {
    if (row.kind == Row::kSection) {
      text += std::string("\n### ") + row.name + "\n\n" + row.why +
              "\n\n| function | what it does |\n| --- | --- |\n";
    } else {
      text += std::string("| ") + row.name + Label(row.name) + " | " + Behaviour(row.kind) + " |\n";
    }
  }
  return text + "\n";
}

struct Block {
  const char* source;  // in the comments around it
  std::string (*make)();
};
constexpr Block kImplemented = {"exports.txt", ImplementedTable};
constexpr Block kNotImplemented = {"unsupported_functions.def", UnsupportedTables};

// Of the page's text between the block's comments: where it starts and ends.
std::pair<size_t, size_t> Find(const std::string& doc, const Block& block) {
  const std::string begin = std::string("<!-- begin: ") + block.source + " -->\n";
  const size_t start = doc.find(begin);
  const size_t end = doc.find(std::string("<!-- end: ") + block.source + " -->\n");
  EXPECT_NE(start, std::string::npos) << kPath << ": " << block.source;
  EXPECT_NE(end, std::string::npos) << kPath << ": " << block.source;
  return {start + begin.size(), end};
}

std::string TextOf(const Block& block) {
  const std::string doc = ReadFile(kPath);
  const auto [start, end] = Find(doc, block);
  return doc.substr(start, end - start);
}

TEST(AbiDocTest, TablesAreUpToDate) {
  for (const Block& block : {kImplemented, kNotImplemented}) {
    const std::string wanted = block.make();
    if (std::getenv("NPUKIT_UPDATE_DOCS")) {
      std::string doc = ReadFile(kPath);
      const auto [start, end] = Find(doc, block);
      std::ofstream(kPath) << doc.replace(start, end - start, wanted);
    }
    EXPECT_EQ(TextOf(block), wanted)
        << "run this test with NPUKIT_UPDATE_DOCS=1 and commit docs/abi.md";
  }
}

// Names in the page, those of the second table by whether they are exported.
struct Documented {
  Names exported;
  Names not_exported;
  Names added;
};

Documented ReadPage() {
  Documented page;
  std::istringstream rows(TextOf(kImplemented) + TextOf(kNotImplemented));
  const std::regex function(R"(\b(LiteRt\w+)\b( \([^)]*\))?)");
  for (std::string row; std::getline(rows, row);) {
    const bool is_exported = row.find("not exported") == std::string::npos;
    for (std::sregex_iterator i(row.begin(), row.end(), function), end; i != end; ++i) {
      Names& names = is_exported ? page.exported : page.not_exported;
      EXPECT_TRUE(names.insert((*i)[1]).second) << (*i)[1] << " stands there twice";
      if ((*i)[2].matched) page.added.insert((*i)[1]);
    }
  }
  return page;
}

TEST(AbiDocTest, NamesWhatTheLibraryExports) {
  const Documented page = ReadPage();
  EXPECT_EQ(page.exported, ExportedFunctions());
}

TEST(AbiDocTest, NamesWhatLiteRtExports) {
  const std::string path = SharedDir() + "/facts/litert_2.1.4_exports.txt";
  const Names litert = ReadNames(path);
  if (litert.empty()) GTEST_SKIP() << "no " << path << ": LiteRT's own export list is absent";
  const Documented page = ReadPage();
  Names named = page.exported;
  named.insert(page.not_exported.begin(), page.not_exported.end());
  for (const std::string& name : page.added) named.erase(name);
  EXPECT_EQ(named, litert);
}

// Each release's list, from v2.1.4's and releases.def: all of it is exported or documented, and the
// library exports nothing that no release has.
TEST(AbiDocTest, NamesWhatEachReleaseExports) {
  const std::string path = SharedDir() + "/facts/litert_2.1.4_exports.txt";
  const Names v214 = ReadNames(path);
  if (v214.empty()) GTEST_SKIP() << "no " << path << ": LiteRT's own export list is absent";
  Names v220 = v214;
  for (const std::string& name : RemovedInV22()) EXPECT_EQ(v220.erase(name), 1u) << name;
  Names of_any = v214;
  Names after = v220;
  for (const auto& [name, label] : Added()) {
    EXPECT_FALSE(v214.contains(name)) << name;
    of_any.insert(name);
    after.insert(name);
    if (label != "after 2.2") v220.insert(name);
  }
  const Documented page = ReadPage();
  for (const Names& release : {v214, v220, after}) {
    for (const std::string& name : release) {
      EXPECT_TRUE(page.exported.contains(name) || page.not_exported.contains(name)) << name;
    }
  }
  for (const std::string& name : ExportedFunctions()) EXPECT_TRUE(of_any.contains(name)) << name;
}

}  // namespace
}  // namespace npukit

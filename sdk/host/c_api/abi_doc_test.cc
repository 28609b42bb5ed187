// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables in docs/abi.md say what unsupported_functions.def says. To bring
// them up to date, run this test with NPUKIT_UPDATE_DOCS=1.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr char kPath[] = NPUKIT_SOURCE_DIR "/docs/abi.md";
constexpr char kBegin[] = "<!-- begin: unsupported_functions.def -->\n";
constexpr char kEnd[] = "<!-- end: unsupported_functions.def -->\n";

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
#include "sdk/host/c_api/unsupported_functions.def"
  };
  return *rows;
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

std::string Tables() {
  std::string text;
  for (const Row& row : Rows()) {
    if (row.kind == Row::kSection) {
      text += std::string("\n### ") + row.name + "\n\n" + row.why +
              "\n\n| function | what it does |\n| --- | --- |\n";
    } else {
      text += std::string("| ") + row.name + " | " + Behaviour(row.kind) + " |\n";
    }
  }
  return text + "\n";
}

TEST(AbiDocTest, TablesAreUpToDate) {
  std::ifstream in(kPath);
  std::string doc{std::istreambuf_iterator<char>(in), {}};
  const size_t begin = doc.find(kBegin);
  const size_t end = doc.find(kEnd);
  ASSERT_NE(begin, std::string::npos) << kPath;
  ASSERT_NE(end, std::string::npos) << kPath;
  const size_t start = begin + sizeof kBegin - 1;
  if (std::getenv("NPUKIT_UPDATE_DOCS")) {
    doc.replace(start, end - start, Tables());
    std::ofstream(kPath) << doc;
    return;
  }
  EXPECT_EQ(doc.substr(start, end - start), Tables())
      << "run this test with NPUKIT_UPDATE_DOCS=1 and commit docs/abi.md";
}

}  // namespace

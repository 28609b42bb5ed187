// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: what the built libLiteRt.so exports.

#ifndef NPUKIT_SDK_HOST_C_API_ABI_TESTING_EXPORTED_SYMBOLS_H_
#define NPUKIT_SDK_HOST_C_API_ABI_TESTING_EXPORTED_SYMBOLS_H_

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace npukit {

using Names = std::set<std::string>;

// Output of a command; fails the test if the command does.
inline std::string OutputOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  std::string output;
  char buffer[4096];
  size_t size = 0;
  while ((size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) {
    output.append(buffer, size);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

// The lines of a file; none if it is absent.
inline Names ReadNames(const std::string& path) {
  std::ifstream file(path);
  Names names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) names.insert(line);
  }
  return names;
}

// Names that are defined, each with its version: "LiteRtPushOp@@VERS_1.0".
inline Names DefinedSymbols() {
  std::istringstream lines(
      OutputOf(std::string(NPUKIT_NM) + " -D --defined-only " NPUKIT_LITERT_SO));
  Names symbols;
  std::string address;
  std::string kind;
  std::string name;
  while (lines >> address >> kind >> name) {
    if (kind != "A") symbols.insert(name);  // A: the version nodes themselves
  }
  return symbols;
}

// The C API's functions, without their version.
inline Names ExportedFunctions() {
  constexpr std::string_view kVersion = "@VERS_1.0";  // after a second @ where linkers take it
  Names exported;
  for (const std::string& symbol : DefinedSymbols()) {
    if (symbol.ends_with(kVersion)) exported.insert(symbol.substr(0, symbol.find('@')));
  }
  return exported;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_ABI_TESTING_EXPORTED_SYMBOLS_H_

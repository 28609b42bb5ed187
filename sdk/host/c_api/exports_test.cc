// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What libLiteRt.so exports, by its symbol table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

using Names = std::set<std::string>;

// Output of a command; fails the test if the command does.
std::string OutputOf(const std::string& command) {
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

Names ReadNames(const std::string& path) {
  std::ifstream file(path);
  Names names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) names.insert(line);
  }
  return names;
}

// Names that are defined, each with its version: "LiteRtPushOp@@VERS_1.0".
Names DefinedSymbols() {
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

Names NotExported() {
  return {
#define NOT_EXPORTED(name) #name,
#include "sdk/host/c_api/unsupported_functions.def"
  };
}

TEST(ExportsTest, AreTheCheckedInListUnderVers10) {
  const std::string version = "@@VERS_1.0";
  Names exported;
  for (const std::string& symbol : DefinedSymbols()) {
    if (symbol.size() > version.size() &&
        symbol.compare(symbol.size() - version.size(), version.size(), version) == 0) {
      exported.insert(symbol.substr(0, symbol.size() - version.size()));
    }
  }
  EXPECT_EQ(exported, ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt"));
}

TEST(ExportsTest, EverythingElseIsInternal) {
  for (const std::string& symbol : DefinedSymbols()) {
    const bool is_c_api = symbol.find("@@VERS_1.0") != std::string::npos;
    const bool is_internal = symbol.find("@@NPUKIT_INTERNAL") != std::string::npos;
    const bool is_npukits =
        symbol.starts_with("Npukit") && symbol.find("@@NPUKIT_1.0") != std::string::npos;
    EXPECT_TRUE(is_c_api || is_internal || is_npukits) << symbol;
    if (is_internal) {
      EXPECT_EQ(symbol.rfind("_Z", 0), 0u) << symbol;
    }
  }
}

// Seen in the symbol tables of LiteRT's own example plugin and dispatch library, as LiteRT builds
// them.
TEST(ExportsTest, WhatLiteRtsExamplesImportIsImplemented) {
  Names exports = ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt");
  const Names unsupported = {
#define UNSUPPORTED(name, parameters) #name,
#include "sdk/host/c_api/unsupported_functions.def"
  };
  for (const char* name : {
           "LiteRtBuilderBuildOp",
           "LiteRtBuilderEraseOp",
           "LiteRtCreateTensorBufferRequirements",
           "LiteRtGetEnvironmentOptions",
           "LiteRtGetEnvironmentOptionsValue",
           "LiteRtGetModelSubgraph",
           "LiteRtGetNumLayoutElements",
           "LiteRtGetNumModelSubgraphs",
           "LiteRtGetNumOpInputs",
           "LiteRtGetNumOpOutputs",
           "LiteRtGetNumSubgraphInputs",
           "LiteRtGetNumSubgraphOps",
           "LiteRtGetNumSubgraphOutputs",
           "LiteRtGetNumTensorUses",
           "LiteRtGetOpCode",
           "LiteRtGetOpInput",
           "LiteRtGetOpOutput",
           "LiteRtGetOptionsHardwareAccelerators",
           "LiteRtGetRankedTensorType",
           "LiteRtGetSHLOCompositeOpAttributes",
           "LiteRtGetSHLOCompositeOpDecompositionSubgraphIndex",
           "LiteRtGetSHLOCompositeOpName",
           "LiteRtGetSHLOCompositeOpVersion",
           "LiteRtGetSubgraphInput",
           "LiteRtGetSubgraphOp",
           "LiteRtGetSubgraphOutput",
           "LiteRtGetTensorBufferPackedSize",
           "LiteRtGetTensorDefiningOp",
           "LiteRtGetTensorIndex",
           "LiteRtGetTensorName",
           "LiteRtGetTensorTypeId",
           "LiteRtGetTensorUse",
           "LiteRtGetTensorWeights",
           "LiteRtGetUnrankedTensorType",
           "LiteRtGetWeightsBufferId",
           "LiteRtGetWeightsBytes",
           "LiteRtLockTensorBuffer",
           "LiteRtPushOp",
           "LiteRtUnlockTensorBuffer",
       }) {
    EXPECT_TRUE(exports.contains(name)) << name;
    EXPECT_FALSE(unsupported.contains(name)) << name;
  }
}

TEST(ExportsTest, Soname) {
  EXPECT_THAT(OutputOf(std::string(NPUKIT_READELF) + " -d " NPUKIT_LITERT_SO),
              ::testing::HasSubstr("Library soname: [libLiteRt.so]"));
}

// With the list of what LiteRT's own library exports, where it is at hand.
TEST(ExportsTest, WithTheLeftOutMakeUpLiteRtsOwnList) {
  const std::string path = NPUKIT_SHARED_DIR "/facts/litert_2.1.4_exports.txt";
  Names litert = ReadNames(path);
  if (litert.empty()) {
    GTEST_SKIP() << "no " << path << ": LiteRT's own export list is absent";
  }
  Names ours = ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt");
  for (const std::string& name : NotExported()) {
    EXPECT_TRUE(ours.insert(name).second) << name << " is exported after all";
  }
  EXPECT_EQ(ours, litert);
}

}  // namespace

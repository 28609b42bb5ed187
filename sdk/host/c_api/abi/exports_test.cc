// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What libLiteRt.so exports, by its symbol table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sdk/host/c_api/abi/testing/exported_symbols.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

Names NotExported() {
  return {
#define NOT_EXPORTED(name) #name,
#include "sdk/host/c_api/abi/unsupported_functions.def"
  };
}

TEST(ExportsTest, AreTheCheckedInListUnderVers10) {
  EXPECT_EQ(ExportedFunctions(), ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt"));
}

// npukit's own, as docs/abi.md names them: the row of the node NPUKIT_1.0.
TEST(ExportsTest, NpukitsOwnAreThoseThatTheDocumentationNames) {
  const std::string node = "@@NPUKIT_1.0";
  Names exported;
  for (const std::string& symbol : DefinedSymbols()) {
    if (symbol.ends_with(node) && symbol != node) {
      exported.insert(symbol.substr(0, symbol.size() - node.size()));
    }
  }
  Names documented;
  std::ifstream page(NPUKIT_SOURCE_DIR "/docs/abi.md");
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `NPUKIT_1.0` |")) continue;
    for (size_t at = line.find("`Npukit"); at != std::string::npos; at = line.find("`Npukit", at)) {
      const size_t end = line.find('`', at + 1);
      documented.insert(line.substr(at + 1, end - at - 1));
      at = end;
    }
  }
  EXPECT_EQ(exported, documented);
}

TEST(ExportsTest, EverythingElseIsInternal) {
  for (const std::string& symbol : DefinedSymbols()) {
    const bool is_c_api = symbol.find("@VERS_1.0") != std::string::npos;
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
#include "sdk/host/c_api/abi/unsupported_functions.def"
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

// Exported for what was linked against a LiteRT that has them; a plugin that links npukit must not
// import them, since a released LiteRT has not.
TEST(ExportsTest, LoggingHelpersAreNoLinkersChoice) {
  Names helpers;
  for (const std::string& symbol : DefinedSymbols()) {
    if (symbol.starts_with("LiteRtPropagateMinLoggerSeverity")) helpers.insert(symbol);
  }
  EXPECT_THAT(helpers, ::testing::UnorderedElementsAre(
                           "LiteRtPropagateMinLoggerSeverity@VERS_1.0",
                           "LiteRtPropagateMinLoggerSeverityWithCompilerContext@VERS_1.0",
                           "LiteRtPropagateMinLoggerSeverityWithRuntimeContext@VERS_1.0"));
}

TEST(ExportsTest, Soname) {
  EXPECT_THAT(OutputOf(std::string(NPUKIT_READELF) + " -d " NPUKIT_LITERT_SO),
              ::testing::HasSubstr("Library soname: [libLiteRt.so]"));
}

// With the list of what LiteRT's own library exports, where it is at hand.
TEST(ExportsTest, WithTheLeftOutMakeUpLiteRtsOwnList) {
  const std::string path = SharedDir() + "/facts/litert_2.1.4_exports.txt";
  Names litert = ReadNames(path);
  if (litert.empty()) {
    GTEST_SKIP() << "no " << path << ": LiteRT's own export list is absent";
  }
  Names ours = ReadNames(NPUKIT_SOURCE_DIR "/sdk/host/c_api/exports.txt");
  for (const std::string& name : NotExported()) {
    EXPECT_TRUE(ours.insert(name).second) << name << " is exported after all";
  }
  for (const char* name : {
#define ADDED(name, label) #name,
#include "sdk/host/c_api/abi/testing/releases.def"
       }) {
    EXPECT_EQ(ours.erase(name), 1u) << name << " is not exported";
  }
  EXPECT_EQ(ours, litert);
}

}  // namespace
}  // namespace npukit

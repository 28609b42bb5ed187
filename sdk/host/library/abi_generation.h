// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of LiteRT's plugin ABIs a library speaks. All releases report version 0.1.0, so that it is
// read off what the library exports, imports and answers. docs/abi.md has the rules.

#ifndef NPUKIT_SDK_HOST_LIBRARY_ABI_GENERATION_H_
#define NPUKIT_SDK_HOST_LIBRARY_ABI_GENERATION_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/library/elf_facts.h"

namespace npukit {

// Of compiler plugins.
enum class PluginGeneration {
  kV210,     // 2.1.0, 2.1.1: links the host; no LiteRtCompilerPluginCheckCompilerCompatibility
  kV212,     // 2.1.2 to 2.1.4: links the host
  kV215,     // 2.1.5, 2.1.6: gets a table of the host's functions
  kV220,     // 2.2.0, and main of August 2026: that table has a header
  kQueried,  // main of September 2026: gives a table of its own functions
};

// By which a compiler plugin gives its table.
inline constexpr char kPluginQueryFunction[] = "LiteRtCompilerPluginQueryInterface";

// "2.1" for the libraries that link the host, "2.2" for those that get a table, "2.3" for those whose
// functions are queried.
std::string AbiName(PluginGeneration generation);
// "LiteRT 2.1.2 to 2.1.4".
std::string GenerationName(PluginGeneration generation);

// What the exports alone say. kV215 stands for both generations with a table, which export and
// import the same; ProbeContextLayout (context_probe.h) tells them apart. Error: the exports
// contradict each other.
litert::Expected<PluginGeneration> GenerationByExports(const std::string& path,
                                                       const ElfFacts& facts);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_ABI_GENERATION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/explain.h"
#include "sdk/host/plugin/elf_facts.h"
#include "sdk/host/plugin/shared_library.h"

namespace npukit {

// A plugin's exports. LiteRT's are all there; npukit's may be null.
struct PluginFunctions {
  LiteRtCompilerPluginApi litert = {};
  NpukitExplainOpT explain_op = nullptr;
  NpukitSetCompileSpecsT set_compile_specs = nullptr;
  NpukitGetNumDebugHandlesT get_num_debug_handles = nullptr;
  NpukitGetDebugHandleT get_debug_handle = nullptr;
};

// Which of LiteRT's two plugin ABIs the exports are of: "2.1" or "2.2". All
// releases report version 0.1.0, so the version does not tell.
std::string PluginAbi(const ElfFacts& facts);

// Error: the file is of an ABI that this host does not speak. Asked before the file is opened,
// since opening runs its code.
litert::Expected<void> CheckAbi(const std::string& path, const ElfFacts& facts);

// Error: names the file and every missing symbol.
litert::Expected<PluginFunctions> ResolveFunctions(const SharedLibrary& library);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_

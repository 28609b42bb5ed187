// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/explain.h"
#include "npukit/extensions/in_place.h"
#include "npukit/extensions/last_error.h"
#include "sdk/host/library/abi_generation.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

// abi 2.2's.
using GetPluginSdkVersion = LiteRtStatus (*)(LiteRtCompilerPlugin, const char**);
using GetCompiledResultHandle = LiteRtStatus (*)(LiteRtCompiledResult, LiteRtParamIndex,
                                                 LiteRtJitExecutable*);

// What a plugin exports. LiteRT's are all there, with the signatures of abi 2.1 whatever the
// plugin's own are; abi 2.2's and npukit's may be null.
struct PluginFunctions {
  PluginGeneration generation = PluginGeneration::kV212;
  LiteRtCompilerPluginApi litert = {};
  bool has_block_wise_argument = false;   // of its LiteRtBuilderBuildTensor
  const void* pattern_context = nullptr;  // what its patterns get first; null: nothing
  GetPluginSdkVersion get_sdk_version = nullptr;
  GetCompiledResultHandle get_result_handle = nullptr;
  NpukitExplainOpT explain_op = nullptr;
  NpukitSetCompileSpecsT set_compile_specs = nullptr;
  NpukitGetNumDebugHandlesT get_num_debug_handles = nullptr;
  NpukitGetDebugHandleT get_debug_handle = nullptr;
  NpukitGetInPlaceInputT get_in_place_input = nullptr;
  NpukitLastErrorT last_error = nullptr;
  RewriteElsewhere rewrite_elsewhere = nullptr;  // of a plugin that is linked in
};

// Errors name the file: every symbol that is missing; a generation that can't be told; a queried
// table that this host can't use, or without what it takes to make a plugin. To tell the generation,
// the plugin may be created and destroyed once (context_probe.h).
litert::Expected<PluginFunctions> ResolveFunctions(const PluginLibrary& library);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_FUNCTIONS_H_

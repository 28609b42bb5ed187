// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a plugin reads the host's functions from a table with a header (LiteRT 2.2.0) or without
// (2.1.5, 2.1.6). Neither its symbols nor its version tell, so it is asked to partition a subgraph
// without ops through a table whose members report which of them was called: it must first ask for
// a number of ops, inputs or outputs, and those stand at even places without a header, at odd ones
// with it.

#ifndef NPUKIT_SDK_HOST_LIBRARY_CONTEXT_PROBE_H_
#define NPUKIT_SDK_HOST_LIBRARY_CONTEXT_PROBE_H_

#include <string>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "sdk/host/library/abi_generation.h"

namespace npukit {

// LiteRtCreateCompilerPlugin from LiteRT 2.1.5 on; `context` is either table.
using CreatePluginWithContext = LiteRtStatus (*)(const void* context, LiteRtCompilerPlugin* plugin,
                                                 LiteRtEnvironmentOptions env,
                                                 LiteRtOptions options);

// kV215 or kV220. Makes a plugin and destroys it. Thread-safe. Error: the plugin can't be made, or
// asks nothing about the subgraph, so that it can't be told.
litert::Expected<PluginGeneration> ProbeContextLayout(const std::string& path,
                                                      CreatePluginWithContext create,
                                                      const LiteRtCompilerPluginApi& api);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_CONTEXT_PROBE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_COMPILED_RESULT_H_
#define NPUKIT_SDK_HOST_PLUGIN_COMPILED_RESULT_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/plugin/plugin_functions.h"

namespace npukit {

// Copies what a plugin's compiled result says about `partitions`, which it was compiled from, and
// checks it: as many calls as partitions; modules that the calls name exist and have bytes, or an
// executable in their place; entry points have names, each once within its module; debug handles name
// ops of their partition. `plugin` begins the errors.
litert::Expected<CompiledPartitions> ReadCompiledResult(const PluginFunctions& functions,
                                                        LiteRtCompiledResult result,
                                                        const Model& partitions,
                                                        const std::string& plugin);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_COMPILED_RESULT_H_

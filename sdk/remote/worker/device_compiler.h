// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's compiler plugin on the device.

#ifndef NPUKIT_SDK_REMOTE_WORKER_DEVICE_COMPILER_H_
#define NPUKIT_SDK_REMOTE_WORKER_DEVICE_COMPILER_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/compile_call.h"
#include "sdk/remote/worker/file_cache.h"

namespace npukit::remote {

// Loads the plugin at `plugin_path` into this process and compiles the model, which was sent. Errors: the
// plugin, the model, that nothing of it was selected.
litert::Expected<CompileAnswer> CompileOnDevice(const CompileCall& call,
                                                const std::string& plugin_path,
                                                const FileCache& cache);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_DEVICE_COMPILER_H_

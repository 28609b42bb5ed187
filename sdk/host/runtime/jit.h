// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiling a model at load, in memory.

#ifndef NPUKIT_SDK_HOST_RUNTIME_JIT_H_
#define NPUKIT_SDK_HOST_RUNTIME_JIT_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/model.h"
#include "sdk/host/plugin/apply.h"

namespace npukit {

struct JitRequest {
  std::string plugin_dir;
  std::string manufacturer;  // empty: any
  std::string soc;           // empty: the plugin's default
  bool one_op_per_partition = false;
};

struct JitResult {
  ApplyResult applied;
  std::string manufacturer;
  std::string plugin_path;
};

// Asks the folder's compiler plugins one after the other, by path, and takes the first that
// compiles part of the model. An error says why none did, for each of them. The model is not
// changed.
litert::Expected<JitResult> CompileInMemory(const Model& model, const JitRequest& request);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_JIT_H_

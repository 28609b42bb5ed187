// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiling a model at load, in memory.

#ifndef NPUKIT_SDK_HOST_SESSION_JIT_H_
#define NPUKIT_SDK_HOST_SESSION_JIT_H_

#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/runtime/runner/session_placement.h"

namespace npukit {

struct JitRequest {
  std::string plugin_dir;            // empty: those that are linked in
  std::string manufacturer;          // empty: any
  std::string soc;                   // empty: the plugin's default
  std::vector<std::string> plugins;  // all of these take part, in order; empty: one, as said below
  LiteRtOptions plugin_options = nullptr;  // what the plugins are created with
  PlacementRequest placement;
  bool one_op_per_partition = false;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
  bool fold_constants = false;
};

struct JitResult {
  // kNone: part of the model is compiled; else the furthest that a plugin came, and why, for each of
  // them.
  Fallback fallback = Fallback::kNone;
  std::string reason;
  ApplyResult applied;       // without a fallback
  std::string manufacturer;  // of those that compiled something, with commas between
};

// Asks the compiler plugins that FindPlugins finds (plugin_search.h) one after the other and takes
// the first that compiles part of the model; those in `plugins` all take part. The model is not
// changed.
JitResult CompileInMemory(const Model& model, const JitRequest& request);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_SESSION_JIT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a user may choose when plugins are applied to a model.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_APPLY_OPTIONS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_APPLY_OPTIONS_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/placement/place.h"
#include "sdk/host/placement/rules/placement_request.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

enum class OnCompileFailure {
  kFail,   // the whole model is refused
  kSplit,  // smaller partitions are tried, down to single ops; those that fail stay on the CPU
};

// What the host does to a copy of the model before plugins' transformations: FoldConstants.
using ModelRewrite = litert::Expected<RewriteCount> (*)(Model& model);

struct ApplyOptions {
  // Goes to those plugins that list it; the others use their default. An error if none lists it.
  std::string soc_model;
  PlacementRequest placement;
  bool one_op_per_partition = false;
  // What is compiled runs in this process: plugins may give executables, in place of bytecode too.
  // Otherwise a module without bytecode is an error, since the model can go into a file.
  bool just_in_time = false;
  // Keeps no bytecode of a module that has an executable, also ahead of time, as LiteRT 2.2.0 does.
  bool drop_bytecode_as_litert = false;
  KeepWhole keep_whole;  // composites that the host runs whole
  ModelRewrite before_plugins = nullptr;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_APPLY_OPTIONS_H_

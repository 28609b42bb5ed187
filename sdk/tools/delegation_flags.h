// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options by which a user says which plugins take part and what each gets: --plugin,
// --placement, --spec, --on-compile-failure.

#ifndef NPUKIT_SDK_TOOLS_DELEGATION_FLAGS_H_
#define NPUKIT_SDK_TOOLS_DELEGATION_FLAGS_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/plugin/delegation.h"

namespace CLI {
class App;
}  // namespace CLI

namespace npukit::tools {

struct DelegationChoice {
  std::vector<std::string> plugins;  // in order; empty: whichever takes the model
  PlacementRequest placement;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
};

struct DelegationFlags {
  std::vector<std::string> plugins;
  std::string placement_file;
  std::vector<std::string> specs;
  std::string on_compile_failure = "fail";

  void AddTo(CLI::App& app);
  // Reads the placement file. Its plugins count where --plugin names none.
  litert::Expected<DelegationChoice> Read() const;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DELEGATION_FLAGS_H_

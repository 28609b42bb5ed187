// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A file that says which op goes to which plugin: docs/delegates.md has the format.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_PLACEMENT_FILE_H_
#define NPUKIT_SDK_TOOLS_FLAGS_PLACEMENT_FILE_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/rules/placement_request.h"

namespace npukit::tools {

struct PlacementFile {
  // In the order in which they are asked; those that only a rule or spec names come last, in the
  // order of the file.
  std::vector<std::string> plugins;
  std::vector<std::string> plugin_places;  // of each, where it is first named: "p.yaml:2:14"
  PlacementRequest request;
};

// `name` stands in messages: "place.yaml:3:5: ...". Compile specs given as files are read, relative
// to the folder of `name`.
litert::Expected<PlacementFile> ParsePlacement(const std::string& text, const std::string& name);
litert::Expected<PlacementFile> ReadPlacementFile(const std::string& path);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_PLACEMENT_FILE_H_

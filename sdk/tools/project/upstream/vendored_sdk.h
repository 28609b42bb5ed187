// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What of npukit's SDK a vendor's sources need in LiteRT's tree. There the C headers are LiteRT's own; npukit's C++ over them
// comes along, under include/npukit, where it meets nothing of LiteRT's C++ wrappers.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_VENDORED_SDK_H_
#define NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_VENDORED_SDK_H_

#include <filesystem>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/project/upstream/source_files.h"

namespace npukit::tools {

// Where the SDK lies beside the running program, in an installation and in a build tree.
struct SdkFolders {
  std::filesystem::path include;  // npukit/plugin.h
  std::filesystem::path context;  // context_functions.cc, host_table.{h,cc}
};
SdkFolders FindSdk();

// The headers that `sources` reach, the C API's functions over the host's tables, and the BUILD file:
// by path within the folder where they are put. Error: an include that the SDK does not have.
litert::Expected<FileTexts> VendorSdk(const SdkFolders& sdk, const VendorSources& sources,
                                      const std::string& name);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_VENDORED_SDK_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The option that names folders of operator packages, for every verb that loads a model.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_OP_PACKAGE_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_OP_PACKAGE_FLAGS_H_

#include <string>
#include <vector>

#include "sdk/host/runtime/packages/op_packages.h"

namespace npukit::tools {

class CommandLine;

struct OpPackageFlags {
  std::vector<std::string> dirs;

  void AddTo(CommandLine& line);
  // An error if a folder is not there; the session only warns.
  litert::Expected<void> Check() const;
  // Those of the folders and of NPUKIT_OP_PACKAGE_PATH; what can't be used is told on stderr.
  OpPackages Load() const;
};

void WarnAbout(const OpPackages& packages);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_OP_PACKAGE_FLAGS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files of programs, which carry weights of gigabytes that a tool may never look at.

#ifndef NPUKIT_SIMULATOR_TOOLS_MAPPED_FILE_H_
#define NPUKIT_SIMULATOR_TOOLS_MAPPED_FILE_H_

#include <string>

#include "simulator/isa/expected.h"
#include "simulator/module/module.h"

namespace acme {

// A file's bytes as what modules are read from. A regular file is mapped, and its memory given back stretch by
// stretch as it is read through; it must not be changed while it is in use. Any other is read whole.
// Error: kIo.
Expected<ModuleSource> OpenModuleSource(const std::string& path);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_MAPPED_FILE_H_

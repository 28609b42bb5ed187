// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// docs/isa.md, made from isa.def and enums.def.

#ifndef NPUKIT_SIMULATOR_ISA_DOCUMENTATION_DOCUMENTATION_H_
#define NPUKIT_SIMULATOR_ISA_DOCUMENTATION_DOCUMENTATION_H_

#include <string>

namespace acme {

// The whole page as Markdown.
std::string IsaDocumentation();

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_DOCUMENTATION_DOCUMENTATION_H_

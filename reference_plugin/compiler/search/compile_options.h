// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_

namespace acme::compiler {

struct CompileOptions {
  // How hard the compiler tries:
  // 0: every value in the DRAM, tasks in the order of lowering. The simplest code; slow.
  // 1: what fits at the first careful try: no strips, tasks are moved little.
  // 2: boldly first, more carefully when it does not fit.
  // 3: every way, and of them the one that takes the fewest cycles by the compiler's estimate.
  int optimization_level = 2;
  // Every stage's value is printed, into CompiledModule::dumps. Costs time.
  bool dump = false;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_

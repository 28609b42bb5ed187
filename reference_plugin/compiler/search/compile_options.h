// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_

#include <cstddef>
#include <optional>

namespace acme::compiler {

// Of the forms of a network, and of the choices of chains by columns, one.
struct ProgramForm {
  size_t form = 0;
  size_t columns = 0;  // 0: none by columns
};

struct CompileOptions {
  // How hard the compiler tries:
  // 0: every value in the DRAM, tasks in the order of lowering. The simplest code; slow.
  // 1: what fits at the first careful try: no strips, tasks are moved little.
  // 2: boldly first, more carefully when it does not fit.
  // 3: every way, and of them the one that takes the fewest cycles by the compiler's estimate.
  int optimization_level = 2;
  // The search ends when so many tasks were planned for a program, those of its first plan among them:
  // what compiling takes stays in bounds, and does not depend on the machine.
  size_t most_search_tasks = 20000;
  // Attention of float32 gets programs for calls of shorter contexts, too, from level 1 on
  // (rewrite/context/valid_context.h).
  bool shorter_contexts = true;
  // No other form is looked at, unless it has none: what was the best of a network is it of one that
  // differs in a few widths.
  std::optional<ProgramForm> only_form;
  // Every stage's value is printed, into CompiledModule::dumps. Costs time.
  bool dump = false;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_COMPILE_OPTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names in the stack of a worker that died. A plugin exports hardly a function, so the dynamic
// linker knows few names: those of the library's own symbol table are looked up here, in the
// parent, where nothing is broken.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_STACK_SYMBOLS_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_STACK_SYMBOLS_H_

#include <string>

namespace npukit::conformance {

// Takes lines as backtrace_symbols_fd writes them, "FILE(+0x1234)[0x7f00]" or
// "FILE(SYMBOL+0x12)[0x7f00]". Names are demangled; a line of a file without symbols, or that is no
// such line, stays as it is.
std::string NameFrames(const std::string& stack);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_STACK_SYMBOLS_H_

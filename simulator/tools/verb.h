// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The main() of a program npukit-VERB, and nothing that takes time to compile; what the verbs do is
// in a library. As sdk/tools/command_line/verb.h, which the simulator does not include.
//
//   // programs/asm.cc
//   ACME_VERB("asm", "assemble Acme bytecode from text", acme::AsmMain)

#ifndef NPUKIT_SIMULATOR_TOOLS_VERB_H_
#define NPUKIT_SIMULATOR_TOOLS_VERB_H_

// Once in each program, at namespace scope. `npukit` without arguments finds the verb's line of
// help, which has no full stop, behind this mark.
#define ACME_VERB(verb, help, body)                                          \
  [[gnu::used]] static const char kVerbHelp[] = "npukit verb help\x1f" help; \
  int main(int argc, char** argv) { return ::acme::RunVerb("npukit " verb, body, argc, argv); }

namespace acme {

// Gives the exit code of `body`. An exception that nobody caught, and output that can't be written, are
// told in the name of `tool` and give exit code 1.
int RunVerb(const char* tool, int (*body)(int argc, char** argv), int argc, char** argv);

// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the program could not be loaded.
int AsmMain(int argc, char** argv);
int DisasmMain(int argc, char** argv);
int SimMain(int argc, char** argv);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_VERB_H_

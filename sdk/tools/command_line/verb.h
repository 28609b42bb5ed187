// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The main() of a program npukit-VERB, and nothing that takes time to compile: no header of the
// standard library. The verb's body, with all that it includes, is compiled into a library.
//
//   // programs/inspect.cc
//   NPUKIT_VERB("inspect", "print a model's subgraphs, ops, tensors and signatures",
//               npukit::tools::Inspect)
//
//   // inspect.cc
//   int Inspect(CommandLine& line, int argc, char** argv) {
//     std::string path;
//     line.Add("MODEL", path, ".tflite file").Required();
//     if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
//     ...
//     return kDone;
//   }

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_H_

// What stands before a verb's line of help in its binary. `npukit` without arguments finds the line
// there, so that listing the verbs runs none of them.
#define NPUKIT_VERB_HELP_MARK "npukit verb help\x1f"

// Once in each program, at namespace scope: the verb as typed, what it does in one line without a
// full stop, and its body, a VerbBody.
#define NPUKIT_VERB(verb, help, body)                                                           \
  [[gnu::used]] static const char kNpukitVerbHelp[] = NPUKIT_VERB_HELP_MARK help;               \
  int main(int argc, char** argv) {                                                             \
    return ::npukit::tools::RunVerb(                                                            \
        "npukit " verb, kNpukitVerbHelp + sizeof(NPUKIT_VERB_HELP_MARK) - 1, body, argc, argv); \
  }

namespace npukit::tools {

class CommandLine;

// Adds the verb's arguments to `line`, which has its help, parses them and does what they say.
// Gives the exit code (command_line.h).
using VerbBody = int(CommandLine& line, int argc, char** argv);

// `name` stands in errors and in --help: "npukit inspect". As Guarded (command_line.h).
int RunVerb(const char* name, const char* help, VerbBody* body, int argc, char** argv);

VerbBody Apply;
VerbBody Bench;
VerbBody Compare;
VerbBody Completion;
VerbBody Diff;
VerbBody Doctor;
VerbBody Explain;
VerbBody Generate;
VerbBody Info;
VerbBody Inspect;
VerbBody Man;
VerbBody New;
VerbBody Pack;
VerbBody Run;
VerbBody Sample;
VerbBody Unpack;

// `npukit` itself: becomes npukit-VERB, which stands beside it, or lists the verbs.
int Front(int argc, char** argv);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_H_

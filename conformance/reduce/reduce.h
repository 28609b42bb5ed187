// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit reduce MODEL --plugin-dir D [--while WHAT] [-o OUT]

#ifndef NPUKIT_CONFORMANCE_REDUCE_REDUCE_H_
#define NPUKIT_CONFORMANCE_REDUCE_REDUCE_H_

namespace npukit::tools {
class CommandLine;
}  // namespace npukit::tools

namespace npukit::conformance {

// A verb's body (sdk/tools/command_line/verb.h). Exit codes: 0 something smaller was found, or
// nothing can be left out; 1 the model does not show the symptom, or it was interrupted; 2 wrong
// usage; 3 the model or the plugin can't be used.
int ReduceVerb(tools::CommandLine& line, int argc, char** argv);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_REDUCE_H_

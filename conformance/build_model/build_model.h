// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit build GRAPH.yaml -o MODEL.tflite

#ifndef NPUKIT_CONFORMANCE_BUILD_MODEL_BUILD_MODEL_H_
#define NPUKIT_CONFORMANCE_BUILD_MODEL_BUILD_MODEL_H_

namespace npukit::tools {
class CommandLine;
}  // namespace npukit::tools

namespace npukit::conformance {

// A verb's body (sdk/tools/command_line/verb.h). Exit codes: 0 written; 1 the file can't be written;
// 2 the graph can't be read or is no model.
int BuildVerb(tools::CommandLine& line, int argc, char** argv);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_BUILD_MODEL_BUILD_MODEL_H_

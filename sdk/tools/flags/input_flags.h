// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// --in, --seed and what says how files become inputs: for every verb that runs a model.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_INPUT_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_INPUT_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::tools {

class CommandLine;

struct InputFlags {
  std::vector<std::string> files;  // FILE or NAME=FILE
  uint64_t seed = 1;
  std::string mean;       // "127.5" or "123.7,116.8,103.9"
  std::string deviation;  // the same
  std::string resize_filter = "bilinear";

  void AddTo(CommandLine& line);

  // The runner's inputs from the files: of those with a name (and of the arrays of an archive) that
  // input, of the others the inputs that are left, in order. From the seed if there are no files. For
  // each input where it came from: a file, an array "FILE:NAME", or "seed 1". Errors name the file
  // and the input, what it expects and what was found; all inputs that are left without a file.
  // `model` has the metadata that tell how images are normalised.
  litert::Expected<std::vector<std::string>> Fill(SignatureRunner& runner,
                                                  const Model& model) const;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_INPUT_FLAGS_H_

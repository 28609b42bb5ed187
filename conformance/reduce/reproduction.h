// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a reduction leaves: the model, its inputs, and the command that shows the symptom.

#ifndef NPUKIT_CONFORMANCE_REDUCE_REPRODUCTION_H_
#define NPUKIT_CONFORMANCE_REDUCE_REPRODUCTION_H_

#include <string>
#include <vector>

#include "conformance/reduce/symptom.h"
#include "conformance/reduce/trial.h"
#include "litert/cc/litert_expected.h"
#include "sdk/tools/flags/session_flags.h"

namespace npukit::conformance {

// Where the files go: --output names a .tflite file, whose neighbours are called after it, or a
// folder.
class OutputPaths {
 public:
  // `output` may be empty: a folder beside the model, with ".reduced" in place of ".tflite".
  OutputPaths(const std::string& output, const std::string& model);

  litert::Expected<void> MakeFolder() const;
  std::string model() const { return stem_ + ".tflite"; }
  std::string input(size_t index) const;
  std::string trials() const { return stem_ + ".trials"; }

 private:
  std::string stem_;  // "out/model"
};

// Replaces the files of an earlier result.
litert::Expected<void> WriteReproduction(const TrialModel& model, const OutputPaths& paths);

// A line for a shell: run, diff or bench, by the symptom, with the flags of the reduction.
std::string CommandFor(const Symptom& symptom, const tools::SessionFlags& flags,
                       const OutputPaths& paths, size_t input_count);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_REPRODUCTION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a run's outputs: files, statistics, the largest elements.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_RUN_OUTPUTS_H_
#define NPUKIT_SDK_TOOLS_REPORTS_RUN_OUTPUTS_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

class CommandLine;

struct OutputFlags {
  std::string prefix;          // of the files; empty: none
  std::string format = "bin";  // or "npy"
  bool statistics = false;
  int top = 0;         // so many of the largest elements
  std::string labels;  // a file with a name for each element, one a line

  void AddTo(CommandLine& line);
  bool wants_values() const { return !prefix.empty() || statistics || top > 0; }
};

// Collects what runs give and says what was asked for.
class RunOutputs {
 public:
  // `flags` and `runner` are borrowed. An error names the file of labels.
  static litert::Expected<RunOutputs> Create(const OutputFlags& flags,
                                             const SignatureRunner& runner);

  // After each run.
  void Add();
  // The files, one an output, all runs one after the other: raw bytes, or an array with a first
  // dimension of the runs where there was more than one. Errors name the file or the output.
  litert::Expected<void> Write();

  // Of one output, of the last run: the file's name (null without one), and what else was asked for.
  nlohmann::ordered_json Json(size_t output) const;
  // " to P0.bin", and lines with what else was asked for.
  std::string FileText(size_t output) const;
  std::string ValuesText(size_t output) const;

 private:
  RunOutputs(const OutputFlags& flags, const SignatureRunner& runner)
      : flags_(flags), runner_(runner) {}
  litert::Expected<std::vector<uint8_t>> Content(size_t output) const;
  TensorData LastOf(size_t output) const;
  std::string LabelOf(int64_t elem) const;

  const OutputFlags& flags_;
  const SignatureRunner& runner_;
  std::vector<std::string> labels_;
  std::vector<std::string> files_;
  int32_t runs_ = 0;
  std::vector<std::vector<uint8_t>> bytes_;  // of all runs, by output
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_RUN_OUTPUTS_H_

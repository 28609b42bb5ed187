// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values of all tensors of a run on the CPU: what parts of the model get as inputs when they are
// tried by themselves.

#ifndef NPUKIT_CONFORMANCE_REDUCE_RECORDING_H_
#define NPUKIT_CONFORMANCE_REDUCE_RECORDING_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/reduce/trial.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/cut_out.h"
#include "sdk/tools/flags/input_flags.h"

namespace npukit::conformance {

struct RecordedValue {
  std::vector<int32_t> shape;
  std::vector<uint8_t> bytes;
};

struct Recording {
  std::map<uint32_t, RecordedValue> values;  // by the tensor's index in the subgraph
  std::string why_not;                       // the CPU can't run the model; values are random then
};

// Runs the signature's subgraph with inputs of files, or random ones. Errors: wrong inputs, no
// such signature.
litert::Expected<Recording> RecordOnCpu(const Model& model, const Subgraph& subgraph,
                                        const std::string& signature, SessionOptions options,
                                        const tools::InputFlags& inputs);

// The cut as a file, with its inputs. Inputs get the shapes that their values had.
litert::Expected<TrialModel> ToTrial(const CutOut& cut, const Recording& recording, uint64_t seed);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_RECORDING_H_

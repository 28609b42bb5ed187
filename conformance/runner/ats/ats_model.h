// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The form of model that LiteRT's accelerator test suite (litert/ats) takes with --extra_models: a .tflite of one subgraph. It
// makes the inputs itself (floats in [-1, 1], integers of any value) and compares with LiteRT's CPU: the form has no data.

#ifndef NPUKIT_CONFORMANCE_RUNNER_ATS_ATS_MODEL_H_
#define NPUKIT_CONFORMANCE_RUNNER_ATS_ATS_MODEL_H_

#include <map>
#include <string>

#include "conformance/oracle/tensor_data.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

// Puts QUANTIZE behind every input and DEQUANTIZE before every output of 8 or 16 bits with one scale,
// so that inputs and outputs are floats. Whether there was any.
bool MakeEndsFloat(Model& model);

// Why LiteRT's suite can't run the model, or would give it inputs out of range; empty if it can.
// `input_ranges` by tensor name, as the case gives them.
std::string WhyNotForAts(const Model& model, const std::map<std::string, ValueRange>& input_ranges);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_ATS_ATS_MODEL_H_

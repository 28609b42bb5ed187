// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Networks that the project makes itself, so that the demo, tests and benchmarks need no file from
// outside. Weights are random but the same on every machine; scales are such that activations fill
// their range, as a trained network's do.

#ifndef NPUKIT_SDK_HOST_MODEL_SAMPLES_SAMPLE_MODELS_H_
#define NPUKIT_SDK_HOST_MODEL_SAMPLES_SAMPLE_MODELS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

struct SampleModel {
  std::string name;
  std::string description;
};

// What BuildSampleModel knows.
std::vector<SampleModel> SampleModels();

// kErrorNotFound names the samples there are.
litert::Expected<std::unique_ptr<Model>> BuildSampleModel(std::string_view name, uint32_t seed = 1);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SAMPLES_SAMPLE_MODELS_H_

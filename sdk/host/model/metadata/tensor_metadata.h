// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model's metadata (`TFLITE_METADATA`, a FlatBuffer of TFLite's metadata schema) say of its
// tensors. Only what npukit uses is read.

#ifndef NPUKIT_SDK_HOST_MODEL_METADATA_TENSOR_METADATA_H_
#define NPUKIT_SDK_HOST_MODEL_METADATA_TENSOR_METADATA_H_

#include <optional>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

inline constexpr char kTensorMetadata[] = "TFLITE_METADATA";

// An input is made of pixels by (pixel - mean) / deviation, one of each or one a channel; a quantised
// one is quantised then.
struct InputNormalization {
  std::vector<float> mean;
  std::vector<float> deviation;
};

// nullopt: the metadata do not say, are not there, or are no FlatBuffer that can be trusted; or `input`
// is no input of a subgraph of the model.
std::optional<InputNormalization> NormalizationInMetadata(const Model& model, const Tensor& input);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_METADATA_TENSOR_METADATA_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Input values that are the same on every machine for a seed.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_RANDOM_INPUTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_RANDOM_INPUTS_H_

#include <cstdint>
#include <span>

#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

// Floats: uniform in [-1, 1), of 24 bits. Integers with a scale: uniform over the whole type, so
// that saturation is met. Integers without one are likely indices: 0 to 3, and below `extent`. Bool:
// either. Other types: zero bytes. `stream` sets inputs of one model apart.
void FillRandom(const Tensor& tensor, uint64_t seed, uint64_t stream, std::span<uint8_t> bytes,
                int32_t extent = INT32_MAX);

// How many the smallest extent is that the tensor's elements index, as they stand or under another shape or
// type: by GATHER, GATHER_ND and EMBEDDING_LOOKUP. INT32_MAX if there is none.
int32_t IndexedExtent(const Tensor& tensor);

// All inputs of a runner, each its own stream. Likely indices stay below what they index.
void FillRandomInputs(SignatureRunner& runner, uint64_t seed);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_RANDOM_INPUTS_H_

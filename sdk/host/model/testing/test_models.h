// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: models that between them use every feature of the format.

#ifndef NPUKIT_SDK_HOST_MODEL_TESTING_TEST_MODELS_H_
#define NPUKIT_SDK_HOST_MODEL_TESTING_TEST_MODELS_H_

#include <memory>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// An op for each options table, each field with a value of its own that is not its default.
std::unique_ptr<Model> EveryOptionsTable();

// Per-tensor, per-channel, blockwise, multi-axis and custom quantisation, sparsity, variables,
// variants, dynamic shapes, every element type, omitted inputs, intermediates, shared constants,
// external buffers, several subgraphs and signatures, metadata, custom options inside and outside,
// outside buffers, odd operator codes, trailing bytes.
std::unique_ptr<Model> EveryFeature();

// Three dispatch ops, one after the other: the first and the last of one module, the second of
// another. Stamped for AcmeCorp's acme_a1.
std::unique_ptr<Model> CompiledModel();

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_TESTING_TEST_MODELS_H_

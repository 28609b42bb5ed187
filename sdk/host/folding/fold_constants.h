// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops of constants, computed before a model goes to plugins: weights stored in float16 behind a
// DEQUANTIZE, transposed, cast or sparse ones become the constants that their readers want, so that a
// plugin takes these whole. So does what is computed of shapes, as Keras' layers do it for a batch that
// the exporter did not know: SHAPE, STRIDED_SLICE, PACK, and the RESHAPE behind them.

#ifndef NPUKIT_SDK_HOST_FOLDING_FOLD_CONSTANTS_H_
#define NPUKIT_SDK_HOST_FOLDING_FOLD_CONSTANTS_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

// Makes sparse constants dense, and replaces ops whose inputs are all constant by their results, as
// the CPU's kernels compute them, in every subgraph; and SHAPE and RANK of what has a fixed
// shape: an input of the model or of a signature that has one (FixDynamicShapes), and what follows from
// those by the kernels' rules. Tensors get the shapes that these give. Left as they are: ops that give
// an output of their subgraph; those that no kernel knows or that refuse their tensors; custom ops;
// random ones; ops that make much of little (FILL, RANGE, TILE: more than four times the bytes that go
// in, above 64 KiB); ops and sparse constants of which a model would come to have more than 2 GiB. An
// op that reads what was folded stands for the folded ops too (OpOrigins). Counts folded ops and
// tensors that were made dense. Errors name a sparse constant that can't be read.
litert::Expected<RewriteCount> FoldConstants(Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_FOLDING_FOLD_CONSTANTS_H_

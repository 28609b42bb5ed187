// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONSTS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONSTS_H_

#include <cstddef>

namespace litert {

// Hints for inline storage. Nothing depends on their being exact.
static constexpr size_t kExpectedMaxTensorRank = 6;
static constexpr size_t kExpectedMaxNumOfTensorUses = 8;
static constexpr size_t kExpectedMaxNumOfOpInputs = 4;
static constexpr size_t kExpectedMaxNumOfOpOutputs = 8;
static constexpr size_t kExpectedMaxNumOfSubgraphInputs = 4;
static constexpr size_t kExpectedMaxNumOfSubgraphOutputs = 4;

// The key of the one signature of a model that defines none.
static constexpr char kDefaultSignatureKey[] = "<placeholder signature>";

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONSTS_H_

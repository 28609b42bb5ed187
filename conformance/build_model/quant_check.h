// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CONFORMANCE_BUILD_MODEL_QUANT_CHECK_H_
#define NPUKIT_CONFORMANCE_BUILD_MODEL_QUANT_CHECK_H_

#include "conformance/spec/graph/graph_spec.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// CheckQuant (quant_reader.h) of every tensor, those of decompositions included.
litert::Expected<void> CheckQuantizations(const GraphSpec& graph);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_BUILD_MODEL_QUANT_CHECK_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/indexing/selection.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_select {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferSelection(node, /*broadcasts=*/false);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "b where the condition is true, c else; the condition has their shape, is a "
                       "scalar, or one element per slice of the "
                       "first dimension",
            .source = "TFLite SELECT",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = PrepareSelection,
    .oracle = SelectionOracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_select

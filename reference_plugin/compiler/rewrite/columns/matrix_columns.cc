// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/columns/matrix_columns.h"

namespace acme::compiler {

int32_t ColumnsOf(const Value& value) { return value.shape.empty() ? 0 : value.shape.back(); }

const Reduce* ExtremeOfRows(const Layer& layer, int32_t cols) {
  const auto* reduce = layer.As<Reduce>();
  if (reduce == nullptr || reduce->in != reduce->out || reduce->dims.size() != 2) return nullptr;
  const bool extreme = reduce->op == ReduceOp::kMax || reduce->op == ReduceOp::kMin ||
                       reduce->op == ReduceOp::kMaxMagnitude;
  return extreme && !reduce->place && reduce->dims[0] == ReduceDimension{cols, true} ? reduce
                                                                                     : nullptr;
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What choosing and splitting columns both ask of values and layers.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_MATRIX_COLUMNS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_MATRIX_COLUMNS_H_

#include <cstdint>

#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Columns of a matrix; 0 for what is none.
int32_t ColumnsOf(const Value& value);

// The layer's operation if it looks for the largest or the smallest of each row of so many columns,
// else null: it can look through some at a time, and then through what it found.
const Reduce* ExtremeOfRows(const Layer& layer, int32_t cols);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_MATRIX_COLUMNS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What operations of two operands make of single elements, for stages that compute them before the
// program runs.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_VALUE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_VALUE_H_

#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/elementwise/binary.h"

namespace acme::compiler {

// Of two bytes of that type, i8 or u8, as v.binary has it; nothing of another type, or if a second
// operation follows in the same pass.
std::optional<int32_t> ValueOf(const Binary& op, Dtype dtype, int32_t a, int32_t b);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_VALUE_H_

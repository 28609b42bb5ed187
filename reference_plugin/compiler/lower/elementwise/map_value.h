// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What elementwise functions make of single elements, for stages that compute them before the
// program runs.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_VALUE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_VALUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {

// Elements are their bytes as little-endian numbers. The result is the vector engine's and TFLite's;
// nothing where they are not known to agree to the bit: only conversions between float32 and
// quantised integers of 16 bits or fewer, and tables.
std::optional<uint32_t> ValueOf(const Map& map, uint32_t element);

// An element that becomes this result; nothing if there is none or none is known.
std::optional<uint32_t> OperandOf(const Map& map, uint32_t result);

// Whether they do the same to their operands.
bool HaveOneFunction(const Map& a, const Map& b);

// An element for each byte, taken as an unsigned number.
inline constexpr size_t kBytes = 256;
using ElementOfByte = std::array<uint32_t, kBytes>;

// The table for operands of the type `in`, i8 or u8.
Map::Table TableOf(const ElementOfByte& elements, Dtype in, Dtype out);

// One function that does what `first` does and then `then`, of x; nothing unless an element of x is
// a byte, or what `first` does `then` undoes.
std::optional<Map> Joined(const Map& first, const Map& then);

// Whether it leaves every element as it is.
bool IsIdentity(const Map& map);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_MAP_VALUE_H_

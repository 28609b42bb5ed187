// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bytes for inputs and constants: the same for the same seed on every machine.

#ifndef NPUKIT_CONFORMANCE_ORACLE_TENSOR_DATA_H_
#define NPUKIT_CONFORMANCE_ORACLE_TENSOR_DATA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/text/text_hash.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Ends included; real values for floats, stored ones for integers.
using ValueRange = std::optional<std::pair<double, double>>;

// Without a range: floats in [-1, 1] (kWide: magnitudes from 2^-24 to 2^24), int8 to int16 over the
// whole type, wider integers in [-100, 100], bools 0 and 1. Error for types without a fixed size.
litert::Expected<std::vector<uint8_t>> MakeTensorData(LiteRtElementType type,
                                                      std::span<const int32_t> shape,
                                                      const DataSpec& data, const ValueRange& range,
                                                      uint64_t seed);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_TENSOR_DATA_H_

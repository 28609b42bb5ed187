// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A tensor's quantisation as a suite describes it.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_QUANT_READER_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_QUANT_READER_H_

#include <cstdint>
#include <string>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/text/value.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

inline constexpr int64_t kMaxDimension = int64_t{1} << 24;
inline constexpr size_t kMaxRank = 8;

// {scale or scales, zero_point or zero_points, axis} or {scales_tensor, zero_points_tensor,
// block_size}. Any number is taken: suites ask what a plugin does with scales that make no sense.
litert::Expected<QuantSpec> ReadQuant(const Value& value);

// For models that are to run, once the tensor's type is known. Errors, with line and column and the
// tensor's name: a scale that is not above 0, a zero point that an integer type does not hold.
litert::Expected<void> CheckQuant(const QuantSpec& quant, LiteRtElementType type,
                                  const std::string& tensor);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_QUANT_READER_H_

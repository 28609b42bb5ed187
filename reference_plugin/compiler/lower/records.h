// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The records of bias, multiplier and shift that v.drain and v.depthwise read, one an output
// channel.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_RECORDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// How sums become results, whatever operation made them.
struct Requantization {
  int32_t out_zp = 0;
  std::vector<FixedPoint> scales;  // one, or one an output channel; none for float32
  std::vector<double> reals;       // with Rounding::kReal, in place of scales
  Rounding rounding = Rounding::kDouble;
  ClampRange clamp;
};

std::string ToString(const Requantization& requantization);

// Bytes of one record: 4 for float32, 13 with Rounding::kReal, else 10.
int64_t RecordBytes(const Requantization& requantization, Dtype dtype);

// Appends the record of one channel of results of `dtype`. `bias` is a constant of int32, int64 or
// float32 (which may also be scales), or nullptr for zero.
void AppendRecord(const Requantization& requantization, const Value* bias, int32_t channel,
                  Dtype dtype, std::vector<uint8_t>& out);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_RECORDS_H_

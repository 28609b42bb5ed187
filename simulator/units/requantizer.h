// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Per-channel requantisation of v.drain and v.depthwise.

#ifndef NPUKIT_SIMULATOR_UNITS_REQUANTIZER_H_
#define NPUKIT_SIMULATOR_UNITS_REQUANTIZER_H_

#include <cstdint>
#include <vector>

#include "simulator/isa/engine_state.h"
#include "simulator/units/vector_row.h"

namespace acme {

// Channel records unpacked for one instruction; the vectors keep their storage from one to the
// next.
class Requantizer {
 public:
  // Reads the records of so many channels.
  void Unpack(const uint8_t* records, int64_t stride, int64_t channels, const VectorState& state,
              Dtype out);
  // For raw sums (out i32): bias 0, no multiplier.
  void Plain(const VectorState& state, Dtype out);

  // sums + bias, scaled, clamped, stored. 32-bit sums.
  void Store(const int32_t* sums, int64_t channels, uint8_t* to, int64_t stride);
  // 64-bit sums.
  void StoreWide(const int64_t* sums, int64_t channels, uint8_t* to, int64_t stride);

 private:
  std::vector<int64_t> wide_bias_;
  std::vector<int32_t> bias_;
  std::vector<int32_t> multiplier_;
  std::vector<int32_t> shift_;
  std::vector<double> scale_;  // with Rounding::kReal, in place of the two
  std::vector<int32_t> result_;
  IntegerClamp clamp_ = {};
  int32_t zero_point_ = 0;
  Rounding rounding_ = Rounding::kDouble;
  Dtype out_ = Dtype::kI8;
  bool plain_ = false;

  int32_t Scale(int64_t sum, int64_t channel) const;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_REQUANTIZER_H_

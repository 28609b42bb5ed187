// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How far two values of a tensor lie apart. Pure.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_GAP_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_GAP_H_

#include <cstdint>
#include <optional>
#include <span>

#include "sdk/host/model/graph/tensor.h"

namespace npukit {

struct NumericGap {
  int64_t elems = 0;
  int64_t differing_elems = 0;        // whose bytes differ; NaN equals NaN, 0 equals -0
  int64_t first_differing_elem = -1;  // in C order
  // In real units: quantised values are scaled; infinite if one side alone is NaN.
  double max_abs = 0;
  std::optional<int64_t> max_steps;  // of integer types: the largest difference of the raw values
  double mse = 0;                    // mean of the squared differences, in real units
  // 10 log10(mean square of the expected / mse); nullopt if nothing differs or the expected is all
  // zero.
  std::optional<double> snr_db;

  bool is_exact() const { return differing_elems == 0; }
};

// `expected` and `actual` are dense and of equal length, of the tensor's element type; quantisation
// per tensor or channel. nullopt for types whose elements are no numbers of whole bytes.
std::optional<NumericGap> MeasureGap(const Tensor& tensor, std::span<const int32_t> shape,
                                     std::span<const uint8_t> expected,
                                     std::span<const uint8_t> actual);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_NUMERIC_GAP_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Activations on their way into the array: some rows of a stream or of a convolution's windows, as
// the microkernels take them.

#ifndef NPUKIT_SIMULATOR_UNITS_STAGED_ROWS_H_
#define NPUKIT_SIMULATOR_UNITS_STAGED_ROWS_H_

#include <cstdint>
#include <vector>

#include "simulator/isa/engine_state.h"

namespace acme {

class StagedRows {
 public:
  // Rows at a time: enough to amortise a call, few enough for the first-level cache.
  static constexpr int64_t kMost = 48;

  explicit StagedRows(int64_t array_rows);

  // What is staged from here on has k activations a row. The state must outlive the staging.
  void Begin(int64_t k, const MatrixState& state);
  // Rows that lie so many bytes apart.
  void Stage(const uint8_t* from, int64_t row_stride, int64_t rows);
  // The windows of output pixels `first` .. first + rows - 1, row by row of the output.
  void StageWindows(const uint8_t* tile, const isa::MConv& conv, int64_t first, int64_t rows);

  // [rows][k rounded up to 2], zero points subtracted, the odd one zero.
  const int16_t* integers() const { return integers_.data(); }
  // [rows][k].
  const float* reals() const { return reals_.data(); }

 private:
  // Of windows beside each other in a row of the output: where the first one's stands in the input,
  // and their rows here.
  struct Run {
    int64_t y;
    int64_t x;
    int64_t row;
    int64_t rows;
  };

  bool IsReal() const { return state_->type.act == Dtype::kF32; }
  // `count` activations into column `at` of each of the run's rows, from places step_bytes apart.
  void Copy(const uint8_t* from, int64_t step_bytes, const Run& run, int64_t at, int64_t count);
  // Zeros likewise.
  void Clear(const Run& run, int64_t at, int64_t count);
  // Whole windows of a run whose taps all lie inside the input's columns, or of one window.
  void StageRun(const uint8_t* tile, const Run& run);
  // The first window at or behind x of the run whose taps lie inside the input's columns, and the
  // one behind the last, as numbers of windows.
  int64_t FirstInside(const Run& run) const;
  int64_t LastInside(const Run& run) const;

  const MatrixState* state_ = nullptr;
  int64_t k_ = 0;
  int64_t row_elems_ = 0;  // k, even for integers
  std::vector<int16_t> integers_;
  std::vector<float> reals_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_STAGED_ROWS_H_

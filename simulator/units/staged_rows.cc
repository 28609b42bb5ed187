// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/staged_rows.h"

#include <algorithm>
#include <cstring>

#include "simulator/units/microkernels/microkernels.h"

namespace acme {

StagedRows::StagedRows(int64_t array_rows) {
  // Once for the whole array, so that no instruction allocates.
  integers_.resize(kMost * ((array_rows + 1) / 2 * 2));
  reals_.resize(kMost * array_rows);
}

void StagedRows::Begin(int64_t k, const MatrixState& state) {
  state_ = &state;
  k_ = k;
  row_elems_ = IsReal() ? k : (k + 1) / 2 * 2;
  if (row_elems_ == k) return;
  // The weights of the last pair's second are zero, but 0 * what is left there need not be computed
  // from uninitialised storage.
  for (int64_t row = 0; row < kMost; ++row) integers_[row * row_elems_ + k] = 0;
}

void StagedRows::Copy(const uint8_t* from, int64_t step_bytes, const Run& run, int64_t at,
                      int64_t count) {
  const int64_t to = run.row * row_elems_ + at;
  const Microkernels& kernels = BestMicrokernels();
  const int32_t zero_point = state_->type.act_zp;
  switch (state_->type.act) {
    case Dtype::kI8:
      return kernels.widen_i8(reinterpret_cast<const int8_t*>(from), step_bytes,
                              integers_.data() + to, row_elems_, run.rows, count, zero_point);
    case Dtype::kU8:
      return kernels.widen_u8(from, step_bytes, integers_.data() + to, row_elems_, run.rows, count,
                              zero_point);
    case Dtype::kF32:
      for (int64_t i = 0; i < run.rows; ++i) {
        std::memcpy(reals_.data() + to + i * row_elems_, from + i * step_bytes,
                    count * sizeof(float));
      }
      return;
    default:
      for (int64_t i = 0; i < run.rows; ++i) {
        std::memcpy(integers_.data() + to + i * row_elems_, from + i * step_bytes,
                    count * sizeof(int16_t));
      }
  }
}

void StagedRows::Clear(const Run& run, int64_t at, int64_t count) {
  for (int64_t row = run.row; row < run.row + run.rows; ++row) {
    if (IsReal()) {
      std::fill_n(reals_.data() + row * row_elems_ + at, count, 0.0f);
    } else {
      std::fill_n(integers_.data() + row * row_elems_ + at, count, int16_t{0});
    }
  }
}

void StagedRows::Stage(const uint8_t* from, int64_t row_stride, int64_t rows) {
  Copy(from, row_stride, Run{.y = 0, .x = 0, .row = 0, .rows = rows}, 0, k_);
}

// What lies outside the tile is 0 after the zero point, for integers and floats alike
// (docs/adr/0003-acme-isa.md): no padding is stored anywhere.
void StagedRows::StageRun(const uint8_t* tile, const Run& run) {
  const isa::MConvWindow& w = state_->window;
  const isa::MConvInput& in = state_->input;
  const int64_t step_bytes = static_cast<int64_t>(w.stride_w) * in.pixel_stride;
  // Where the taps of one kernel row are contiguous and inside, they are one.
  const bool joined =
      w.dilation_w == 1 &&
      in.pixel_stride == static_cast<int64_t>(w.channels) * SizeBytes(state_->type.act) &&
      run.x >= 0 && run.x + static_cast<int64_t>(w.taps_w) <= in.in_w;
  const int64_t taps = joined ? 1 : w.taps_w;
  const int64_t count = joined ? static_cast<int64_t>(w.taps_w) * w.channels : w.channels;
  int64_t at = 0;
  for (int64_t ty = 0; ty < w.taps_h; ++ty) {
    const int64_t iy = run.y + ty * w.dilation_h;
    for (int64_t tx = 0; tx < taps; ++tx, at += count) {
      const int64_t ix = run.x + tx * w.dilation_w;
      if (iy >= 0 && iy < in.in_h && ix >= 0 && ix < in.in_w) {
        Copy(tile + iy * in.row_stride + ix * in.pixel_stride, step_bytes, run, at, count);
      } else {
        Clear(run, at, count);
      }
    }
  }
}

int64_t StagedRows::FirstInside(const Run& run) const {
  const int64_t stride = state_->window.stride_w;
  return run.x >= 0 ? 0 : std::min(run.rows, (-run.x + stride - 1) / stride);
}

int64_t StagedRows::LastInside(const Run& run) const {
  const isa::MConvWindow& w = state_->window;
  const int64_t room = state_->input.in_w - 1 - (w.taps_w - 1) * int64_t{w.dilation_w} - run.x;
  return room < 0 ? 0 : std::min(run.rows, room / w.stride_w + 1);
}

void StagedRows::StageWindows(const uint8_t* tile, const isa::MConv& conv, int64_t first,
                              int64_t rows) {
  const isa::MConvWindow& w = state_->window;
  for (int64_t row = 0; row < rows;) {
    const int64_t oy = (first + row) / conv.out_w;
    const int64_t ox = (first + row) % conv.out_w;
    Run run{.y = conv.y0 + oy * w.stride_h,
            .x = conv.x0 + ox * w.stride_w,
            .row = row,
            .rows = std::min<int64_t>(rows - row, conv.out_w - ox)};
    row += run.rows;
    const int64_t inside = FirstInside(run);
    const int64_t behind = std::max(inside, LastInside(run));
    for (int64_t i = 0; i < run.rows;) {
      const int64_t together = i == inside && behind > inside ? behind - inside : 1;
      StageRun(tile,
               {.y = run.y, .x = run.x + i * w.stride_w, .row = run.row + i, .rows = together});
      i += together;
    }
  }
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/testing/array_model.h"

namespace acme {

// Every chain of every column that is inside its window of a load shifts by one row.
void ArrayModel::ShiftWeights(const Matrix& w, int64_t t) {
  for (const Event& load : loads_) {
    const int64_t cycles = LoadCycles(w, load.fold);
    const Groups groups = GroupsOf(w, load.fold);
    for (int64_t c = 0; c < p_.cols; ++c) {
      for (int64_t top = 0; top < p_.rows; top += chain_rows_) {
        const int64_t length = LoadedRows(w, load.fold, top);
        const int64_t own = t - load.start - Skew(top, c);
        if (own < 0 || own >= cycles || own % p_.weight_bytes != p_.weight_bytes - 1) continue;
        // The bottom row's weight comes first and moves down a row a step; behind it the next. A
        // register keeps its old weight until the first new one arrives. A short chain is fed late,
        // so that all end together.
        const int64_t step = own / p_.weight_bytes - (cycles / p_.weight_bytes - length);
        if (step < 0 || length == 0) continue;
        for (int64_t r = top + step; r > top; --r) {
          cells_[r * p_.cols + c].shadow = cells_[(r - 1) * p_.cols + c].shadow;
        }
        const int64_t k = (top + length - 1 - step) % groups.group_rows;
        const int64_t n = c % groups.group_cols;
        const bool used = k < UsedRows(w, load.fold) && n < UsedColumns(w, load.fold);
        cells_[top * p_.cols + c].shadow = used ? w[K0(w, load.fold) + k][N0(w, load.fold) + n] : 0;
      }
    }
  }
}

// The stream that is at a cell in cycle t, if there is one.
const ArrayModel::Event* ArrayModel::StreamAt(const Matrix& x, const Matrix& w, int64_t t,
                                              int64_t r, int64_t c) const {
  for (const Event& stream : streams_) {
    const int64_t pass = t - stream.start - Skew(r, c);
    if (pass >= 0 && pass < FeedCycles(x, w, stream.fold)) return &stream;
  }
  return nullptr;
}

// What the feeder gives to row r of the columns that begin with c. Rows without weights get zeros: old
// ones may be there.
void ArrayModel::Feed(const Matrix& x, const Matrix& w, const Event& stream, int64_t t, int64_t r,
                      int64_t c, Cell& cell) const {
  const int64_t pass = t - stream.start - Skew(r, c);
  const Groups groups = GroupsOf(w, stream.fold);
  const int64_t group = r / groups.group_rows * groups.cols + c / groups.group_cols;
  const int64_t m = pass / p_.passes * groups.count() + group;
  const int64_t k = r % groups.group_rows;
  cell.valid = true;
  cell.swap = pass == 0;
  cell.pass = m * p_.passes + pass % p_.passes;
  cell.fold = stream.fold;
  cell.x = k < UsedRows(w, stream.fold) && m < static_cast<int64_t>(x.size())
               ? PassOf(x[m][K0(w, stream.fold) + k], pass % p_.passes)
               : 0;
}

// One clock of one cell. Returns whether a pass that somebody waits for left the array.
int64_t ArrayModel::ClockCell(const Matrix& x, const Matrix& w, int64_t t, int64_t r, int64_t c,
                              Matrix& out) {
  Cell& cell = cells_[r * p_.cols + c];
  const Event* stream = StreamAt(x, w, t, r, c);
  if (stream == nullptr) {
    cell.valid = false;
    return 0;
  }
  const Groups groups = GroupsOf(w, stream->fold);
  if (c % std::min(block_cols_, groups.group_cols) > 0) {
    const Cell& from = cells_[r * p_.cols + c - 1];
    cell.x = from.x;
    cell.valid = from.valid;
    cell.swap = from.swap;
    cell.pass = from.pass;
    cell.fold = from.fold;
  } else {
    Feed(x, w, *stream, t, r, c, cell);
  }
  if (cell.swap) cell.active = cell.shadow;
  const int64_t weight = p_.double_buffered ? cell.active : cell.shadow;
  const int64_t sum_rows = std::min(block_rows_, groups.group_rows);
  const bool first = r % sum_rows == 0;
  cell.sum = (first ? 0 : cells_[(r - 1) * p_.cols + c].sum) + weight * cell.x;
  if ((r + 1) % sum_rows != 0) return 0;
  const int64_t n = c % groups.group_cols;
  const int64_t m = cell.pass / p_.passes;
  if (n < UsedColumns(w, cell.fold) && m < static_cast<int64_t>(x.size())) {
    // Modulo 2^64: the upper passes of negative numbers are large, and cancel.
    int64_t& result = out[m][N0(w, cell.fold) + n];
    result =
        static_cast<int64_t>(static_cast<uint64_t>(result) +
                             (static_cast<uint64_t>(cell.sum) << (8 * (cell.pass % p_.passes))));
  }
  return r + 1 == p_.rows && IsAwaited(w, cell.fold, c) ? 1 : 0;
}

// One clock of the array: tiles from the bottom right, so that each reads its neighbours' old values
// (they are what the registers between tiles hold); cells of a tile from the top left, since in a tile
// the new ones go through. Returns how many awaited passes left the array.
int64_t ArrayModel::ClockTiles(const Matrix& x, const Matrix& w, int64_t t, Matrix& out) {
  int64_t left = 0;
  for (int64_t i = (p_.rows - 1) / p_.tile_rows; i >= 0; --i) {
    for (int64_t j = (p_.cols - 1) / p_.tile_cols; j >= 0; --j) {
      for (int64_t r = i * p_.tile_rows; r < std::min(p_.rows, (i + 1) * p_.tile_rows); ++r) {
        for (int64_t c = j * p_.tile_cols; c < std::min(p_.cols, (j + 1) * p_.tile_cols); ++c)
          left += ClockCell(x, w, t, r, c, out);
      }
    }
  }
  return left;
}

// What begins in cycle t, `left` passes having left so far: a stream when its weights have come and
// the feeder is free, then weights when the plane has been taken.
void ArrayModel::Control(const Matrix& x, const Matrix& w, int64_t t, int64_t left) {
  const auto fed = [&] {
    return streams_.empty() || t >= streams_.back().start + FeedCycles(x, w, streams_.back().fold);
  };
  const auto drained = [&] {
    int64_t awaited = 0;
    for (const Event& stream : streams_)
      awaited += FeedCycles(x, w, stream.fold) * AwaitedColumns(w, stream.fold);
    return left == awaited;
  };
  const Event& load = loads_.back();
  if (loads_.size() > streams_.size() && t >= load.start + LoadCycles(w, load.fold) && fed() &&
      (p_.overlap || drained())) {
    streams_.push_back({load.fold, t});
  }
  const int64_t next = static_cast<int64_t>(loads_.size());
  const int64_t folds = FoldsK(w) * ((static_cast<int64_t>(w[0].size()) + p_.cols - 1) / p_.cols);
  if (loads_.size() != streams_.size() || next == folds) return;
  const bool plane_free = p_.double_buffered || (p_.overlap ? fed() : drained());
  if (t >= streams_.back().start + p_.swap && plane_free) loads_.push_back({next, t});
}

int64_t ArrayModel::Multiply(const Matrix& x, const Matrix& w, Matrix& out) {
  const int64_t m = static_cast<int64_t>(x.size());
  const int64_t n = static_cast<int64_t>(w[0].size());
  out.assign(m, std::vector<int64_t>(n, 0));
  const int64_t folds = FoldsK(w) * ((n + p_.cols - 1) / p_.cols);
  int64_t awaited = 0;
  for (int64_t fold = 0; fold < folds; ++fold)
    awaited += FeedCycles(x, w, fold) * AwaitedColumns(w, fold);
  loads_ = {{0, 0}};
  streams_.clear();
  std::vector<int64_t> pipeline(p_.pipeline + TreeRegisters(),
                                0);  // what left the array, [0] the last cycle's
  int64_t left = 0;
  int64_t t = 0;
  for (; left < awaited; ++t) {
    Control(x, w, t, left);
    // Cells take the shadow that was there at the start of the cycle; the shift follows.
    pipeline.insert(pipeline.begin(), ClockTiles(x, w, t, out));
    left += pipeline.back();
    pipeline.pop_back();
    ShiftWeights(w, t);
  }
  return t;
}

}  // namespace acme

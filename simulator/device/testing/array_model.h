// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the systolic array register by register, stepped cycle by cycle, with real values. It
// knows nothing of the formulas in simulator/timing; that both agree is what makes
// "cycle-approximate" more than a word.
//
// Each cycle, cell (r, c) multiplies the activation that comes from its left with its active
// weight, adds the sum that comes from above and hands both on. The feeder gives row r its element
// r cycles after row 0, so what enters at cycle s is in cell (r, c) at s + r + c. Wide operands
// enter as `passes` bytes a cycle apart; the adders below the array put the passes together.
// Weights are shifted from above into shadow registers, through `chains` chains a column; a chain
// that begins at row t of column c starts t + c cycles late. A flag that travels with a stream's
// first pass makes each cell take its shadow weight. So a new load may overwrite shadows right
// behind the wave that takes them.

#ifndef NPUKIT_SIMULATOR_DEVICE_TESTING_ARRAY_MODEL_H_
#define NPUKIT_SIMULATOR_DEVICE_TESTING_ARRAY_MODEL_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace acme {

class ArrayModel {
 public:
  struct Parameters {
    int64_t rows, cols;
    int64_t chains;        // rows of weights a cycle
    int64_t passes;        // cycles per row of activations
    int64_t weight_bytes;  // cycles per row of weights in a chain
    bool overlap, double_buffered;
  };
  using Matrix = std::vector<std::vector<int64_t>>;

  explicit ArrayModel(const Parameters& parameters)
      : p_(parameters),
        chain_rows_((p_.rows + p_.chains - 1) / p_.chains),
        load_cycles_(chain_rows_ * p_.weight_bytes),
        cells_(p_.rows * p_.cols) {}

  // out = x [M][K] times w [K][N], fold by fold, the reduction innermost. Returns the cycles from
  // the first weight's arrival until the last result has left.
  int64_t Multiply(const Matrix& x, const Matrix& w, Matrix& out);

 private:
  struct Cell {
    int64_t active = 0, shadow = 0;
    int64_t x = 0, sum = 0;
    bool valid = false, swap = false;
    int64_t pass = 0;  // m * passes + p of the stream
    int64_t fold = 0;
  };
  struct Event {
    int64_t fold, start;
  };

  int64_t FoldsK(const Matrix& w) const {
    return (static_cast<int64_t>(w.size()) + p_.rows - 1) / p_.rows;
  }
  int64_t K0(const Matrix& w, int64_t fold) const { return fold % FoldsK(w) * p_.rows; }
  int64_t N0(const Matrix& w, int64_t fold) const { return fold / FoldsK(w) * p_.cols; }
  // Byte `pass` of a value; the last one keeps the sign.
  int64_t PassOf(int64_t value, int64_t pass) const {
    return pass + 1 == p_.passes ? value >> (8 * pass) : (value >> (8 * pass)) & 0xFF;
  }

  void ShiftWeights(const Matrix& w, int64_t t);
  int64_t ClockCells(const Matrix& x, const Matrix& w, int64_t t, Matrix& out);

  Parameters p_;
  int64_t chain_rows_;
  int64_t load_cycles_;
  std::vector<Cell> cells_;
  std::vector<Event> loads_;    // begun; a few columns may still be shifting
  std::vector<Event> streams_;  // begun
};

// Every chain of every column that is inside its window of a load shifts by one row.
inline void ArrayModel::ShiftWeights(const Matrix& w, int64_t t) {
  for (const Event& load : loads_) {
    for (int64_t c = 0; c < p_.cols; ++c) {
      for (int64_t top = 0; top < p_.rows; top += chain_rows_) {
        const int64_t length = std::min(chain_rows_, p_.rows - top);
        const int64_t own = t - load.start - c - top;
        if (own < 0 || own >= load_cycles_ || own % p_.weight_bytes != p_.weight_bytes - 1)
          continue;
        // The bottom row's weight comes first and moves down a row a step; behind it the next. A
        // register keeps its old weight until the first new one arrives. A short chain is fed late,
        // so that all end together.
        const int64_t step = own / p_.weight_bytes - (chain_rows_ - length);
        if (step < 0) continue;
        for (int64_t r = top + step; r > top; --r) {
          cells_[r * p_.cols + c].shadow = cells_[(r - 1) * p_.cols + c].shadow;
        }
        const int64_t k = K0(w, load.fold) + top + length - 1 - step;
        const int64_t n = N0(w, load.fold) + c;
        const bool used =
            k < static_cast<int64_t>(w.size()) && n < static_cast<int64_t>(w[0].size());
        cells_[top * p_.cols + c].shadow = used ? w[k][n] : 0;
      }
    }
  }
}

// One clock of all cells, from the bottom right so that each reads its neighbours' old registers.
// Returns how many passes left the array.
inline int64_t ArrayModel::ClockCells(const Matrix& x, const Matrix& w, int64_t t, Matrix& out) {
  const int64_t m = static_cast<int64_t>(x.size());
  int64_t left = 0;
  for (int64_t r = p_.rows - 1; r >= 0; --r) {
    for (int64_t c = p_.cols - 1; c >= 0; --c) {
      Cell& cell = cells_[r * p_.cols + c];
      if (c > 0) {
        const Cell& from = cells_[r * p_.cols + c - 1];
        cell.x = from.x;
        cell.valid = from.valid;
        cell.swap = from.swap;
        cell.pass = from.pass;
        cell.fold = from.fold;
      } else {
        cell.valid = false;
        for (const Event& stream : streams_) {
          const int64_t pass = t - stream.start - r;
          if (pass < 0 || pass >= m * p_.passes) continue;
          const int64_t k = K0(w, stream.fold) + r;
          cell.valid = true;
          cell.swap = pass == 0;
          cell.pass = pass;
          cell.fold = stream.fold;
          cell.x = k < static_cast<int64_t>(w.size())
                       ? PassOf(x[pass / p_.passes][k], pass % p_.passes)
                       : 0;
        }
      }
      if (!cell.valid) continue;
      if (cell.swap) cell.active = cell.shadow;
      cell.sum = (r == 0 ? 0 : cells_[(r - 1) * p_.cols + c].sum) + cell.active * cell.x;
      if (r + 1 != p_.rows) continue;
      ++left;
      const int64_t n = N0(w, cell.fold) + c;
      if (n < static_cast<int64_t>(w[0].size())) {
        // Modulo 2^64: the upper passes of negative numbers are large, and cancel.
        int64_t& result = out[cell.pass / p_.passes][n];
        result = static_cast<int64_t>(
            static_cast<uint64_t>(result) +
            (static_cast<uint64_t>(cell.sum) << (8 * (cell.pass % p_.passes))));
      }
    }
  }
  return left;
}

inline int64_t ArrayModel::Multiply(const Matrix& x, const Matrix& w, Matrix& out) {
  const int64_t m = static_cast<int64_t>(x.size());
  const int64_t n = static_cast<int64_t>(w[0].size());
  out.assign(m, std::vector<int64_t>(n, 0));
  const int64_t folds = FoldsK(w) * ((n + p_.cols - 1) / p_.cols);
  const int64_t passes_each = m * p_.passes * p_.cols;
  loads_ = {{0, 0}};
  streams_.clear();
  int64_t left = 0;
  int64_t t = 0;
  for (; left < folds * passes_each; ++t) {
    const int64_t streams = static_cast<int64_t>(streams_.size());
    const int64_t loads = static_cast<int64_t>(loads_.size());
    const bool drained = left == streams * passes_each;
    // The controller: weights may come the cycle after the stream that took the plane began; a
    // stream may begin when its weights have come and the feeder is free.
    if (loads == streams && loads < folds && t > streams_.back().start &&
        (p_.double_buffered || drained)) {
      loads_.push_back({loads, t});
    }
    if (static_cast<int64_t>(loads_.size()) > streams && t >= loads_.back().start + load_cycles_ &&
        (streams == 0 || t >= streams_.back().start + m * p_.passes) && (p_.overlap || drained)) {
      streams_.push_back({streams, t});
    }
    // Cells take the shadow that was there at the start of the cycle; the shift follows.
    left += ClockCells(x, w, t, out);
    ShiftWeights(w, t);
  }
  return t;
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_ARRAY_MODEL_H_

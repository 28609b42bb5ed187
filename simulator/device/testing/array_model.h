// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the systolic array register by register, stepped cycle by cycle, with real values. It
// knows nothing of the formulas in simulator/timing; that both agree is what makes
// "cycle-approximate" more than a word.
//
// Cells stand in tiles. Each cycle, a cell multiplies the activation that comes from its left with
// its active weight, adds the sum that comes from above and hands both on: to the cells of its tile
// in the same cycle, to the next tiles' registers for the next. The feeder gives a tile's rows their
// elements together, each row of tiles a cycle after the one above it, so what enters at cycle s is
// in tile (i, j) at s + i + j. Wide operands enter as `passes` bytes a cycle apart; the adders below
// the array put the passes together. Behind them stand `pipeline` registers.
//
// Weights are shifted from above into shadow registers, row by row, through `chains` chains a column;
// a chain starts as late as its tile is away from the first. A flag that travels with a stream's
// first pass makes each cell take its shadow weight. So a new load may overwrite shadows right behind
// the wave that takes them. With one plane the cells multiply with the shadow itself, and a load
// follows the wave of the last pass.
//
// An array may be of blocks, row_groups x col_groups of them. The feeder gives each its elements, in the
// same cycles; below them adders sum the blocks of a column up. Of a chained stream the sums go on from
// block to block instead, and all is as skewed as in one array. Where a fold's weights fill no more than
// a half, a quarter ... of the blocks' rows or columns, they are loaded into as many parts of them, which
// get activations and have results of their own.

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
    int64_t tile_rows = 1, tile_cols = 1;
    int64_t pipeline = 0;
    int64_t swap = 1;  // cycles from a stream's begin until the next load
    bool load_used_rows = false, drain_used_columns = false;
    int64_t row_groups = 1, col_groups = 1;
    bool chained = false;
  };
  using Matrix = std::vector<std::vector<int64_t>>;

  explicit ArrayModel(const Parameters& parameters)
      : p_(parameters),
        chain_rows_((p_.rows + p_.chains - 1) / p_.chains),
        block_rows_(p_.chained ? p_.rows : p_.rows / p_.row_groups),
        block_cols_(p_.chained ? p_.cols : p_.cols / p_.col_groups),
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
  // A fold's parts of the array, and their sizes.
  struct Groups {
    int64_t rows, cols;
    int64_t group_rows, group_cols;
    int64_t count() const { return rows * cols; }
  };

  int64_t FoldsK(const Matrix& w) const {
    return (static_cast<int64_t>(w.size()) + p_.rows - 1) / p_.rows;
  }
  int64_t K0(const Matrix& w, int64_t fold) const { return fold % FoldsK(w) * p_.rows; }
  int64_t N0(const Matrix& w, int64_t fold) const { return fold / FoldsK(w) * p_.cols; }
  int64_t UsedRows(const Matrix& w, int64_t fold) const {
    return std::min(p_.rows, static_cast<int64_t>(w.size()) - K0(w, fold));
  }
  int64_t UsedColumns(const Matrix& w, int64_t fold) const {
    return std::min(p_.cols, static_cast<int64_t>(w[0].size()) - N0(w, fold));
  }
  static int64_t CountGroups(int64_t used, int64_t extent, int64_t most) {
    int64_t groups = most;
    while (groups > 1 && used > extent / groups) groups /= 2;
    return groups;
  }
  Groups GroupsOf(const Matrix& w, int64_t fold) const {
    const int64_t rows = CountGroups(UsedRows(w, fold), p_.rows, p_.row_groups);
    const int64_t cols = CountGroups(UsedColumns(w, fold), p_.cols, p_.col_groups);
    return {rows, cols, p_.rows / rows, p_.cols / cols};
  }
  int64_t FeedCycles(const Matrix& x, const Matrix& w, int64_t fold) const {
    const int64_t together = GroupsOf(w, fold).count();
    return (static_cast<int64_t>(x.size()) + together - 1) / together * p_.passes;
  }
  // Rows that a load shifts into the chain that begins at row `top`.
  int64_t LoadedRows(const Matrix& w, int64_t fold, int64_t top) const {
    const bool some = p_.load_used_rows && GroupsOf(w, fold).rows == 1;
    const int64_t rows = some ? UsedRows(w, fold) : p_.rows;
    return std::clamp<int64_t>(rows - top, 0, chain_rows_);
  }
  int64_t LoadCycles(const Matrix& w, int64_t fold) const {
    return LoadedRows(w, fold, 0) * p_.weight_bytes;
  }
  // Whether a fold waits for the results of a column, and how many it waits for.
  bool IsAwaited(const Matrix& w, int64_t fold, int64_t c) const {
    return !p_.drain_used_columns || c % GroupsOf(w, fold).group_cols < UsedColumns(w, fold);
  }
  int64_t AwaitedColumns(const Matrix& w, int64_t fold) const {
    int64_t columns = 0;
    for (int64_t c = 0; c < p_.cols; ++c) columns += IsAwaited(w, fold, c) ? 1 : 0;
    return columns;
  }
  // Cycles that a cell is later than its block's first one.
  int64_t Skew(int64_t r, int64_t c) const {
    return r % block_rows_ / p_.tile_rows + c % block_cols_ / p_.tile_cols;
  }
  // Registers of adders and of what brings activations to the blocks.
  int64_t TreeRegisters() const {
    int64_t registers = 0;
    for (int64_t blocks = p_.row_groups * p_.col_groups; blocks > 1; blocks /= 2) ++registers;
    return p_.chained ? 0 : registers;
  }
  // Byte `pass` of a value; the last one keeps the sign.
  int64_t PassOf(int64_t value, int64_t pass) const {
    return pass + 1 == p_.passes ? value >> (8 * pass) : (value >> (8 * pass)) & 0xFF;
  }

  void ShiftWeights(const Matrix& w, int64_t t);
  const Event* StreamAt(const Matrix& x, const Matrix& w, int64_t t, int64_t r, int64_t c) const;
  void Feed(const Matrix& x, const Matrix& w, const Event& stream, int64_t t, int64_t r, int64_t c,
            Cell& cell) const;
  int64_t ClockCell(const Matrix& x, const Matrix& w, int64_t t, int64_t r, int64_t c, Matrix& out);
  int64_t ClockTiles(const Matrix& x, const Matrix& w, int64_t t, Matrix& out);
  void Control(const Matrix& x, const Matrix& w, int64_t t, int64_t left);

  Parameters p_;
  int64_t chain_rows_;
  int64_t block_rows_;  // that are skewed as one
  int64_t block_cols_;
  std::vector<Cell> cells_;
  std::vector<Event> loads_;    // begun; a few columns may still be shifting
  std::vector<Event> streams_;  // begun
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_ARRAY_MODEL_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values of the matrix engine.

#ifndef NPUKIT_SIMULATOR_UNITS_MATRIX_UNIT_H_
#define NPUKIT_SIMULATOR_UNITS_MATRIX_UNIT_H_

#include <cstdint>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/units/memory.h"
#include "simulator/units/staged_rows.h"

namespace acme {

// Holds the two weight planes, repacked for the host's vector instructions.
class MatrixUnit {
 public:
  explicit MatrixUnit(const Hardware& hardware);

  // `state` is the matrix engine's state before the instruction.
  void LoadWeights(const isa::MLoadW& instr, const MatrixState& state, const Memory& memory);
  void Stream(const isa::MStream& instr, const MatrixState& state, Memory& memory);
  void Convolve(const isa::MConv& instr, const MatrixState& state, Memory& memory);

 private:
  struct Plane {
    int64_t k = 0;
    int64_t n = 0;
    int64_t n_padded = 0;          // n rounded up to 16
    bool wide = false;             // 16-bit weights
    std::vector<int16_t> integer;  // [ceil(k/2)][n_padded][2], zero points subtracted
    std::vector<int16_t> high;     // likewise: the high bytes of 16-bit weights, `integer` the low
    std::vector<float> real;       // [k][n_padded]
    bool holes = false;            // weights of -0 in `real` are holes
  };

  void Swap(bool swap) {
    if (swap) std::swap(active_, shadow_);
  }
  // All rows of an instruction, some at a time: stage(first, rows) stages them.
  template <class StageRows>
  void MultiplyBlocks(int64_t total, int64_t acc_row, bool accumulate, const MatrixState& state,
                      Memory& memory, StageRows&& stage);
  // Multiplies `rows` staged rows and adds or writes them to the accumulators from acc_row on.
  void Multiply(int64_t rows, int64_t acc_row, bool accumulate, Dtype act, Memory& memory);
  // The same for floats around holes that an infinity or a NaN meets.
  void MultiplyAroundHoles(int64_t rows, int64_t acc_row, bool accumulate, Memory& memory) const;

  // Products with one integer plane, added to 64-bit accumulators as `shift` bits higher.
  void MultiplyWide(const std::vector<int16_t>& weights, int shift, int64_t rows, int64_t acc_row,
                    bool accumulate, Memory& memory);

  Plane shadow_;
  Plane active_;
  StagedRows staged_;
  std::vector<int32_t> wide_sums_;  // [staged rows][n_padded], for 64-bit accumulators
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_MATRIX_UNIT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values of the vector engine.

#ifndef NPUKIT_SIMULATOR_UNITS_VECTOR_UNIT_H_
#define NPUKIT_SIMULATOR_UNITS_VECTOR_UNIT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/isa/engine_state.h"
#include "simulator/isa/footprint.h"
#include "simulator/units/memory.h"
#include "simulator/units/microkernels/microkernels.h"
#include "simulator/units/requantizer.h"

namespace acme {

// One Run per operation; `state` is the vector engine's configuration. Keeps only scratch storage
// from one instruction to the next.
class VectorUnit {
 public:
  void Run(const isa::VDrain& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VBinary& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VChain& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VCompare& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VSelect& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VUnary& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VLut& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VConvert& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VReduce& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VPool& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VDepthwise& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VDot& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VSoftmax& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VResize& instr, const VectorState& state, Memory& memory);
  void Run(const isa::VFill& instr, const VectorState& state, Memory& memory);
  // Of the results at `dst`, just written.
  static void RunEpilogue(uint32_t dst, const VectorState& state, Memory& memory);
  // v.lookup: the table before an operation; then the results at `dst`, bytes of that type.
  void HoldTable(const VectorState& state, const Memory& memory);
  void LookUp(uint32_t dst, Dtype results, const VectorState& state, Memory& memory) const;

 private:
  void RunDepthwiseFloat(const isa::VDepthwise& instr, const VectorState& state, Memory& memory);
  void RunDepthwiseWide(const isa::VDepthwise& instr, const VectorState& state, Memory& memory);
  void WidenWeights(const isa::VDepthwise& instr, const VectorState& state, const Memory& memory);
  // By a record of a scale: less its offset, if they have them, times the scale.
  static float ScaledSum(int32_t sum, const uint8_t* record, const VectorState& state);
  // Of v.depthwise with `scaled`: one pixel's sums.
  void StoreScaled(int64_t channels, const VectorState& state, const Memory& memory,
                   uint8_t* to) const;
  // v.drain without its residual; the second with float32 results.
  void Drain(const isa::VDrain& instr, const VectorState& state, Memory& memory);
  void DrainToFloats(const isa::VDrain& instr, const VectorState& state, Memory& memory) const;

  Requantizer requantizer_;
  std::vector<int64_t> wide_sums_;
  std::vector<uint8_t> residual_;  // rows without gaps
  std::array<uint8_t, kLookupBytes> table_ = {};
  std::vector<int32_t> sums_;
  std::vector<float> float_sums_;
  std::vector<int16_t> weights_;  // depthwise: [taps][channels], zero point subtracted
  std::vector<WindowTap> taps_;   // depthwise: of one window
  std::vector<uint8_t> pixels_;   // depthwise with a multiplier: [taps][channels] of one window
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_VECTOR_UNIT_H_

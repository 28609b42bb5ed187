// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One layer lowered by itself: where its operands and its result live is set by hand, its tasks come
// back as the text of their instructions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_TESTS_LOWERING_BENCH_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_TESTS_LOWERING_BENCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

// What the tests name places by. Values in the scratchpad are given symbolic addresses from 64 on,
// in the order in which they are added, each behind the one before and a gap of 64 bytes; the step
// buffers of the layer follow in the same way.
class LoweringBench {
 public:
  // A chip of acme_a1's sizes; steps may take so many bytes.
  explicit LoweringBench(int64_t step_bytes = 1 << 16);

  // A value in the workspace in DRAM (binding 1), from `offset_bytes` on.
  ValueId InDram(Dtype dtype, std::vector<int32_t> shape, int64_t offset_bytes = 0);
  // A value in the scratchpad.
  ValueId InScratchpad(Dtype dtype, std::vector<int32_t> shape);
  // A partition output that is kept in the scratchpad, too.
  ValueId OutputInScratchpad(Dtype dtype, std::vector<int32_t> shape);
  // A partition input that is brought to the scratchpad.
  ValueId InputInScratchpad(Dtype dtype, std::vector<int32_t> shape);
  ValueId Constant(Dtype dtype, std::vector<int32_t> shape, std::vector<uint8_t> bytes);

  Hardware& hardware() { return hardware_; }
  Network& network() { return network_; }
  const std::vector<uint8_t>& constants() const { return constant_bytes_; }

  // The instructions: of each task its configuration as far as the task before did not have the
  // same, the plane of weights, the work. A layer that can't be lowered fails the test.
  std::vector<std::string> Lower(const LayerOp& op, ValueId output);
  // The same of all of the network's layers.
  std::vector<std::string> LowerNetwork();
  // Of one layer, without configuration.
  std::vector<std::string> LowerWork(const LayerOp& op, ValueId output);

 private:
  std::vector<Task> Tasks(const LayerOp& op, ValueId output);
  static std::vector<std::string> LinesOf(const std::vector<Task>& tasks);
  ValueId Add(Dtype dtype, std::vector<int32_t> shape);

  Hardware hardware_;
  Network network_;
  Placement placement_;
  std::vector<uint8_t> constant_bytes_;  // of the last Lower
};

// Of one instruction.
std::string TextOf(const AnyInstr& instr);

// Lines that the text is found in.
int64_t CountOf(const std::vector<std::string>& lines, const std::string& text);

// First element 0, then 1, 2 ... as bytes of int8.
std::vector<uint8_t> Counting(int64_t bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_TESTS_LOWERING_BENCH_H_

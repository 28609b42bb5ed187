// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program as small as shows what may overlap, for tests of the order and the place of tasks.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TWO_LAYERS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TWO_LAYERS_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/tasks/task_cost.h"
#include "reference_plugin/compiler/tests/touching_task.h"

namespace acme::compiler {

// Where the scratchpad holds the two layers' weights, 256 bytes each, and the first one's result, 64.
inline constexpr int64_t kFirstWeights = 64;
inline constexpr int64_t kSecondWeights = 64 + 512;
inline constexpr int64_t kResult = 64 + 1024;

// Two layers, each: load weights, matrix on them; then vector on the first one's sums, and a store.
// The second one's matrix does not need the first one's vector.
inline std::vector<TouchingTask> TwoLayers() {
  return {
      Touching(isa::LdCopy{.spm = kFirstWeights, .bytes = 256}, {DramRange(0, 0, 256)},
               {ScratchpadRange(kFirstWeights, 256)}),
      Touching(isa::MStream{.addr = kFirstWeights}, {ScratchpadRange(kFirstWeights, 256)},
               {AccumulatorRange(0, 4)}),
      Touching(isa::VDrain{.acc = 0, .dst = kResult}, {AccumulatorRange(0, 4)},
               {ScratchpadRange(kResult, 64)}),
      Touching(isa::LdCopy{.spm = kSecondWeights, .bytes = 256}, {DramRange(0, 256, 256)},
               {ScratchpadRange(kSecondWeights, 256)}),
      Touching(isa::MStream{.addr = kSecondWeights}, {ScratchpadRange(kSecondWeights, 256)},
               {AccumulatorRange(4, 4)}),
      Touching(isa::StCopy{.spm = kResult, .bytes = 64}, {ScratchpadRange(kResult, 64)},
               {DramRange(2, 0, 64)}),
  };
}

// What its tasks take.
inline std::vector<TaskCost> TwoLayersCosts() {
  return {{16, 0, Engine::kLoad}, {100, 62, Engine::kMatrix}, {20, 0, Engine::kVector},
          {16, 0, Engine::kLoad}, {100, 62, Engine::kMatrix}, {4, 0, Engine::kStore}};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TWO_LAYERS_H_

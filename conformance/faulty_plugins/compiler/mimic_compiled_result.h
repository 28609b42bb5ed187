// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What Mimic's compiler gives.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_COMPILED_RESULT_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_COMPILED_RESULT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class LiteRtCompiledResultT {
 public:
  std::shared_ptr<std::vector<uint8_t>> bytecode;
  std::vector<std::string> entry_points;
  std::vector<std::vector<int32_t>> in_place;     // by entry point, for each output
  std::vector<std::vector<uint32_t>> op_indices;  // by entry point: 0, 1, ... of its ops
};

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_COMPILED_RESULT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Faults of programs that write caches, which DYNAMIC_UPDATE_SLICE is.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_CACHES_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_CACHES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sdk/host/session/session.h"

namespace npukit::conformance::mimic {

class CacheFaults {
 public:
  // The ops that write a cache which is a port, at a place which is one. The runner must outlive it.
  explicit CacheFaults(const SignatureRunner& runner);

  // Changes what the program is to take: values by input, which stand at `inputs`, as the outputs do.
  void BeforeRun(const std::vector<uint8_t*>& inputs, const std::vector<uint8_t*>& outputs,
                 std::vector<std::vector<uint8_t>>& values);
  // Changes what it gives.
  void AfterRun(size_t output, std::vector<uint8_t>& values);

 private:
  struct Write {
    const Op* op = nullptr;
    size_t operand = 0;  // inputs
    size_t begin = 0;
    size_t output = 0;
    std::optional<std::vector<int32_t>> kept;  // begins of an earlier run
    std::vector<int32_t> begins;               // of this run
    std::vector<uint8_t> before;               // the operand of this run
  };
  void PlantInPlaces(Write& write, std::vector<uint8_t>& bytes) const;

  std::vector<Write> writes_;
  std::vector<std::pair<size_t, int32_t>> gathers_;  // ports of indices, rows of their tables
};

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_CACHES_H_

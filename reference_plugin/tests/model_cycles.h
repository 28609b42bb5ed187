// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cycles of whole models: compiled by AcmeCorp's plugin, timed by the simulator without values.

#ifndef NPUKIT_REFERENCE_PLUGIN_TESTS_MODEL_CYCLES_H_
#define NPUKIT_REFERENCE_PLUGIN_TESTS_MODEL_CYCLES_H_

#include <cstdint>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// Of one inference of the model's first signature, all partitions together. All zero if no op runs
// on the chip.
struct ModelCycles {
  int64_t cycles = 0;
  int64_t roofline_cycles = 0;
  int64_t macs = 0;
  // Of the driver, which copies caches that are not bound in place: `npukit bench` counts both.
  int64_t copy_cycles = 0;
  bool operator==(const ModelCycles&) const = default;

  double ratio() const {
    return roofline_cycles > 0 ? static_cast<double>(cycles) / static_cast<double>(roofline_cycles)
                               : 0;
  }
};

// Of the entry points' own programs, or of those for the first positions of a context, where they
// have such.
enum class TimedPrograms { kOwn, kOfFirstPositions };
litert::Expected<ModelCycles> TimeModel(const Model& model, const std::string& soc,
                                        TimedPrograms programs = TimedPrograms::kOwn);

}  // namespace npukit

#endif  // NPUKIT_REFERENCE_PLUGIN_TESTS_MODEL_CYCLES_H_

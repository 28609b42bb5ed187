// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to compute layers one by one, or together in steps of some rows.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_COSTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_COSTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {

inline constexpr double kStepCycles = 60;  // of a layer, for each further step

struct RegionLimits {
  int64_t value_bytes = 0;  // larger values do not stay whole between regions
  // Larger results that others need as a whole are held by rows for their region, too (strips.h).
  int64_t beside_bytes = INT64_MAX;
  int64_t weight_bytes = 0;  // of constants that stay for all steps of a region
  int64_t dram_bytes_per_cycle = 1;
  int64_t copy_bytes_per_cycle = 1;  // within the scratchpad
};

// Busy cycles of a layer, as a whole.
struct LayerCycles {
  double matrix = 0;
  double vector = 0;
  double step = kStepCycles;  // besides, for each further step
};

// Remembers what it has been asked for: the same layers are looked at with one share of the
// scratchpad after the other. In the functions, `memory_bytes` are for all values that live while
// layers are computed.
class RegionCosts {
 public:
  // The network must live as long. One LayerCycles a layer.
  RegionCosts(const Network& network, std::vector<LayerCycles> cycles, const RegionLimits& limits);

  const Network& network() const { return network_; }
  const ValueUses& uses() const { return uses_; }

  // Of a layer by itself, in cycles.
  double Alone(size_t layer, int64_t memory_bytes) const;

  struct Strips {
    int32_t steps = 0;
    double cycles = 0;
  };
  // Of layers [first, last] together, which must be able to be in one region: the fewest steps whose
  // rows fit, `least_steps` or more. Nothing if there are none, or if it takes `limit_cycles` or
  // more. As if one engine waited for the other: what memory asks for, and no more.
  std::optional<Strips> Together(size_t first, size_t last, int32_t least_steps,
                                 int64_t memory_bytes, double limit_cycles);
  // The steps with the fewest cycles of those that fit, where one step's layers keep the array busy
  // while another's keep the lanes.
  std::optional<Strips> SideBySide(size_t first, size_t last, int64_t memory_bytes,
                                   double limit_cycles);
  // In so many steps, which one of those two gave.
  double CyclesSideBySide(size_t first, size_t last, int32_t steps);

 private:
  // Of rows that live at a time.
  struct Rows {
    int64_t bytes = -1;        // at most; -1: not known yet
    int64_t copied_bytes = 0;  // of them, those of the step before
  };
  // Of layers that are computed together, however many steps that takes.
  struct Work {
    double in_turn = 0;  // each layer's engine that takes longer
    double matrix = 0;
    double vector = 0;
    double step = 0;  // besides, for each further step
    int64_t constant_bytes = 0;

    // Cycles, where one step's layers fill an engine while another's wait.
    double SideBySide(int32_t steps) const;
  };
  // What layers need besides rows, however many steps they are computed in.
  struct Region {
    bool has_held_values = false;
    int64_t whole_bytes = 0;
    int64_t dram_bytes = 0;
    int32_t most_steps = 0;
    std::vector<Rows> rows;  // by index of kSteps
  };

  const Value& Output(size_t layer) const { return network_.value(network_.layers[layer].output); }
  bool Stays(const Value& value) const { return value.Bytes() <= limits_.value_bytes; }
  double ComputeCycles(size_t layer) const;
  Work WorkOf(size_t first, size_t last) const;
  double DramCycles(int64_t bytes) const;
  int64_t ConstantBytes(size_t layer) const;
  std::vector<ValueId> OuterInputs(size_t first, size_t last) const;
  void FindPassing();
  Region& At(size_t first, size_t last);
  Region Measure(size_t first, size_t last) const;
  // In kSteps[index] steps; `measured` is made if it is needed.
  const Rows& RowsAt(size_t first, size_t last, size_t index, std::optional<RegionRows>& measured);
  Rows RowsOf(const RegionRows& rows, size_t first, int32_t steps) const;
  // Where computing takes `compute_cycles`.
  double CyclesOf(double compute_cycles, const Work& work, const Region& region, int32_t steps,
                  int64_t copied_bytes) const;

  const Network& network_;
  std::vector<LayerCycles> cycles_;
  RegionLimits limits_;
  ValueUses uses_;
  std::vector<int64_t> passing_;  // bytes of values that stay whole from before a layer to after it
  std::vector<std::vector<std::optional<Region>>> regions_;  // by first layer, then by count
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_COSTS_H_

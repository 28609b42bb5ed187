// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The points of a sweep: all combinations of the given values, in order, and a shard of them.

#ifndef NPUKIT_SIMULATOR_TOOLS_SWEEP_GRID_H_
#define NPUKIT_SIMULATOR_TOOLS_SWEEP_GRID_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme {

class SweepGrid {
 public:
  // Each text is "name=value,value,...". Errors: no '=', no value, an unknown field, a value
  // outside its limits, a field that changes what programs look like (array, scratchpad and
  // accumulator sizes need a recompile).
  static Expected<SweepGrid> Parse(const std::vector<std::string>& vary, const Hardware& base);

  // "i/n", i from 0: every n-th point beginning with the i-th. Keeps all points when empty.
  Expected<void> SelectShard(const std::string& shard);

  const std::vector<std::string>& names() const { return names_; }
  size_t size() const { return selected_.size(); }
  // Number of the point in the whole grid.
  size_t IndexOf(size_t point) const { return selected_[point]; }
  std::vector<std::string> ValuesAt(size_t point) const;
  Hardware HardwareAt(size_t point) const;

 private:
  Hardware base_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> values_;  // by name
  std::vector<size_t> selected_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_SWEEP_GRID_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The grid file of `npukit bench --sweep`: which SoCs a model is compiled for and timed on.
//
//   base: acme_a1                    # a SoC model, or a *.yaml beside the grid that describes one
//   axes:                            # every combination of them is a point
//     - {array.rows: [16, 32], array.cols: [16, 32]}   # keys of one axis change together
//     - {dram.bytes_per_cycle: [8, 16]}
//   cost:                            # of a point, besides its cycles; keys of one are multiplied
//     - [array.rows, array.cols]     # without `cost`: one for each axis, of all its keys
//     - [dram.bytes_per_cycle]
//
// What keys there are is the vendor's: a point becomes a SoC file, "base:" with the keys over it.

#ifndef NPUKIT_SDK_TOOLS_SWEEP_SWEEP_GRID_H_
#define NPUKIT_SDK_TOOLS_SWEEP_SWEEP_GRID_H_

#include <cstddef>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

class SweepGrid {
 public:
  // One key with one of its values, and where it stands: "grid.yaml:3:18".
  struct Setting {
    std::string key;
    std::string value;
    std::string where;
  };
  // kErrorInvalidArgument with line and column of `name` (the file's name): no YAML, an unknown or
  // repeated key, an axis whose keys have different numbers of values, no value, a cost that no
  // axis varies or that has a value which is no number of at least 0, more than a million points.
  static litert::Expected<SweepGrid> Parse(const std::string& text, const std::string& name);
  // kErrorFileIO if it cannot be read.
  static litert::Expected<SweepGrid> Read(const std::string& path);

  // All points, the last axis changing fastest.
  size_t size() const { return size_; }
  // In the order of the file; the same for every point.
  const std::vector<std::string>& keys() const { return keys_; }
  std::vector<Setting> At(size_t point) const;
  // Every setting once.
  std::vector<Setting> Settings() const;
  const std::string& base() const { return base_; }

  // "array.rows * array.cols"
  const std::vector<std::string>& cost_names() const { return cost_names_; }
  std::vector<double> CostsAt(size_t point) const;

  // The SoC file of some settings.
  std::string SocText(const std::vector<Setting>& settings, const std::string& soc_name) const;

 private:
  class Reader;
  // values[key][position]
  struct Axis {
    std::vector<std::string> keys;
    std::vector<std::vector<Setting>> values;
    size_t size() const { return values.front().size(); }
  };

  std::string base_;
  std::vector<Axis> axes_;
  std::vector<std::string> keys_;
  std::vector<std::vector<std::string>> costs_;  // keys of each
  std::vector<std::string> cost_names_;
  size_t size_ = 1;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SWEEP_SWEEP_GRID_H_

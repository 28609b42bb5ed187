// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/regions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

constexpr size_t kMostLayers = 48;  // of a region: looking at all keeps the time linear in layers
constexpr double kStepCycles = 60;  // of a layer, for each further step
constexpr std::array<int32_t, 29> kSteps = {2,   3,   4,   5,   6,   8,   10,  12,  14,  16,
                                            20,  24,  28,  32,  40,  48,  56,  64,  80,  112,
                                            128, 160, 192, 224, 288, 384, 512, 768, 1024};

class Chooser {
 public:
  Chooser(const Network& network, std::span<const LayerCycles> cycles, const RegionLimits& limits)
      : network_(network), cycles_(cycles), limits_(limits), uses_(network) {
    FindPassing();
  }

  // All that can be computed together is, in so many steps: so that one step's layers fill the
  // engines while another's wait.
  std::vector<StripRegion> Pipelines(int32_t steps) {
    std::vector<StripRegion> regions;
    const size_t count = network_.layers.size();
    for (size_t first = 0; first + 1 < count;) {
      size_t end = first + 1;
      if (CanBeInRegion(network_.layers[first], network_)) {
        for (size_t last = first + 1; last < std::min(count, first + kMostLayers); ++last) {
          if (!CanJoin(last, first, uses_, network_)) break;
          const auto found = CheapestSteps(first, last, steps);
          if (found && found->steps == steps) end = last + 1;
        }
      }
      if (end > first + 1) regions.push_back({first, end - 1, steps});
      first = end;
    }
    return regions;
  }

  std::vector<StripRegion> Run() {
    const size_t count = network_.layers.size();
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<StripRegion> from(count + 1);
    best[0] = 0;
    for (size_t first = 0; first < count; ++first) {
      const auto take = [&](size_t last, int32_t steps, double cost) {
        if (best[first] + cost >= best[last + 1]) return;
        best[last + 1] = best[first] + cost;
        from[last + 1] = {first, last, steps};
      };
      take(first, 1, AloneCost(first));
      if (!CanBeInRegion(network_.layers[first], network_)) continue;
      for (size_t last = first + 1; last < std::min(count, first + kMostLayers); ++last) {
        if (!CanJoin(last, first, uses_, network_)) break;
        if (const auto found = CheapestSteps(first, last)) take(last, found->steps, found->cost);
      }
    }
    std::vector<StripRegion> regions;
    for (size_t end = count; end > 0; end = from[end].first) {
      if (from[end].steps > 1) regions.push_back(from[end]);
    }
    std::reverse(regions.begin(), regions.end());
    return regions;
  }

 private:
  const Value& Output(size_t layer) const { return network_.value(network_.layers[layer].output); }
  bool Stays(const Value& value) const { return value.Bytes() <= limits_.value_bytes; }

  // Bytes of values that stay whole from before a layer to after it, by layer.
  void FindPassing() {
    const size_t count = network_.layers.size();
    passing_.assign(count + 1, 0);
    last_use_.assign(network_.values.size(), -1);
    for (size_t i = 0; i < network_.values.size(); ++i) {
      const Value& value = network_.values[i];
      if (value.is_constant() || value.base != kNoValue) continue;
      const std::vector<int32_t>& readers = uses_.readers[i];
      int32_t last = readers.empty() ? -1 : readers.back();
      if (value.output_index >= 0) last = std::max(last, uses_.producer[i]);
      last_use_[i] = last;
      if (!Stays(value)) continue;
      for (int32_t at = std::max(0, uses_.producer[i] + 1); at < last; ++at)
        passing_[static_cast<size_t>(at)] += value.Bytes();
    }
  }

  // Constants' bytes that a layer needs.
  int64_t ConstantBytes(size_t layer) const {
    int64_t bytes = 0;
    for (ValueId id : network_.layers[layer].Inputs()) {
      if (network_.value(id).is_constant()) bytes += network_.value(id).Bytes();
    }
    return bytes;
  }

  // What is hidden behind computing is not hidden at its beginning and end.
  static double Combine(double compute, double dram) {
    return std::max(compute, dram) + 0.2 * dram;
  }
  // Whether alone or together, a layer's engines are taken as long.
  double ComputeCycles(size_t layer) const {
    return std::max(cycles_[layer].matrix, cycles_[layer].vector);
  }

  double DramCycles(int64_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(limits_.dram_bytes_per_cycle);
  }

  // Run-time operands of [first, last] that are made outside, each once.
  std::vector<ValueId> OuterInputs(size_t first, size_t last) const {
    std::vector<ValueId> ids;
    for (size_t i = first; i <= last; ++i) {
      for (ValueId id : network_.layers[i].Inputs()) {
        const ValueId root = network_.RootOf(id).value;
        if (network_.value(root).is_constant()) continue;
        const int32_t producer = uses_.producer[static_cast<size_t>(root)];
        if (producer >= static_cast<int32_t>(first)) continue;
        if (std::find(ids.begin(), ids.end(), root) == ids.end()) ids.push_back(root);
      }
    }
    return ids;
  }

  // A layer by itself.
  double AloneCost(size_t layer) const {
    int64_t dram = 0;  // constants come once either way
    int64_t memory = passing_[layer];
    int64_t largest = 0;
    const auto add = [&](const Value& value, bool outside) {
      if (outside || !Stays(value)) {
        dram += value.Bytes();
      } else {
        memory += value.Bytes();
        largest = std::max(largest, value.Bytes());
      }
    };
    for (ValueId id : OuterInputs(layer, layer))
      add(network_.value(id), network_.value(id).input_index >= 0);
    add(Output(layer), Output(layer).output_index >= 0);
    if (memory > limits_.memory_bytes) dram += largest;
    return Combine(ComputeCycles(layer), DramCycles(dram));
  }

  struct Found {
    int32_t steps = 0;
    double cost = 0;
  };

  // The fewest steps whose rows fit, at least so many.
  std::optional<Found> CheapestSteps(size_t first, size_t last, int32_t least = 2) const {
    const RegionRows rows(network_, uses_, first, last);
    bool any_inner = false;
    for (size_t i = 0; i < rows.size(); ++i) any_inner = any_inner || rows.is_inner(i);
    if (!any_inner) return std::nullopt;
    int64_t whole = passing_[first];
    int64_t dram = 0;
    double compute = 0;
    int64_t constants = 0;
    for (ValueId id : OuterInputs(first, last)) {
      const Value& value = network_.value(id);
      if (Stays(value)) whole += value.Bytes();
      if (!Stays(value) || value.input_index >= 0) dram += value.Bytes();
    }
    for (size_t i = first; i <= last; ++i) {
      const Value& value = Output(i);
      compute += ComputeCycles(i);
      constants += ConstantBytes(i);
      if (rows.is_inner(i - first)) continue;
      if (Stays(value) && value.output_index < 0) {
        whole += value.Bytes();
      } else {
        dram += value.Bytes();
      }
    }
    if (constants > limits_.weight_bytes || whole + constants > limits_.memory_bytes)
      return std::nullopt;
    for (int32_t steps : kSteps) {
      if (steps < least) continue;
      if (steps > rows.MostSteps()) break;
      int64_t copied = 0;
      const int64_t bytes = StripBytes(rows, first, steps, copied);
      if (whole + constants + bytes > limits_.memory_bytes) continue;
      const double copies = static_cast<double>(copied * (steps - 1)) /
                            static_cast<double>(limits_.copy_bytes_per_cycle);
      return Found{steps, Combine(compute, DramCycles(dram)) + copies / 2 +
                              kStepCycles * static_cast<double>(rows.size()) * (steps - 1)};
    }
    return std::nullopt;
  }

  // Of the rows that live at a time, at most; `copied`: of them, those of the step before.
  int64_t StripBytes(const RegionRows& rows, size_t first, int32_t steps, int64_t& copied) const {
    int64_t most = 0;
    for (int32_t step : {1, steps / 2 + 1, steps}) {
      const std::vector<int32_t> before = rows.Done(step - 1, steps);
      const std::vector<int32_t> after = rows.Done(step, steps);
      const std::vector<int32_t> needed = rows.FirstNeeded(before);
      const std::vector<int32_t> needed_later = rows.FirstNeeded(after);
      int64_t live = 0;  // from the step before at first
      int64_t copies = 0;
      std::vector<int64_t> bytes(rows.size());
      std::vector<int64_t> kept(rows.size());
      for (size_t i = 0; i < rows.size(); ++i) {
        if (!rows.is_inner(i)) continue;
        const int64_t row_bytes = RowBytes(Output(first + i));
        const int64_t from = std::min(needed[i], before[i]);
        bytes[i] = (after[i] - from) * row_bytes;
        copies += (before[i] - from) * row_bytes;
        if (from < before[i]) kept[i] = bytes[i];  // as large as this step's
        live += kept[i];
      }
      for (size_t i = 0; i < rows.size(); ++i) {
        live += bytes[i];
        most = std::max(most, live);
        live -= kept[i];
        for (size_t ended : rows.LastReadBy(i)) {
          if (needed_later[ended] >= after[ended]) live -= bytes[ended];
        }
      }
      copied = std::max(copied, copies);
    }
    return most;
  }

  const Network& network_;
  std::span<const LayerCycles> cycles_;
  RegionLimits limits_;
  ValueUses uses_;
  std::vector<int64_t> passing_;
  std::vector<int32_t> last_use_;
};

}  // namespace

std::vector<StripRegion> ChooseRegions(const Network& network, std::span<const LayerCycles> cycles,
                                       const RegionLimits& limits) {
  return Chooser(network, cycles, limits).Run();
}

std::vector<StripRegion> ChoosePipelines(const Network& network, int32_t steps,
                                         const RegionLimits& limits) {
  const std::vector<LayerCycles> cycles(network.layers.size());
  return Chooser(network, cycles, limits).Pipelines(steps);
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/region_costs.h"

#include <algorithm>
#include <array>

namespace acme::compiler {
namespace {

constexpr std::array<int32_t, 29> kSteps = {2,   3,   4,   5,   6,   8,   10,  12,  14,  16,
                                            20,  24,  28,  32,  40,  48,  56,  64,  80,  112,
                                            128, 160, 192, 224, 288, 384, 512, 768, 1024};

// What is hidden behind computing is not hidden at its beginning and end.
double Combine(double compute, double dram) { return std::max(compute, dram) + 0.2 * dram; }

}  // namespace

RegionCosts::RegionCosts(const Network& network, std::vector<LayerCycles> cycles,
                         const RegionLimits& limits)
    : network_(network),
      cycles_(std::move(cycles)),
      limits_(limits),
      uses_(network),
      regions_(network.layers.size()) {
  FindPassing();
}

// A value counts at the layers between the one that makes it and its last reader; these two count
// it themselves, as result and operand.
void RegionCosts::FindPassing() {
  passing_.assign(network_.layers.size() + 1, 0);
  for (size_t i = 0; i < network_.values.size(); ++i) {
    const Value& value = network_.values[i];
    if (value.is_constant() || value.base != kNoValue || !Stays(value)) continue;
    const std::vector<int32_t>& readers = uses_.readers[i];
    int32_t last = readers.empty() ? -1 : readers.back();
    if (value.output_index >= 0) last = std::max(last, uses_.writer[i]);
    for (int32_t at = std::max(0, uses_.writer[i] + 1); at < last; ++at)
      passing_[static_cast<size_t>(at)] += value.Bytes();
  }
}

// Whether alone or together, a layer's engines are taken as long.
double RegionCosts::ComputeCycles(size_t layer) const {
  return std::max(cycles_[layer].matrix, cycles_[layer].vector);
}

double RegionCosts::DramCycles(int64_t bytes) const {
  return static_cast<double>(bytes) / static_cast<double>(limits_.dram_bytes_per_cycle);
}

int64_t RegionCosts::ConstantBytes(size_t layer) const {
  int64_t bytes = 0;
  for (ValueId id : network_.layers[layer].Inputs()) {
    if (network_.value(id).is_constant()) bytes += network_.value(id).Bytes();
  }
  return bytes;
}

// Run-time operands of [first, last] that are made outside, each once.
std::vector<ValueId> RegionCosts::OuterInputs(size_t first, size_t last) const {
  std::vector<ValueId> ids;
  for (size_t i = first; i <= last; ++i) {
    for (ValueId id : network_.layers[i].Inputs()) {
      const ValueId root = network_.RootOf(id).value;
      if (network_.value(root).is_constant()) continue;
      const int32_t writer = uses_.writer[static_cast<size_t>(root)];
      if (writer >= static_cast<int32_t>(first)) continue;
      if (std::find(ids.begin(), ids.end(), root) == ids.end()) ids.push_back(root);
    }
  }
  return ids;
}

double RegionCosts::Alone(size_t layer, int64_t memory_bytes) const {
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
  // Too much at a time: the largest goes to the DRAM, as placement has the small ones stay.
  if (memory > memory_bytes) dram += largest;
  return Combine(ComputeCycles(layer), DramCycles(dram));
}

RegionCosts::Region& RegionCosts::At(size_t first, size_t last) {
  auto& from = regions_[first];
  from.resize(std::max(from.size(), last - first + 1));
  std::optional<Region>& region = from[last - first];
  if (!region) region = Measure(first, last);
  return *region;
}

RegionCosts::Region RegionCosts::Measure(size_t first, size_t last) const {
  const RegionRows rows(network_, uses_, first, last, limits_.beside_bytes);
  Region region;
  region.rows.resize(kSteps.size());
  region.most_steps = rows.MostSteps();
  region.whole_bytes = passing_[first];
  for (ValueId id : OuterInputs(first, last)) {
    const Value& value = network_.value(id);
    if (Stays(value)) region.whole_bytes += value.Bytes();
    if (!Stays(value) || value.input_index >= 0) region.dram_bytes += value.Bytes();
  }
  for (size_t i = first; i <= last; ++i) {
    const Value& value = Output(i);
    region.has_held_values |= rows.is_held(i - first);
    if (rows.is_inner(i - first)) continue;
    if (Stays(value) && value.output_index < 0) {
      region.whole_bytes += value.Bytes();
    } else {
      region.dram_bytes += value.Bytes();
    }
  }
  return region;
}

// The engine that has less to do waits for the first step's work of the other, or the other for its last.
double RegionCosts::Work::SideBySide(int32_t steps) const {
  return std::min(in_turn, std::max(matrix, vector) + std::min(matrix, vector) / steps);
}

RegionCosts::Work RegionCosts::WorkOf(size_t first, size_t last) const {
  Work work;
  for (size_t i = first; i <= last; ++i) {
    work.in_turn += ComputeCycles(i);
    work.matrix += cycles_[i].matrix;
    work.vector += cycles_[i].vector;
    work.step += cycles_[i].step;
    work.constant_bytes += ConstantBytes(i);
  }
  return work;
}

const RegionCosts::Rows& RegionCosts::RowsAt(size_t first, size_t last, size_t index,
                                             std::optional<RegionRows>& measured) {
  Rows& rows = At(first, last).rows[index];
  if (rows.bytes < 0) {
    if (!measured) measured.emplace(network_, uses_, first, last, limits_.beside_bytes);
    rows = RowsOf(*measured, first, kSteps[index]);
  }
  return rows;
}

double RegionCosts::CyclesOf(double compute_cycles, const Work& work, const Region& region,
                             int32_t steps, int64_t copied_bytes) const {
  const double copies = static_cast<double>(copied_bytes * (steps - 1)) /
                        static_cast<double>(limits_.copy_bytes_per_cycle);
  return Combine(compute_cycles, DramCycles(region.dram_bytes)) + copies / 2 +
         work.step * (steps - 1);
}

std::optional<RegionCosts::Strips> RegionCosts::Together(size_t first, size_t last,
                                                         int32_t least_steps, int64_t memory_bytes,
                                                         double limit_cycles) {
  const Work work = WorkOf(first, last);
  if (work.constant_bytes > limits_.weight_bytes || work.in_turn >= limit_cycles)
    return std::nullopt;
  const Region& region = At(first, last);
  const int64_t room = memory_bytes - region.whole_bytes - work.constant_bytes;
  if (!region.has_held_values || room < 0 ||
      CyclesOf(work.in_turn, work, region, least_steps, 0) >= limit_cycles)
    return std::nullopt;
  std::optional<RegionRows> measured;
  for (size_t i = 0; i < kSteps.size() && kSteps[i] <= region.most_steps; ++i) {
    if (kSteps[i] < least_steps) continue;
    const Rows& rows = RowsAt(first, last, i, measured);
    if (rows.bytes > room) continue;
    const Strips strips{kSteps[i],
                        CyclesOf(work.in_turn, work, region, kSteps[i], rows.copied_bytes)};
    return strips.cycles < limit_cycles ? std::optional(strips) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<RegionCosts::Strips> RegionCosts::SideBySide(size_t first, size_t last,
                                                           int64_t memory_bytes,
                                                           double limit_cycles) {
  const Work work = WorkOf(first, last);
  if (work.constant_bytes > limits_.weight_bytes ||
      std::max(work.matrix, work.vector) >= limit_cycles)
    return std::nullopt;
  const Region& region = At(first, last);
  const int64_t room = memory_bytes - region.whole_bytes - work.constant_bytes;
  if (!region.has_held_values || room < 0) return std::nullopt;
  std::optional<RegionRows> measured;
  std::optional<Strips> best;
  for (size_t i = 0; i < kSteps.size() && kSteps[i] <= region.most_steps; ++i) {
    const Rows& rows = RowsAt(first, last, i, measured);
    if (rows.bytes > room) continue;
    const double cycles =
        CyclesOf(work.SideBySide(kSteps[i]), work, region, kSteps[i], rows.copied_bytes);
    if (cycles < limit_cycles) {
      limit_cycles = cycles;
      best = {kSteps[i], cycles};
    } else if (best) {
      break;  // from here on steps cost more than they save
    }
  }
  return best;
}

double RegionCosts::CyclesSideBySide(size_t first, size_t last, int32_t steps) {
  const Work work = WorkOf(first, last);
  const auto index =
      static_cast<size_t>(std::find(kSteps.begin(), kSteps.end(), steps) - kSteps.begin());
  std::optional<RegionRows> measured;
  const Rows& rows = RowsAt(first, last, index, measured);
  return CyclesOf(work.SideBySide(steps), work, At(first, last), steps, rows.copied_bytes);
}

RegionCosts::Rows RegionCosts::RowsOf(const RegionRows& rows, size_t first, int32_t steps) const {
  int64_t copied = 0;
  int64_t most = 0;
  // The first and the last step have windows cut off at the image's edges; one between stands for
  // all others.
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
      if (!rows.is_held(i)) continue;
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
      // The head was copied as this layer began; from here on the rows of the step before are free.
      live -= kept[i];
      for (size_t ended : rows.LastReadBy(i)) {
        if (needed_later[ended] >= after[ended]) live -= bytes[ended];
      }
    }
    copied = std::max(copied, copies);
  }
  return {most, copied};
}

}  // namespace acme::compiler

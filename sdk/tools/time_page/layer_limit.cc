// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/layer_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace npukit::tools {
namespace {

constexpr double kNoticeable = 0.05;

// "ENGINE/CAUSE"; a cause without an engine is of the one engine "".
std::pair<std::string, std::string> SplitCause(const std::string& cause) {
  const size_t slash = cause.find('/');
  if (slash == std::string::npos) return {"", cause};
  return {cause.substr(0, slash), cause.substr(slash + 1)};
}

// What the engine that stands still least waits for most: it sets the layer's time, and what stalls
// the others may just be that they wait for it.
std::string LimitByStalls(const Layer& layer) {
  std::map<std::string, double> stalled;
  for (const auto& [cause, cycles] : layer.stalls) stalled[SplitCause(cause).first] += cycles;
  const auto busiest = std::min_element(stalled.begin(), stalled.end(),
                                        [](auto& a, auto& b) { return a.second < b.second; });
  const std::string& engine = busiest->first;
  const std::string who = engine.empty() ? "the NPU" : "engine " + engine;
  const double busy = std::max(0.0, 1 - busiest->second / *layer.cycles);
  if (busy >= 0.5) return fmt::format("{}, which works in {:.0f}% of its cycles", who, 100 * busy);
  const std::pair<std::string, double>* largest = nullptr;
  for (const auto& stall : layer.stalls) {
    if (SplitCause(stall.first).first != engine) continue;
    if (largest == nullptr || stall.second > largest->second) largest = &stall;
  }
  return fmt::format("waiting: {} stalls for {:.0f}% of the cycles, mostly on '{}'", who,
                     100 * (1 - busy), SplitCause(largest->first).second);
}

std::string LimitByCounters(const Layer& layer, const Chip& chip) {
  if (!layer.stalls.empty() && *layer.cycles > 0) return LimitByStalls(layer);
  if (layer.macs && layer.bytes && chip.array_macs_per_cycle && chip.memory_bytes_per_cycle) {
    const double array_cycles = *layer.macs / *chip.array_macs_per_cycle;
    const double memory_cycles = *layer.bytes / *chip.memory_bytes_per_cycle;
    const char* const roof = array_cycles > memory_cycles ? "array" : "bandwidth";
    return fmt::format("the roof of the {}: at least {:.0f} cycles", roof,
                       std::max(array_cycles, memory_cycles));
  }
  return "not known: the library reports neither stalls nor bytes of operations";
}

}  // namespace

LayerLimit LimitOf(const Layer& layer, const Chip& chip, std::span<const DoubledRun> doubled) {
  if (layer.target == Target::kCpu) return {"runs on the CPU", ""};
  if (!layer.cycles) return {"not known: the library reports no cycles of operations", ""};
  struct Gain {
    std::string resource;
    double cycles;
  };
  std::vector<Gain> gains;
  size_t measured = 0;
  for (const DoubledRun& run : doubled) {
    const auto found = run.layer_cycles.find(layer.name);
    if (found == run.layer_cycles.end()) continue;
    ++measured;
    if (found->second <= (1 - kNoticeable) * *layer.cycles)
      gains.push_back({run.resource, found->second});
  }
  if (measured == 0) return {LimitByCounters(layer, chip), ""};
  if (gains.empty()) {
    return {LimitByCounters(layer, chip), "doubling any one resource makes it less than 5% faster"};
  }
  std::stable_sort(gains.begin(), gains.end(),
                   [](const Gain& a, const Gain& b) { return a.cycles < b.cycles; });
  LayerLimit limit{gains.front().resource, ""};
  for (const Gain& gain : gains) {
    limit.help +=
        fmt::format("{}twice the {}: {:.0f} cycles ({:+.0f}%)", limit.help.empty() ? "" : "; ",
                    gain.resource, gain.cycles, 100 * (gain.cycles / *layer.cycles - 1));
  }
  return limit;
}

}  // namespace npukit::tools

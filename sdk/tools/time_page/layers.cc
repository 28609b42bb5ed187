// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "npukit/metrics.h"

namespace npukit::tools {
namespace {

// Of the NPU's operation `key`: what the model calls it.
std::vector<std::string> OpsOf(const DelegateRecord* delegate, const std::string& key) {
  std::vector<std::string> ops;
  if (delegate == nullptr) return ops;
  for (const DelegateRecord::Handle& handle : delegate->handles) {
    if (handle.name != key && fmt::format("{}", handle.handle) != key) continue;
    for (const uint32_t op : handle.ops) {
      if (op < delegate->ops.size()) ops.push_back(Describe(delegate->ops[op]));
    }
    break;
  }
  return ops;
}

Layer NpuLayer(const OpMetrics& op, double invocations) {
  constexpr std::string_view kStall = NPUKIT_METRIC_OP_STALL_CYCLES_PREFIX;
  Layer layer{.name = op.key, .ops = {}, .target = Target::kNpu};
  for (const auto& [field, total] : op.fields) {
    const double value = total / invocations;
    if (field == NPUKIT_METRIC_CYCLES) layer.cycles = value;
    if (field == NPUKIT_METRIC_MACS) layer.macs = value;
    if (field == NPUKIT_METRIC_ENERGY_PJ) layer.energy_pj = value;
    if (field == NPUKIT_METRIC_BYTES_READ || field == NPUKIT_METRIC_BYTES_WRITTEN)
      layer.bytes = layer.bytes.value_or(0) + value;
    if (std::string_view(field).starts_with(kStall)) {
      std::string cause = field.substr(kStall.size());
      std::replace(cause.begin(), cause.end(), ':', '/');
      layer.stalls.emplace_back(std::move(cause), value);
    }
  }
  return layer;
}

}  // namespace

Chip ChipOf(std::span<const DispatchMetrics> metrics) {
  Chip chip;
  const auto take = [](std::optional<double>& value, std::optional<double> reported) {
    if (!value && reported && *reported > 0) value = reported;
  };
  for (const DispatchMetrics& partition : metrics) {
    if (chip.soc.empty()) chip.soc = partition.Text(NPUKIT_METRIC_SOC).value_or("");
    take(chip.array_macs_per_cycle, partition.Number(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE));
    take(chip.memory_bytes_per_cycle, partition.Number(NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE));
    take(chip.scratchpad_bytes, partition.Number(NPUKIT_METRIC_SCRATCHPAD_BYTES));
    take(chip.clock_mhz, partition.Number(NPUKIT_METRIC_CLOCK_MHZ));
  }
  return chip;
}

std::vector<Layer> LayersOf(std::span<const StepInfo> steps, std::span<const StepTime> times,
                            std::span<const DispatchMetrics> metrics) {
  std::vector<Layer> layers;
  for (size_t i = 0; i < steps.size(); ++i) {
    const StepInfo& step = steps[i];
    if (step.target == Target::kCpu) {
      layers.push_back({.name = step.name,
                        .ops = {step.op},
                        .target = Target::kCpu,
                        .step = static_cast<int>(i),
                        .macs = static_cast<double>(step.macs),
                        .host_us = static_cast<double>(times[i].end_ns - times[i].begin_ns) / 1e3,
                        .stalls = {}});
      continue;
    }
    const double invocations =
        std::max(1.0, metrics[i].Number(NPUKIT_METRIC_INVOCATIONS).value_or(1));
    for (const OpMetrics& op : metrics[i].PerOp()) {
      layers.push_back(NpuLayer(op, invocations));
      layers.back().step = static_cast<int>(i);
      layers.back().ops = OpsOf(step.delegate, op.key);
    }
  }
  return layers;
}

std::map<std::string, double> CyclesByName(const std::vector<Layer>& layers) {
  std::map<std::string, double> cycles;
  for (const Layer& layer : layers) {
    // A number is a handle of one program: in another it may be another layer's.
    const bool is_number = layer.name.find_first_not_of("0123456789") == std::string::npos;
    if (layer.target == Target::kNpu && layer.cycles && !is_number)
      cycles[layer.name] += *layer.cycles;
  }
  return cycles;
}

}  // namespace npukit::tools

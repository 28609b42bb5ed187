// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/run_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "npukit/metrics.h"

namespace acme::dispatch {

void RunMetrics::AddRun(const AcmeCounters& counters) {
  ++runs_;
  total_.cycles += counters.cycles;
  total_.useful_macs += counters.useful_macs;
  total_.array_macs += counters.array_macs;
  total_.roofline_cycles += counters.roofline_cycles;
  total_.energy_pj += counters.energy_pj;
  total_.dram_read_bytes += counters.dram_read_bytes;
  total_.dram_write_bytes += counters.dram_write_bytes;
  for (size_t engine = 0; engine < kAcmeEngineCount; ++engine) {
    total_.busy_cycles[engine] += counters.busy_cycles[engine];
    for (size_t stall = 0; stall < kAcmeStallCount; ++stall) {
      total_.stall_cycles[engine][stall] += counters.stall_cycles[engine][stall];
    }
  }
}

void RunMetrics::AddProfile(const std::string& name, const AcmeHandleProfile& profile) {
  const auto [it, inserted] = op_index_.try_emplace(profile.handle, ops_.size());
  if (inserted) {
    const bool is_own = !name.empty() && keys_.insert(name).second;
    ops_.push_back({is_own ? name : fmt::format("{}", profile.handle)});
  }
  OpTotals& op = ops_[it->second];
  op.cycles += profile.cycles;
  op.macs += profile.macs;
  op.array_macs += profile.array_macs;
  op.energy_pj += profile.energy_pj;
  op.read_bytes += profile.dram_read_bytes;
  op.written_bytes += profile.dram_bytes - profile.dram_read_bytes;
  for (size_t engine = 0; engine < kAcmeEngineCount; ++engine) {
    for (size_t stall = 0; stall < kAcmeStallCount; ++stall)
      op.stall_cycles[engine][stall] += profile.stall_cycles[engine][stall];
  }
}

void RunMetrics::AddOp(const OpTotals& op, std::vector<npukit::Metric>& metrics) {
  const auto name = [&op](std::string_view field) {
    return fmt::format("{}{}/{}", NPUKIT_METRIC_OP_PREFIX, op.key, field);
  };
  const auto count = [&](std::string_view field, uint64_t value) {
    metrics.push_back({name(field), static_cast<int64_t>(value)});
  };
  count(NPUKIT_METRIC_CYCLES, op.cycles);
  count(NPUKIT_METRIC_MACS, op.macs);
  count(NPUKIT_METRIC_ARRAY_MACS, op.array_macs);
  metrics.push_back({name(NPUKIT_METRIC_ENERGY_PJ), op.energy_pj});
  count(NPUKIT_METRIC_BYTES_READ, op.read_bytes);
  count(NPUKIT_METRIC_BYTES_WRITTEN, op.written_bytes);
  for (size_t engine = 0; engine < kAcmeEngineCount; ++engine) {
    const auto& stalls = op.stall_cycles[engine];
    const bool has_none =
        std::all_of(stalls.begin(), stalls.end(), [](uint64_t c) { return c == 0; });
    for (size_t stall = 0; stall < kAcmeStallCount; ++stall) {
      // An engine that lost nothing is told of, too.
      if (stalls[stall] == 0 && !(has_none && stall == 0)) continue;
      count(fmt::format("{}{}:{}", NPUKIT_METRIC_OP_STALL_CYCLES_PREFIX, AcmeEngineName(engine),
                        AcmeStallName(stall)),
            stalls[stall]);
    }
  }
}

std::vector<npukit::Metric> RunMetrics::Take() const {
  std::vector<npukit::Metric> metrics;
  const auto count = [&metrics](std::string name, uint64_t value) {
    metrics.push_back({std::move(name), static_cast<int64_t>(value)});
  };
  metrics.push_back({NPUKIT_METRIC_SOC, soc_});
  count(NPUKIT_METRIC_INVOCATIONS, runs_);
  count(NPUKIT_METRIC_CYCLES, total_.cycles);
  count(NPUKIT_METRIC_MACS, total_.useful_macs);
  count(NPUKIT_METRIC_ARRAY_MACS, total_.array_macs);
  count(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, static_cast<uint64_t>(peak_macs_per_cycle_));
  count(NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE, static_cast<uint64_t>(memory_bytes_per_cycle_));
  count(NPUKIT_METRIC_SCRATCHPAD_BYTES, static_cast<uint64_t>(scratchpad_bytes_));
  count(NPUKIT_METRIC_ROOFLINE_CYCLES, total_.roofline_cycles);
  metrics.push_back({NPUKIT_METRIC_ENERGY_PJ, total_.energy_pj});
  count(NPUKIT_METRIC_BYTES_READ, total_.dram_read_bytes);
  count(NPUKIT_METRIC_BYTES_WRITTEN, total_.dram_write_bytes);
  metrics.push_back({NPUKIT_METRIC_CLOCK_MHZ, static_cast<double>(clock_mhz_)});
  for (size_t engine = 0; engine < kAcmeEngineCount; ++engine) {
    count(fmt::format("busy_cycles/{}", AcmeEngineName(engine)), total_.busy_cycles[engine]);
    for (size_t stall = 0; stall < kAcmeStallCount; ++stall) {
      if (total_.stall_cycles[engine][stall] == 0) continue;
      count(fmt::format("{}{}/{}", NPUKIT_METRIC_STALL_CYCLES_PREFIX, AcmeEngineName(engine),
                        AcmeStallName(stall)),
            total_.stall_cycles[engine][stall]);
    }
  }
  for (const OpTotals& op : ops_) AddOp(op, metrics);
  for (const auto& [resource, soc_file] : doubled_soc_files_)
    metrics.push_back({NPUKIT_METRIC_DOUBLED_PREFIX + resource, soc_file});
  if (!trace_.empty()) metrics.push_back({NPUKIT_METRIC_TRACE_EVENTS, trace_});
  return metrics;
}

}  // namespace acme::dispatch

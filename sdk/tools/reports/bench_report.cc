// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "npukit/metrics.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/text_table.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

// Counts cover all invocations between start and stop. A library that does not say how many there
// were is taken to have counted one.
std::optional<double> PerInvocation(const DispatchMetrics& metrics, std::string_view name) {
  const std::optional<double> value = metrics.Number(name);
  const double invocations = metrics.Number(NPUKIT_METRIC_INVOCATIONS).value_or(1);
  if (!value) return std::nullopt;
  return invocations > 0 ? *value / invocations : *value;
}

void Add(std::optional<double>& sum, std::optional<double> value) {
  if (value) sum = sum.value_or(0) + *value;
}

std::optional<double> Utilisation(std::optional<double> macs, std::optional<double> cycles,
                                  std::optional<double> array_macs_per_cycle) {
  if (!macs || !cycles || !array_macs_per_cycle || *cycles <= 0 || *array_macs_per_cycle <= 0)
    return std::nullopt;
  return *macs / (*cycles * *array_macs_per_cycle);
}

void AddPartition(const DispatchMetrics& metrics, const StepInfo& step, int partition,
                  BenchReport& report) {
  if (report.soc.empty()) report.soc = metrics.Text(NPUKIT_METRIC_SOC).value_or("");
  const std::optional<double> cycles = PerInvocation(metrics, NPUKIT_METRIC_CYCLES);
  if (!cycles) report.missing.push_back(step.name);
  Add(report.cycles, cycles);
  const std::optional<double> macs = PerInvocation(metrics, NPUKIT_METRIC_MACS);
  Add(report.macs, macs);
  const std::optional<double> array_macs = PerInvocation(metrics, NPUKIT_METRIC_ARRAY_MACS);
  // Of a library that does not tell them apart all are the array's.
  Add(report.array_macs, array_macs ? array_macs : macs);
  Add(report.roofline_cycles, PerInvocation(metrics, NPUKIT_METRIC_ROOFLINE_CYCLES));
  Add(report.energy_pj, PerInvocation(metrics, NPUKIT_METRIC_ENERGY_PJ));
  Add(report.bytes_read, PerInvocation(metrics, NPUKIT_METRIC_BYTES_READ));
  Add(report.bytes_written, PerInvocation(metrics, NPUKIT_METRIC_BYTES_WRITTEN));
  if (!report.clock_mhz) report.clock_mhz = metrics.Number(NPUKIT_METRIC_CLOCK_MHZ);
  const std::optional<double> peak = metrics.Number(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE);
  if (!report.array_macs_per_cycle) report.array_macs_per_cycle = peak;

  const double invocations = std::max(1.0, metrics.Number(NPUKIT_METRIC_INVOCATIONS).value_or(1));
  for (const OpMetrics& op : metrics.PerOp()) {
    BenchReport::PerOp entry{
        .name = op.key, .op = {}, .target = Target::kNpu, .partition = partition};
    std::optional<double> of_arrays;
    for (const auto& [field, value] : op.fields) {
      const double mean = value / invocations;
      if (field == NPUKIT_METRIC_CYCLES) entry.cycles = mean;
      if (field == NPUKIT_METRIC_MACS) entry.macs = mean;
      if (field == NPUKIT_METRIC_ARRAY_MACS) of_arrays = mean;
      if (field == NPUKIT_METRIC_ROOFLINE_CYCLES) entry.roofline_cycles = mean;
      if (field == NPUKIT_METRIC_ENERGY_PJ) entry.energy_pj = mean;
    }
    entry.utilisation = Utilisation(of_arrays ? of_arrays : entry.macs, entry.cycles, peak);
    report.per_op.push_back(std::move(entry));
  }
}

Json Number(std::optional<double> value) { return value ? JsonNumber(*value) : Json(); }

std::string FixedText(std::optional<double> value, int digits = 0) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

}  // namespace

BenchReport MakeBenchReport(std::span<const StepInfo> steps, std::span<const StepTime> times,
                            std::span<const DispatchMetrics> metrics, std::vector<double> run_ms) {
  BenchReport report;
  std::sort(run_ms.begin(), run_ms.end());
  report.host_min_ms = run_ms.front();
  const size_t middle = run_ms.size() / 2;
  report.host_median_ms =
      run_ms.size() % 2 == 1 ? run_ms[middle] : (run_ms[middle - 1] + run_ms[middle]) / 2;
  int partition = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].target == Target::kNpu) {
      AddPartition(metrics[i], steps[i], partition++, report);
      continue;
    }
    report.cpu_macs += static_cast<double>(steps[i].macs);
    report.per_op.push_back(
        {.name = steps[i].name,
         .op = steps[i].op,
         .target = Target::kCpu,
         .macs = static_cast<double>(steps[i].macs),
         .host_us = static_cast<double>(times[i].end_ns - times[i].begin_ns) / 1e3});
  }
  report.utilisation = Utilisation(report.array_macs, report.cycles, report.array_macs_per_cycle);
  const double all_macs = report.macs.value_or(0) + report.cpu_macs;
  if (all_macs > 0) report.npu_mac_fraction = report.macs.value_or(0) / all_macs;
  return report;
}

void AddBenchJson(const BenchReport& bench, Json& report) {
  report["soc"] = bench.soc;
  report["cycles"] = Number(bench.cycles);
  report["macs"] = Number(bench.macs);
  report["cpu_macs"] = Number(bench.cpu_macs);
  report["npu_mac_fraction"] = bench.npu_mac_fraction;
  report["utilisation"] = Number(bench.utilisation);
  report["roofline_cycles"] = Number(bench.roofline_cycles);
  report["energy_pj"] = Number(bench.energy_pj);
  report["bytes_read"] = Number(bench.bytes_read);
  report["bytes_written"] = Number(bench.bytes_written);
  report["clock_mhz"] = Number(bench.clock_mhz);
  report["host_ms"] = {{"median", bench.host_median_ms}, {"min", bench.host_min_ms}};
  report["per_op"] = Json::array();
  for (const BenchReport::PerOp& op : bench.per_op) {
    Json entry = {{"name", op.name}, {"target", op.target == Target::kNpu ? "npu" : "cpu"}};
    if (op.target == Target::kNpu) {
      entry["partition"] = op.partition;
      entry["cycles"] = Number(op.cycles);
      entry["macs"] = Number(op.macs);
      entry["utilisation"] = Number(op.utilisation);
      entry["roofline_cycles"] = Number(op.roofline_cycles);
      entry["energy_pj"] = Number(op.energy_pj);
    } else {
      entry["op"] = op.op;
      entry["macs"] = Number(op.macs);
      entry["host_us"] = Number(op.host_us);
    }
    report["per_op"].push_back(std::move(entry));
  }
}

std::string BenchText(const BenchReport& bench) {
  std::string text = fmt::format("host: median {:.3f} ms, min {:.3f} ms\n", bench.host_median_ms,
                                 bench.host_min_ms);
  if (bench.cycles) {
    text += fmt::format(
        "npu{}: {} cycles (roofline {}), {} MACs ({:.1f}% of all), utilisation {}, energy {} nJ\n",
        bench.soc.empty() ? "" : " " + bench.soc, FixedText(bench.cycles),
        FixedText(bench.roofline_cycles), FixedText(bench.macs), 100 * bench.npu_mac_fraction,
        bench.utilisation ? fmt::format("{:.1f}%", 100 * *bench.utilisation) : "-",
        bench.energy_pj ? fmt::format("{:.1f}", *bench.energy_pj / 1e3) : "-");
  }
  for (const std::string& partition : bench.missing) {
    text += fmt::format("partition '{}': its dispatch library reported no cycles\n", partition);
  }
  TextTable ops("<>>>><");
  ops.Add({"where", "MACs", "cycles", "util", "host us", "op"});
  for (const BenchReport::PerOp& op : bench.per_op) {
    ops.Add({op.target == Target::kNpu ? fmt::format("npu{}", op.partition) : "cpu",
             FixedText(op.macs), FixedText(op.cycles),
             op.utilisation ? fmt::format("{:.1f}%", 100 * *op.utilisation) : "-",
             FixedText(op.host_us, 1),
             fmt::format("{}{}", op.op.empty() ? "" : op.op + " ", ShortName(op.name))});
  }
  return text + ops.Text();
}

}  // namespace npukit::tools

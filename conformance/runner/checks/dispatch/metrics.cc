// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on metrics (npukit/metrics.h): that they can be read at each level of detail,
// cover every run between start and stop, and leave nothing behind.

#include "npukit/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/resources.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr int kRuns = 3;
constexpr int kLeakCycles = 8;

// What a library's metrics of a run are.
struct ObservedMetrics {
  std::vector<std::string> names;
  std::vector<uint64_t> cycles;  // of the metric of that name; empty: there is none
  std::string past_end;          // an index that is out of range and has a metric; empty: none
  static auto Fields(auto& self) { return std::tie(self.names, self.cycles, self.past_end); }
};

bool HasMetrics(const LiteRtDispatchInterface& table) {
  return table.start_metrics_collection != nullptr && table.stop_metrics_collection != nullptr &&
         table.get_num_metrics != nullptr && table.get_metric != nullptr &&
         table.destroy_metrics != nullptr;
}

litert::Expected<ObservedMetrics> ReadMetrics(const LiteRtDispatchInterface& table,
                                              LiteRtDispatchInvocationContext context) {
  LiteRtDispatchMetrics collected = nullptr;
  LiteRtStatus status =
      VendorCall("stop_metrics_collection", table.stop_metrics_collection, context, &collected);
  if (status != kLiteRtStatusOk || collected == nullptr)
    return CallFailed("stop_metrics_collection", status);
  int count = -1;
  status = VendorCall("get_num_metrics", table.get_num_metrics, collected, &count);
  if (status != kLiteRtStatusOk || count < 0) return CallFailed("get_num_metrics", status);
  ObservedMetrics observed;
  for (int i = 0; i < count; ++i) {
    LiteRtMetric metric = {};
    status = VendorCall("get_metric", table.get_metric, collected, i, &metric);
    if (status != kLiteRtStatusOk) return CallFailed(fmt::format("get_metric({})", i), status);
    observed.names.emplace_back(metric.name == nullptr ? "" : metric.name);
    if (observed.names.back() == NPUKIT_METRIC_CYCLES && metric.value.type == kLiteRtAnyTypeInt)
      observed.cycles.push_back(static_cast<uint64_t>(metric.value.int_value));
  }
  for (int past : {count, count + 1, -1}) {
    LiteRtMetric metric = {};
    if (VendorCall("get_metric out of range", table.get_metric, collected, past, &metric) ==
        kLiteRtStatusOk)
      observed.past_end = fmt::format("{}", past);
  }
  status = VendorCall("destroy_metrics", table.destroy_metrics, collected);
  if (status != kLiteRtStatusOk) return CallFailed("destroy_metrics", status);
  return observed;
}

// What adds up over runs, by name.
using Counts = std::vector<std::pair<std::string, uint64_t>>;

// "macs" of "op/conv1/macs" and of "macs".
std::string_view FieldOf(std::string_view name) {
  if (!name.starts_with(NPUKIT_METRIC_OP_PREFIX)) return name;
  return name.substr(name.rfind('/') + 1);
}

bool AddsUp(std::string_view field) {
  constexpr std::string_view kThose[] = {
      NPUKIT_METRIC_INVOCATIONS,  NPUKIT_METRIC_CYCLES,          NPUKIT_METRIC_MACS,
      NPUKIT_METRIC_ARRAY_MACS,   NPUKIT_METRIC_ROOFLINE_CYCLES, NPUKIT_METRIC_BYTES_READ,
      NPUKIT_METRIC_BYTES_WRITTEN};
  return std::find(std::begin(kThose), std::end(kThose), field) != std::end(kThose);
}

// Of so many runs together, also by operation.
litert::Expected<Counts> CountRuns(PartitionInvocation& loaded, const InputSet& inputs, int runs) {
  return Witness::Get().Observe<Counts>(
      fmt::format("metrics of {} runs", runs), [&]() -> litert::Expected<Counts> {
        LITERT_RETURN_IF_ERROR(loaded.invocation().StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
        for (int run = 0; run < runs; ++run) LITERT_RETURN_IF_ERROR(loaded.Run(inputs));
        LITERT_ASSIGN_OR_RETURN(const DispatchMetrics metrics, loaded.invocation().StopMetrics());
        Counts counts;
        for (const DispatchMetrics::Metric& metric : metrics.all()) {
          const auto count = metrics.Count(metric.name);
          if (count && AddsUp(FieldOf(metric.name))) counts.emplace_back(metric.name, *count);
        }
        return counts;
      });
}

// Whether a number is that of kRuns runs, of which each has `one`. Devices may take other times for the
// same run, and quite others for one of its operations; and round a bound up once.
bool IsSum(std::string_view name, uint64_t one, uint64_t all) {
  const std::string_view field = FieldOf(name);
  const uint64_t sum = one * kRuns;
  if (field == NPUKIT_METRIC_CYCLES) return name != field || all >= sum - one;
  if (field == NPUKIT_METRIC_ROOFLINE_CYCLES) return all <= sum && all + kRuns > sum;
  return all == sum;
}

// How metrics of several runs are not the sum of theirs; empty if they are.
litert::Expected<std::string> SumProblem(PartitionInvocation& loaded, const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const Counts one, CountRuns(loaded, inputs, 1));
  LITERT_ASSIGN_OR_RETURN(const Counts all, CountRuns(loaded, inputs, kRuns));
  if (one.size() != all.size()) return fmt::format("{} runs have other metrics than one", kRuns);
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i].first != all[i].first)
      return fmt::format("{} runs have other metrics than one", kRuns);
    if (IsSum(one[i].first, one[i].second, all[i].second)) continue;
    return fmt::format("'{}' is {} for one run and {} for {} runs", one[i].first, one[i].second,
                       all[i].second, kRuns);
  }
  return std::string();
}

// What is wrong with the names of one level, whose metrics begin with those of the level below; empty
// if nothing is.
std::string NameProblem(const ObservedMetrics& observed, const std::vector<std::string>& below) {
  std::set<std::string> met;
  for (size_t i = 0; i < observed.names.size(); ++i) {
    const std::string& name = observed.names[i];
    if (name.empty()) return fmt::format("metric {} has no name", i);
    if (!met.insert(name).second) return fmt::format("metric '{}' stands twice", name);
  }
  for (const std::string& name : below) {
    if (!met.contains(name))
      return fmt::format("metric '{}' is missing, which the level of detail below has", name);
  }
  if (observed.past_end.empty()) return {};
  return fmt::format("metric {} exists, there are {}", observed.past_end, observed.names.size());
}

litert::Expected<void> RunWithTrace(PartitionInvocation& loaded, const InputSet& inputs) {
  LITERT_RETURN_IF_ERROR(loaded.invocation().StartMetrics(NPUKIT_METRICS_DETAIL_TRACE));
  LITERT_RETURN_IF_ERROR(loaded.Run(inputs));
  LITERT_RETURN_IF_ERROR(loaded.invocation().StopMetrics());
  return {};
}

}  // namespace

CheckAnswer metrics(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    const LiteRtDispatchInterface& table = device->functions();
    LITERT_ASSIGN_OR_RETURN(
        const bool has_metrics,
        Witness::Get().Observe<bool>(
            "metrics functions", [&]() -> litert::Expected<bool> { return HasMetrics(table); }));
    if (!has_metrics) return CheckReport::Skip("the library has no metrics");
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    const LiteRtDispatchInvocationContext context = loaded->invocation().context();
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    CheckReport report = CheckReport::Pass();
    std::vector<std::string> below;
    for (const int level : {NPUKIT_METRICS_DETAIL_TOTALS, NPUKIT_METRICS_DETAIL_PER_OP,
                            NPUKIT_METRICS_DETAIL_TRACE}) {
      const LiteRtStatus status =
          VendorCall("start_metrics_collection", table.start_metrics_collection, context, level);
      if (status == kLiteRtStatusErrorUnsupported && level == NPUKIT_METRICS_DETAIL_TOTALS)
        return CheckReport::Skip("metrics are unsupported");
      NPUKIT_CHECK_THAT(
          status == kLiteRtStatusOk,
          fmt::format("start_metrics_collection({}) gave {}", level, StatusText(status)));
      LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
      LITERT_ASSIGN_OR_RETURN(const ObservedMetrics observed,
                              Witness::Get().Observe<ObservedMetrics>(
                                  "metrics", [&] { return ReadMetrics(table, context); }));
      const std::string problem = NameProblem(observed, below);
      NPUKIT_CHECK_THAT(problem.empty(), fmt::format("detail level {}: {}", level, problem));
      below = observed.names;
      if (level > NPUKIT_METRICS_DETAIL_TOTALS) continue;
      for (const uint64_t cycles : observed.cycles)
        report.numbers.emplace_back("cycles", static_cast<double>(cycles));
    }
    LITERT_ASSIGN_OR_RETURN(const std::string problem, SumProblem(*loaded, inputs));
    NPUKIT_CHECK_THAT(problem.empty(), problem);
    LITERT_ASSIGN_OR_RETURN(const std::string leak,
                            FindLeak(kLeakCycles, [&] { return RunWithTrace(*loaded, inputs); }));
    NPUKIT_CHECK_THAT(leak.empty(), "measuring with a trace: " + leak);
    return report;
  });
}

}  // namespace npukit::conformance::checks::dispatch

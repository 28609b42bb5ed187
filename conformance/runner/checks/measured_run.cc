// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/measured_run.h"

#include <bit>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"

namespace npukit::conformance {
namespace {

// FNV-1a: tells changes, not attacks.
class Digest {
 public:
  void Add(std::string_view bytes) {
    for (const char byte : bytes) state_ = (state_ ^ static_cast<uint8_t>(byte)) * kPrime;
    // So that two texts in a row are not taken for others that are cut elsewhere.
    Add(uint64_t{bytes.size()});
  }
  void Add(uint64_t number) {
    for (int i = 0; i < 8; ++i) state_ = (state_ ^ ((number >> 8 * i) & 0xff)) * kPrime;
  }
  void Add(const DispatchMetrics::Value& value) {
    Add(uint64_t{value.index()});
    if (const auto* text = std::get_if<std::string>(&value)) Add(std::string_view(*text));
    if (const auto* whole = std::get_if<int64_t>(&value)) Add(static_cast<uint64_t>(*whole));
    if (const auto* real = std::get_if<double>(&value)) Add(std::bit_cast<uint64_t>(*real));
    if (const auto* truth = std::get_if<bool>(&value)) Add(uint64_t{*truth});
  }
  // To 32 bits, which the doubles of a result's numbers hold exactly.
  uint32_t Fold() const { return static_cast<uint32_t>(state_ ^ (state_ >> 32)); }

 private:
  static constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t state_ = 0xcbf29ce484222325;
};

// Of all partitions together.
void AddMetrics(const std::vector<DispatchMetrics>& metrics, RunCosts& costs) {
  const std::pair<std::string_view, uint64_t*> quantities[] = {
      {NPUKIT_METRIC_CYCLES, &costs.cycles},
      {NPUKIT_METRIC_ENERGY_PJ, &costs.energy_pj},
      {NPUKIT_METRIC_BYTES_READ, &costs.bytes_read},
      {NPUKIT_METRIC_BYTES_WRITTEN, &costs.bytes_written}};
  Digest others;
  bool has_others = false;
  for (const DispatchMetrics& partition : metrics) {
    for (const DispatchMetrics::Metric& metric : partition.all()) {
      bool is_quantity = false;
      for (const auto& [name, sum] : quantities) {
        if (metric.name != name) continue;
        is_quantity = true;
        *sum += partition.Count(name).value_or(0);
      }
      if (is_quantity) continue;
      has_others = true;
      others.Add(std::string_view(metric.name));
      others.Add(metric.value);
    }
  }
  if (has_others) costs.other_metrics = others.Fold();
}

uint64_t ModuleBytes(const Model& model) {
  uint64_t sum_bytes = 0;
  std::set<const uint8_t*> met;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (!op->is_dispatch()) continue;
      const auto bytes = model.buffers().Get(op->dispatch->bytecode).bytes;
      if (met.insert(bytes.data()).second) sum_bytes += bytes.size();
    }
  }
  return sum_bytes;
}

}  // namespace

litert::Expected<RunCosts> MeasureRun(const Session& session, SignatureRunner& runner,
                                      int detail_level,
                                      const std::function<litert::Expected<void>()>& run) {
  RunCosts costs;
  costs.module_bytes = ModuleBytes(session.model());
  const bool is_measured = runner.StartMetrics(detail_level).HasValue();
  LITERT_RETURN_IF_ERROR(run());
  if (!is_measured) return costs;
  const auto metrics = runner.StopMetrics();
  if (metrics) AddMetrics(*metrics, costs);
  return costs;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/run_costs.h"

#include <algorithm>
#include <cstddef>

namespace npukit::conformance {

void RunCosts::Add(const RunCosts& other) {
  constexpr uint64_t kOdd = 0x9e3779b1;  // so that the order of signatures tells
  cycles += other.cycles;
  energy_pj += other.energy_pj;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  module_bytes = std::max(module_bytes, other.module_bytes);
  other_metrics = static_cast<uint32_t>(other_metrics * kOdd + other.other_metrics);
}

std::vector<std::pair<std::string, double>> RunCosts::Numbers() const {
  std::vector<std::pair<std::string, double>> numbers;
  auto add = [&numbers, at = size_t{0}](uint64_t value) mutable {
    const std::string_view name = kRunCostNames[at++];
    if (value != 0) numbers.emplace_back(name, static_cast<double>(value));
  };
  std::apply([&](const auto&... values) { (add(values), ...); }, Fields(*this));
  return numbers;
}

}  // namespace npukit::conformance

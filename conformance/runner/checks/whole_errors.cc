// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/whole_errors.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "conformance/runner/checks/host_run.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr size_t kSets = 6;        // as many as TOSA's conformance has
constexpr size_t kFirstSet = 200;  // beyond the patterns all sets are random
constexpr double kTimes = 4;       // in the root of the mean square
constexpr double kRoundings = 4;   // of the result itself, beside errors that happen to be 0
constexpr double kRoundingUnit = 0x1p-24;

struct Sums {
  double whole = 0;   // squares of differences from by_ops
  double cpu = 0;     // the same of the CPU's values
  double values = 0;  // squares of by_ops
};

std::vector<float> FloatsOf(const std::vector<uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

// Adds one output of one run. Says where it is not a number; else empty.
std::string AddRun(const std::vector<uint8_t>& whole, const std::vector<uint8_t>& by_ops,
                   const std::vector<uint8_t>& cpu, Sums& sums) {
  const std::vector<float> a = FloatsOf(whole);
  const std::vector<float> b = FloatsOf(by_ops);
  const std::vector<float> c = FloatsOf(cpu);
  if (a.size() != b.size() || a.size() != c.size()) return "it has another size";
  for (size_t i = 0; i < a.size(); ++i) {
    const double wanted = b[i];
    const double from_whole = a[i] - wanted;
    const double from_cpu = c[i] - wanted;
    if (!std::isfinite(from_whole) && std::isfinite(wanted))
      return fmt::format("elem {} is {}, op by op it is {}", i, a[i], b[i]);
    if (!std::isfinite(from_whole) || !std::isfinite(from_cpu)) continue;
    sums.whole += from_whole * from_whole;
    sums.cpu += from_cpu * from_cpu;
    sums.values += wanted * wanted;
  }
  return {};
}

// Without a plugin.
litert::Expected<std::unique_ptr<Session>> OnCpu(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*model));
  return Session::Create(std::move(copy), {});
}

}  // namespace

litert::Expected<std::string> WholeErrors(Workbench& bench, const std::string& key,
                                          ObservedSession& whole, ObservedSession& by_ops) {
  LITERT_ASSIGN_OR_RETURN(const auto session, OnCpu(bench));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * cpu, session->Runner(key));
  const size_t count = cpu->outputs().size();
  std::vector<Sums> sums(count);
  for (size_t set = 0; set < kSets; ++set) {
    LITERT_ASSIGN_OR_RETURN(const ObservedRun of_whole, whole.RunWhole(key, kFirstSet + set));
    LITERT_ASSIGN_OR_RETURN(const ObservedRun of_ops, by_ops.RunWhole(key, kFirstSet + set));
    LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *cpu, kFirstSet + set));
    const OutputSet& have = of_whole.outputs;
    const OutputSet& want = of_ops.outputs;
    const OutputSet same = Outputs(*cpu);
    if (have.size() != count || want.size() != count) return std::string("outputs are missing");
    for (size_t i = 0; i < count; ++i) {
      if (cpu->outputs()[i].element_type != kLiteRtElementTypeFloat32) continue;
      const std::string problem = AddRun(have[i], want[i], same[i], sums[i]);
      if (!problem.empty()) return fmt::format("output {} of the whole: {}", i, problem);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const double rounding = kRoundings * kRoundingUnit;
    const double most = kTimes * kTimes * sums[i].cpu + rounding * rounding * sums[i].values;
    if (sums[i].whole <= most) continue;
    return fmt::format(
        "output {} of the whole errs too much: its distance from what the ops give one by one is "
        "{:.3g}, the CPU's {:.3g}, both as parts of the values",
        i, std::sqrt(sums[i].whole / sums[i].values), std::sqrt(sums[i].cpu / sums[i].values));
  }
  return std::string();
}

}  // namespace npukit::conformance

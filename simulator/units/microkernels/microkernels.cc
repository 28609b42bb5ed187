// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/microkernels/microkernels.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace acme {

// Defined in microkernels_baseline.cc, microkernels_avx2.cc,
// microkernels_avx512.cc.
extern const Microkernels kBaselineKernels;
extern const Microkernels kAvx2Kernels;
extern const Microkernels kAvx512Kernels;

namespace {

std::vector<const Microkernels*> FindAvailable() {
  std::vector<const Microkernels*> all = {&kBaselineKernels};
#if defined(__x86_64__)
  // FMA since that source is compiled for it; -ffp-contract=off keeps products and sums apart.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back(&kAvx2Kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vnni")) {
      all.push_back(&kAvx512Kernels);
    }
  }
#endif
  return all;
}

const std::vector<const Microkernels*>& Available() {
  static const std::vector<const Microkernels*> all = FindAvailable();
  return all;
}

// The best of this processor, at most what NPUKIT_CPU_ISA names (as for the host's kernels; the
// 512-bit kernels here need VNNI, so both of its 512-bit names mean them).
const Microkernels* Default() {
  const char* limit = std::getenv("NPUKIT_CPU_ISA");
  if (limit == nullptr) return Available().back();
  static constexpr std::string_view kLevels[] = {"baseline", "avx2", "avx512"};
  for (size_t level = 0; level < std::size(kLevels); ++level) {
    if (kLevels[level] == limit) return Available()[std::min(level, Available().size() - 1)];
  }
  return Available().back();
}

}  // namespace

namespace internal {

std::atomic<const Microkernels*> g_selected = nullptr;

const Microkernels& SelectDefaultKernels() {
  const Microkernels* unset = nullptr;
  const Microkernels* kernels = Default();
  // Another thread comes to the same result, unless SelectMicrokernels() was first.
  return g_selected.compare_exchange_strong(unset, kernels, std::memory_order_relaxed) ? *kernels
                                                                                       : *unset;
}

}  // namespace internal

std::span<const Microkernels* const> AvailableMicrokernels() { return Available(); }

bool SelectMicrokernels(std::string_view name) {
  for (const Microkernels* kernels : Available()) {
    if (kernels->name == name || (name == "best" && kernels == Available().back())) {
      internal::g_selected.store(kernels, std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/kernels.h"

#include <atomic>
#include <vector>

namespace acme {

// Defined in kernels_baseline.cc, kernels_avx2.cc, kernels_avx512.cc.
extern const Kernels kBaselineKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;

namespace {

std::vector<const Kernels*> FindAvailable() {
  std::vector<const Kernels*> all = {&kBaselineKernels};
#if defined(__x86_64__)
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

const std::vector<const Kernels*>& Available() {
  static const std::vector<const Kernels*> all = FindAvailable();
  return all;
}

std::atomic<const Kernels*>& Selected() {
  static std::atomic<const Kernels*> selected = Available().back();
  return selected;
}

}  // namespace

const Kernels& BestKernels() { return *Selected().load(std::memory_order_relaxed); }

std::span<const Kernels* const> AvailableKernels() { return Available(); }

bool SelectKernels(std::string_view name) {
  for (const Kernels* kernels : Available()) {
    if (kernels->name == name || (name == "best" && kernels == Available().back())) {
      Selected().store(kernels, std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

}  // namespace acme

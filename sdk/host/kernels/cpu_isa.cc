// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/cpu_isa.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace npukit::kernels {
namespace {

CpuIsa MachineIsa() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return CpuIsa::kBaseline;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
    return CpuIsa::kAvx2;
  }
  return __builtin_cpu_supports("avx512vnni") ? CpuIsa::kAvx512Vnni : CpuIsa::kAvx512;
#else
  return CpuIsa::kBaseline;
#endif
}

}  // namespace

const char* CpuIsaName(CpuIsa isa) {
  switch (isa) {
    case CpuIsa::kBaseline:
      return "baseline";
    case CpuIsa::kAvx2:
      return "avx2";
    case CpuIsa::kAvx512:
      return "avx512";
    case CpuIsa::kAvx512Vnni:
      return "avx512vnni";
  }
  return "unknown";
}

CpuIsa DetectCpuIsa() {
  static const CpuIsa detected = [] {
    const CpuIsa machine = MachineIsa();
    const char* limit = std::getenv("NPUKIT_CPU_ISA");
    if (limit == nullptr) return machine;
    for (CpuIsa isa : {CpuIsa::kBaseline, CpuIsa::kAvx2, CpuIsa::kAvx512, CpuIsa::kAvx512Vnni}) {
      if (std::strcmp(limit, CpuIsaName(isa)) == 0) return std::min(isa, machine);
    }
    return machine;
  }();
  return detected;
}

}  // namespace npukit::kernels

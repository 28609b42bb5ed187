// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/hot/hot_kernels.h"

namespace npukit::kernels {

extern const HotKernels kHotKernelsBaseline;
#if defined(NPUKIT_HOT_X86)
extern const HotKernels kHotKernelsAvx2;
extern const HotKernels kHotKernelsAvx512;
extern const HotKernels kHotKernelsAvx512Vnni;
#endif

const HotKernels& HotKernelsFor(CpuIsa isa) {
#if defined(NPUKIT_HOT_X86)
  switch (isa) {
    case CpuIsa::kAvx512Vnni:
      return kHotKernelsAvx512Vnni;
    case CpuIsa::kAvx512:
      return kHotKernelsAvx512;
    case CpuIsa::kAvx2:
      return kHotKernelsAvx2;
    case CpuIsa::kBaseline:
      break;
  }
#else
  static_cast<void>(isa);
#endif
  return kHotKernelsBaseline;
}

}  // namespace npukit::kernels

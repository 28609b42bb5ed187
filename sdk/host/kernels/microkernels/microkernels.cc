// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {

extern const Microkernels kMicrokernelsBaseline;
#if defined(NPUKIT_MICROKERNELS_X86)
extern const Microkernels kMicrokernelsAvx2;
extern const Microkernels kMicrokernelsAvx512;
extern const Microkernels kMicrokernelsAvx512Vnni;
#endif

const Microkernels& MicrokernelsFor(CpuIsa isa) {
#if defined(NPUKIT_MICROKERNELS_X86)
  switch (isa) {
    case CpuIsa::kAvx512Vnni:
      return kMicrokernelsAvx512Vnni;
    case CpuIsa::kAvx512:
      return kMicrokernelsAvx512;
    case CpuIsa::kAvx2:
      return kMicrokernelsAvx2;
    case CpuIsa::kBaseline:
      break;
  }
#else
  static_cast<void>(isa);
#endif
  return kMicrokernelsBaseline;
}

}  // namespace npukit::kernels

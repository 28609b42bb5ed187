// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fabrikam: knows ADD. The same source makes files and is linked into tests.

#include "sdk/tests/linked/binary_vendor.h"

namespace fabrikam {

struct Traits {
  static constexpr const char* kName = "Fabrikam";
  static constexpr LiteRtOpCode kOp = kLiteRtOpCodeTflAdd;
  static constexpr auto kActivation = LiteRtGetAddFusedActivationOption;
  static float Apply(float a, float b) { return a + b; }
};
using FabrikamPlugin = linked_vendors::BinaryPlugin<Traits>;
using FabrikamDevice = linked_vendors::BinaryDevice<Traits>;

}  // namespace fabrikam

NPUKIT_EXPORT_COMPILER_PLUGIN(fabrikam::FabrikamPlugin);
NPUKIT_EXPORT_DISPATCH(fabrikam::FabrikamDevice);

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Contoso: knows MUL. The same source makes files and is linked into tests.

#include "sdk/tests/linked/binary_vendor.h"

namespace contoso {

struct Traits {
  static constexpr const char* kName = "Contoso";
  static constexpr LiteRtOpCode kOp = kLiteRtOpCodeTflMul;
  static constexpr auto kActivation = LiteRtGetMulFusedActivationOption;
  static float Apply(float a, float b) { return a * b; }
};
using ContosoPlugin = linked_vendors::BinaryPlugin<Traits>;
using ContosoDevice = linked_vendors::BinaryDevice<Traits>;

}  // namespace contoso

NPUKIT_EXPORT_COMPILER_PLUGIN(contoso::ContosoPlugin);
NPUKIT_EXPORT_DISPATCH(contoso::ContosoDevice);

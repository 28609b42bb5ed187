// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The CPU's side of an operator that AcmeCorp's compiler takes by its custom code:
//   y = max(a * b, 0), float32, equal shapes

#include <algorithm>

#include "npukit/customized_op.h"

namespace {

class MulRelu : public npukit::CustomizedOp {
  litert::Expected<void> Trace(Inputs inputs, Inputs outputs) override {
    if (inputs.size() != 2 || outputs.size() != 1)
      return Invalid("expected two inputs, one output");
    for (const NpukitOpTensor& tensor : inputs) {
      if (tensor.element_type != kLiteRtElementTypeFloat32) return Unsupported("expected float32");
    }
    return {};
  }
  litert::Expected<void> Reshape(Inputs inputs, Outputs outputs) override {
    if (inputs[0].rank != inputs[1].rank ||
        !std::equal(inputs[0].dims, inputs[0].dims + inputs[0].rank, inputs[1].dims))
      return Invalid("expected equal shapes");
    CopyShape(inputs[0], outputs[0]);
    return {};
  }
  litert::Expected<void> Forward(Inputs inputs, Inputs outputs, void*) override {
    const auto a = npukit::Values<float>(inputs[0]);
    const auto b = npukit::Values<float>(inputs[1]);
    const auto y = npukit::Values<float>(outputs[0]);
    for (size_t i = 0; i < y.size(); ++i) y[i] = std::max(a[i] * b[i], 0.0f);
    return {};
  }
};

}  // namespace

NPUKIT_OP_PACKAGE_BEGIN("acme.ops", kNpukitOpDeviceCpu)
NPUKIT_OP_PACKAGE_OPERATOR("acme.mul_relu", MulRelu)
NPUKIT_OP_PACKAGE_END()

// An operator for the host: y = sqrt(x), elementwise, float32. Models name it by the custom code
// "@name@.square_root".

#include <cmath>

#include "npukit/customized_op.h"

namespace @name@ {

class SquareRoot : public npukit::CustomizedOp {
  // The model's types: refuse here what Forward can't do.
  litert::Expected<void> Trace(Inputs inputs, Inputs outputs) override {
    if (inputs.size() != 1 || outputs.size() != 1) return Invalid("expected one input, one output");
    if (inputs[0].element_type != kLiteRtElementTypeFloat32) return Unsupported("expected float32");
    return {};
  }

  // The outputs' shapes, from the inputs'.
  litert::Expected<void> Reshape(Inputs inputs, Outputs outputs) override {
    CopyShape(inputs[0], outputs[0]);
    return {};
  }

  litert::Expected<void> Forward(Inputs inputs, Inputs outputs, void*) override {
    const auto x = npukit::Values<float>(inputs[0]);
    const auto y = npukit::Values<float>(outputs[0]);
    for (size_t i = 0; i < y.size(); ++i) y[i] = std::sqrt(x[i]);
    return {};
  }
};

}  // namespace @name@

NPUKIT_OP_PACKAGE_BEGIN("@name@.ops", kNpukitOpDeviceCpu)
NPUKIT_OP_PACKAGE_OPERATOR("@name@.square_root", @name@::SquareRoot)
NPUKIT_OP_PACKAGE_END()

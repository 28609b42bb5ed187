// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

// T is unsigned for integers, so that sums wrap.
template <typename T>
class AddNKernel final : public Kernel {
 public:
  explicit AddNKernel(int64_t elems) : elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i) {
      T sum = DataOf<T>(context.inputs[0])[i];
      for (size_t input = 1; input < context.inputs.size(); ++input)
        sum = range_(sum + DataOf<T>(context.inputs[input])[i]);
      out[i] = sum;
    }
    return {};
  }

 private:
  int64_t elems_;
  // Of each sum, as in ADD: infinities become the largest floats.
  PlainRange<T> range_{FloatRange{}};
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const int64_t elems = node.outputs[0]->elems();
  if (node.outputs[0]->type() == kLiteRtElementTypeInt32)
    return std::unique_ptr<Kernel>(std::make_unique<AddNKernel<uint32_t>>(elems));
  return std::unique_ptr<Kernel>(std::make_unique<AddNKernel<float>>(elems));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    BoundedSum sum;
    for (const OracleTensor* input : inputs) sum.Add(At(*input, i));
    Put(outputs[0], i, inputs.size() == 1 ? sum.Result(0) : ClampTo(FloatRange{}, sum.Result(0)));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(AddN) = {
    .doc = {.formula = "the sum of all inputs, of one shape", .source = "TFLite ADD_N"},
    .signature = "T+ -> T; T = float32|int32",
    .infer = InferOneShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

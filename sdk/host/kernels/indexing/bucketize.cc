// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/integer_doubt.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const auto* options = node.op->OptionsAs<BucketizeOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  if (!std::is_sorted(options->boundaries.begin(), options->boundaries.end()))
    return InvalidNode(node, "has boundaries that are not sorted");
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

template <typename T>
class BucketizeKernel final : public Kernel {
 public:
  explicit BucketizeKernel(std::vector<float> boundaries) : boundaries_(std::move(boundaries)) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    int32_t* out = DataOf<int32_t>(context.outputs[0]);
    const size_t count = context.outputs[0].size() / sizeof(int32_t);
    // int32 and int64 are compared as float32, as TFLite does.
    for (size_t i = 0; i < count; ++i) {
      out[i] = static_cast<int32_t>(
          std::upper_bound(boundaries_.begin(), boundaries_.end(), in[i]) - boundaries_.begin());
    }
    return {};
  }

 private:
  std::vector<float> boundaries_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const std::vector<float>& boundaries = node.op->OptionsAs<BucketizeOptions>()->boundaries;
  return WithElementType<float, int32_t, int64_t, double>(
      node.inputs[0]->type(), [&]<typename T>(T /*type*/) {
        return litert::Expected<std::unique_ptr<Kernel>>(
            std::make_unique<BucketizeKernel<T>>(boundaries));
      });
}

// A value whose interval meets a boundary may lie in either bucket.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const OracleTensor& in = *inputs[0];
  if (!in.is_float()) return OracleByKernel(node, inputs, outputs);
  const std::vector<float>& boundaries = node.op->OptionsAs<BucketizeOptions>()->boundaries;
  auto bucket = [&](double value) {
    return static_cast<double>(std::upper_bound(boundaries.begin(), boundaries.end(), value) -
                               boundaries.begin());
  };
  auto rises = [](double low, double high) { return low <= high; };  // not for NaN
  auto* out = DataOf<int32_t>(std::span<uint8_t>(outputs[0].bytes));
  outputs[0].bounds.assign(in.values.size(), 0.0);
  for (size_t i = 0; i < in.values.size(); ++i) {
    out[i] = static_cast<int32_t>(bucket(in.values[i]));
    outputs[0].bounds[i] = IntegerDoubt(bucket, rises, {in.values[i], in.bounds[i]}, 0,
                                        static_cast<double>(boundaries.size()));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Bucketize) = {
    .doc = {.formula = "how many of the boundaries are not above the element",
            .source = "TFLite BUCKETIZE"},
    .signature = "float32|int32|int64|float64 -> int32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

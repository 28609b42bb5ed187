// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Scales and zero points along the quantised dimension; one of each if per tensor.
struct Scales {
  std::vector<double> scale;
  std::vector<int32_t> zero_point;
  int64_t inner = 1;  // elements that share one

  float operator()(int32_t stored, int64_t elem) const {
    const size_t channel = scale.size() == 1 ? 0 : elem / inner % scale.size();
    return static_cast<float>(scale[channel] * (stored - zero_point[channel]));
  }
};

litert::Expected<Scales> ScalesOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Quantization& quantization = in.quantization();
  if (!quantization.is_per_channel()) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, in));
    return Scales{.scale = {params.scale}, .zero_point = {params.zero_point}};
  }
  LITERT_RETURN_IF_ERROR(CheckChannelParams(node, in));
  const int32_t dimension = quantization.quantized_dimension;
  Scales scales{.inner = std::max<int64_t>(1, ElemsOf(in.shape, dimension + 1, in.shape.size()))};
  for (size_t c = 0; c < quantization.scale.size(); ++c) {
    scales.scale.push_back(quantization.scale[c]);
    scales.zero_point.push_back(static_cast<int32_t>(quantization.ZeroPointOf(c)));
  }
  return scales;
}

int32_t StoredAt(LiteRtElementType type, const uint8_t* bytes, int64_t elem) {
  if (IsPacked(type)) return PackedAt(type, {bytes, static_cast<size_t>(elem) + 1}, elem);
  switch (type) {
    case kLiteRtElementTypeInt8:
      return static_cast<int8_t>(bytes[elem]);
    case kLiteRtElementTypeUInt8:
      return bytes[elem];
    default: {
      int16_t value;
      std::memcpy(&value, bytes + elem * 2, sizeof(value));
      return value;
    }
  }
}

class DequantizeKernel final : public Kernel {
 public:
  DequantizeKernel(LiteRtElementType type, Scales scales, int64_t elems)
      : type_(type), scales_(std::move(scales)), elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i)
      out[i] = scales_(StoredAt(type_, context.inputs[0].data(), i), i);
    return {};
  }

 private:
  LiteRtElementType type_;
  Scales scales_;
  int64_t elems_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.inputs[0]->type();
  if (type == kLiteRtElementTypeFloat16) return MakeUnary<uint16_t, float>(node, HalfToFloat);
  if (type == kLiteRtElementTypeBFloat16) return MakeUnary<uint16_t, float>(node, BFloat16ToFloat);
  LITERT_ASSIGN_OR_RETURN(Scales scales, ScalesOf(node));
  auto per_tensor = [&]<typename T>(T /*type*/) {
    return MakeUnary<T, float>(
        node, [scale = scales.scale[0], zero_point = scales.zero_point[0]](T stored) {
          return static_cast<float>(scale * (stored - zero_point));
        });
  };
  if (scales.scale.size() == 1 && type == kLiteRtElementTypeInt8) return per_tensor(int8_t{});
  if (scales.scale.size() == 1 && type == kLiteRtElementTypeUInt8) return per_tensor(uint8_t{});
  if (scales.scale.size() == 1 && type == kLiteRtElementTypeInt16) return per_tensor(int16_t{});
  return std::unique_ptr<Kernel>(
      std::make_unique<DequantizeKernel>(type, std::move(scales), node.outputs[0]->elems()));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const OracleTensor& in = *inputs[0];
  if (in.is_float()) {  // 16-bit floats: exact
    outputs[0].values = in.values;
    outputs[0].bounds = in.bounds;
    return {};
  }
  LITERT_ASSIGN_OR_RETURN(const Scales scales, ScalesOf(node));
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const size_t channel = scales.scale.size() == 1 ? 0 : i / scales.inner % scales.scale.size();
    const double steps = StoredAt(in.type, in.bytes.data(), i) - scales.zero_point[channel];
    const double doubt = in.bounds.empty() ? 0 : in.bounds[i];
    Put(outputs[0], i, Round32(scales.scale[channel] * steps, scales.scale[channel] * doubt));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Dequantize) = {
    .doc = {.formula = "scale (x - zp), rounded once to float32; 16-bit floats widened",
            .source = "TFLite DEQUANTIZE, reference kernels"},
    .signature = "int2|int4|uint4|int8|uint8|int16|float16|bfloat16 -> float32",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// NumericVerify, a custom operator that TFLite brings and its quantiser puts into models that it
// debugs.

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 quantised numbers, 1 what they should be worth.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (node.inputs[1]->elems() != in.elems())
    return InvalidNode(node, node.inputs[1], "must have as many elements as " + OperandName(&in));
  return Inferred{.shapes = {in.shape}};
}

struct Verification {
  LiteRtElementType type = kLiteRtElementTypeNone;
  AffineParams params{.scale = 1, .zero_point = 0};
  float most = -1;  // that they may differ; negative: anything

  float ValueAt(std::span<const uint8_t> bytes, int64_t i) const {
    switch (type) {
      case kLiteRtElementTypeFloat16:
        return DataOf<Float16>(bytes)[i];
      case kLiteRtElementTypeInt8:
        return Dequantized(DataOf<int8_t>(bytes)[i]);
      case kLiteRtElementTypeUInt8:
        return Dequantized(bytes[static_cast<size_t>(i)]);
      default:
        return Dequantized(DataOf<int16_t>(bytes)[i]);
    }
  }

 private:
  float Dequantized(int32_t stored) const {
    return static_cast<float>(static_cast<double>(params.scale) * (stored - params.zero_point));
  }
};

litert::Expected<Verification> VerificationOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const flexbuffers::Map map = buffer->root().AsMap();
  const float tolerance = map["tolerance"].AsFloat();
  Verification verification{.type = node.inputs[0]->type()};
  if (verification.type != kLiteRtElementTypeFloat16) {
    LITERT_ASSIGN_OR_RETURN(verification.params, PerTensorParams(node, *node.inputs[0]));
  }
  if (map["log_if_failed"].AsBool() && tolerance >= 0.1f)
    verification.most = tolerance * verification.params.scale;
  return verification;
}

class VerifyKernel final : public Kernel {
 public:
  VerifyKernel(const Node& node, const Verification& verification)
      : verification_(verification),
        elems_(node.inputs[0]->elems()),
        name_(fmt::format("{}: {}", NodeName(node), OperandName(node.inputs[0]))) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* expected = DataOf<float>(context.inputs[1]);
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i) {
      const float value = verification_.ValueAt(context.inputs[0], i);
      out[i] = value - expected[i];
      if (verification_.most < 0 || !(std::fabs(out[i]) > verification_.most)) continue;
      return litert::Unexpected(
          kLiteRtStatusErrorRuntimeFailure,
          fmt::format("{} is worth {} at element {}, expected {} to within {}", name_, value, i,
                      expected[i], verification_.most));
    }
    return {};
  }

 private:
  Verification verification_;
  int64_t elems_;
  std::string name_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Verification verification, VerificationOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<VerifyKernel>(node, verification));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByFloatKernel(node, inputs, outputs, FunctionUlps::kRounded);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(NumericVerify) = {
    .doc = {.formula = "what quantised numbers are worth less what they should be; too large a "
                       "difference is an error if the options say so",
            .source = "TFLite NumericVerify"},
    .signature = "int8|uint8|int16|float16, float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

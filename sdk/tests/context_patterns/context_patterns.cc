// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pattern functions as vendors of LiteRT's main write them: the table comes first, and matchers,
// builder and options of litert/compiler/cc ask through it.

#include <cstdint>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/litert_macros.h"
#include "litert/compiler/cc/litert_builder.h"
#include "litert/compiler/cc/litert_matchers.h"
#include "litert/compiler/cc/litert_model.h"
#include "litert/compiler/cc/litert_op_options.h"

#define CONTEXT_PATTERN extern "C" __attribute__((visibility("default"))) LiteRtStatus

using litert::compiler::Builder;
using litert::compiler::Op;
using litert::compiler::OpInputs;
using litert::compiler::Tensor;

// SUB(ABS(x), c) with a constant c becomes MUL(NEG(x), c'), where c' is a clone of c: SUB's
// activation is MUL's.
CONTEXT_PATTERN SubToMul(const LiteRtCompilerContext* context, LiteRtBuilder handle, LiteRtOp op) {
  using namespace litert::compiler;  // NOLINT(*-build-using-namespace): as patterns are written
  const Builder builder(context, handle);
  const Op root(context, op);
  Op abs;
  Tensor x;
  const auto of_x = m_Op<kLiteRtOpCodeTflAbs>(m_CaptureOrSameAs(&x, m_AllOf(m_Rank(1), m_Any())));
  const auto alone = m_CaptureOrSameAs(&abs, m_AllOf(m_HasOneUse(), m_OutputIndex(0, of_x)));
  const auto is_relu = m_Options<SubOptions>([](const SubOptions& options) {
    return options.fused_activation_function == litert::kActivationFunctionTypeRelu;
  });
  if (!Match(root, m_AllOf(m_Op<kLiteRtOpCodeTflSub>(alone, m_IsConstant()), is_relu)))
    return kLiteRtStatusPatternNoMatch;

  LITERT_ASSIGN_OR_RETURN(const auto options, GetOptionsAs<SubOptions>(context, op));
  LITERT_ASSIGN_OR_RETURN(const Tensor clone, builder.CloneTensor(*root.Input(1)));
  LITERT_ASSIGN_OR_RETURN(
      const Tensor negative,
      builder.CreateOpWithOutputSpec(kLiteRtOpCodeTflNeg, {x}, TensorType<float>({2})));
  const std::vector<Tensor> operands = {negative, clone};
  const Op mul = builder.ReplaceOp(root, kLiteRtOpCodeTflMul, operands);
  if (mul.Get() == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  LITERT_RETURN_IF_ERROR(builder.EraseOp(abs));
  MulOptions mul_options;
  mul_options.fused_activation_function = options.fused_activation_function;
  LITERT_RETURN_IF_ERROR(builder.SetOpOptions(mul, std::move(mul_options)));
  return kLiteRtStatusOk;
}

// ABS(x) becomes ADD(x, {3, 4}), whose constant is new.
CONTEXT_PATTERN AbsToAdd(const LiteRtCompilerContext* context, LiteRtBuilder handle, LiteRtOp op) {
  const Builder builder(context, handle);
  const Op root(context, op);
  if (!litert::compiler::Match(root, litert::compiler::m_OpCode<kLiteRtOpCodeTflAbs>()))
    return kLiteRtStatusPatternNoMatch;
  LITERT_ASSIGN_OR_RETURN(const Tensor constant,
                          builder.BuildTensor(litert::compiler::TensorType<float>({2})));
  const std::vector<float> values = {3, 4};
  LITERT_RETURN_IF_ERROR(builder.BuildWeights<float>(values, constant));
  const Tensor operands[] = {root.Inputs()[0], constant};
  builder.ReplaceOp(root, kLiteRtOpCodeTflAdd, operands);
  return kLiteRtStatusOk;
}

// What the host refuses is an error that the pattern can return; here as another status, which
// says where it came from.
CONTEXT_PATTERN EraseNothing(const LiteRtCompilerContext* context, LiteRtBuilder handle,
                             LiteRtOp op) {
  const Builder builder(context, handle);
  LITERT_ASSIGN_OR_RETURN(const Op copy, builder.BuildOp(Op(context, op), {}, {}));
  if (!builder.EraseOp(copy)) return kLiteRtStatusErrorUnsupported;
  return builder.EraseOp(Op(context, nullptr)) ? kLiteRtStatusOk : kLiteRtStatusCancelled;
}

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// operators.def as data: which types and how many operands each operator takes. The one table that
// legalising checks ops against, whose rows Explain's sentences name, and that the claims equal.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_SUPPORT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "litert/c/litert_op_code.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

// Types that an operator takes together: of its first operand, of its result, and of its second
// operand, if it computes with one.
struct TypeRow {
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  Dtype second = Dtype::kI8;
  bool int4 = false;  // the second is int4, as int8
  bool half = false;  // the first is a constant of float16, which only its reader sees, as float32
  bool operator==(const TypeRow&) const = default;
};

// What the quantisation of operands and result must be.
enum class Scales : uint8_t {
  kOneScale,   // of 8- and 16-bit tensors: one scale, a zero point inside the type
  kOwnScales,  // whatever the operator's function checks; often nothing, as elements are only moved
};

struct OperatorSupport {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  const char* name = "";  // in the .tflite schema
  std::span<const TypeRow> types;
  Scales scales = Scales::kOneScale;
  size_t min_inputs = 1;
  size_t max_inputs = 1;
};

// In operators.def's order.
std::span<const OperatorSupport> AllOperators();

// Null for an operator that the NPU does not have.
const OperatorSupport* FindOperator(LiteRtOpCode code);

// Why an operator that the NPU does not have is left: a sentence (left_out.def).
const char* WhyLeftOut(LiteRtOpCode code);

// Whether the operator takes these types together.
bool TakesTypes(LiteRtOpCode code, const TypeRow& types);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_SUPPORT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// BITWISE_XOR and RIGHT_SHIFT.

#include <functional>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

// By 0 where the number of bits is negative, by all but one where there are more; of signed numbers
// the sign comes in.
struct ShiftRight {
  template <typename T>
  T operator()(T a, T b) const {
    constexpr T kMost = static_cast<T>(sizeof(T) * 8 - 1);
    return static_cast<T>(a >> std::clamp<T>(b, 0, kMost));
  }
};

template <typename Function>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithElementType<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(
      node.outputs[0]->type(),
      [&]<typename T>(T /*type*/) { return MakeBinary<T>(node, Function()); });
}

template <typename Function>
constexpr OperatorParts BitOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "T, T -> T; T = int8|uint8|int16|uint16|int32|uint32",
          .infer = InferBroadcast,
          .prepare = Prepare<Function>,
          .oracle = OracleByKernel,
          .tolerance = kExactResult};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(BitwiseXor) = BitOperator<Xor>({.formula = "bits in which a and b differ",
                                                       .source = "TFLite BITWISE_XOR"});
NPUKIT_DEFINE_OPERATOR(RightShift) = BitOperator<ShiftRight>(
    {.formula = "a / 2^b, rounded down; b cut to the bits of the type less 1",
     .source = "TFLite RIGHT_SHIFT"});

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that move elements without looking at them (RESHAPE, TRANSPOSE,
// GATHER, ...): one kernel for elements of any size serves every type, and the
// oracle too, which moves values and bounds as elements of 8 bytes.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_MOVEMENT_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_MOVEMENT_H_

#include <memory>
#include <span>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// Makes the node's kernel for elements of `elem_bytes`, whatever the tensors'
// types say.
using MovementFactory = litert::Expected<std::unique_ptr<Kernel>> (*)(const Node& node,
                                                                      size_t elem_bytes);

// Bit k: input k holds elements that move, as opposed to indices, axes and
// sizes.
using InputMask = uint64_t;
inline constexpr InputMask kAllInputs = ~InputMask{0};

// Size of an element of the type; an error for types that are not whole bytes.
litert::Expected<size_t> ElemBytes(const Node& node, const Operand& operand);

// OperatorParts::prepare for a movement of output 0's type.
litert::Expected<std::unique_ptr<Kernel>> PrepareMovement(const Node& node,
                                                          MovementFactory factory);

// OperatorParts::oracle: exact, bounds move with their values. Uncertain
// indices are an error.
litert::Expected<void> OracleByMoving(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs, MovementFactory factory,
                                      InputMask moving_inputs);

// The same as members of OperatorParts.
template <MovementFactory kFactory>
litert::Expected<std::unique_ptr<Kernel>> PrepareMovement(const Node& node,
                                                          const PrepareOptions& /*options*/) {
  return PrepareMovement(node, kFactory);
}
template <MovementFactory kFactory, InputMask kMovingInputs>
litert::Expected<void> OracleByMoving(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, kFactory, kMovingInputs);
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_MOVEMENT_H_

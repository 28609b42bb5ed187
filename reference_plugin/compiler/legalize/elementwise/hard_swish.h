// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// HARD_SWISH of 8-bit numbers in 16-bit fixed point, as TFLite's reference kernel has it
// (tflite/kernels/internal/reference/hard_swish.h).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_HARD_SWISH_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_HARD_SWISH_H_

#include <cstdint>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/arithmetic/tables.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// stored value -> stored value, not yet clamped to the type: x relu6(x + 3) / 6.
struct ByteHardSwish {
  int32_t zero_in = 0;
  int32_t zero_out = 0;
  FixedPoint out;   // operand's scale, with 7 more bits, to the result's
  FixedPoint gate;  // the same to a scale on which 32768 is 3

  int32_t operator()(int32_t stored) const;
};

Expected<ByteHardSwish> HardSwishOf(const Affine& in, const Affine& out);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_HARD_SWISH_H_

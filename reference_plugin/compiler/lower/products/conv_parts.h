// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator that several convolutions compute, each a part of the result: TRANSPOSE_CONV (what
// lies between the image's pixels), CONV_2D of several groups (the channels of some groups).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_PARTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"

namespace acme::compiler {

struct ConvParts : LayerOp {
  std::string name;         // of the operator, for Print
  std::vector<Conv> parts;  // of one image; together they write all of the result
  // The operator's own kernels and bias; the parts have constants that are made of them.
  ValueId w = kNoValue;
  ValueId bias = kNoValue;
  uint64_t macs = 0;  // without what the parts' kernels are filled up with

  std::vector<ValueId> Operands() const override { return {parts[0].x, w, bias}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_PARTS_H_

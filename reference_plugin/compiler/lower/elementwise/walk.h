// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How an elementwise operation walks over operands of any number that are broadcast to its result.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_WALK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_WALK_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/network/layer_op.h"

namespace acme::compiler {

// A dimension of the result and the operands' element strides in it, 0 where one is broadcast.
struct WalkDimension {
  int32_t extent = 1;
  std::vector<int32_t> stride_elems;  // by operand
  bool operator==(const WalkDimension&) const = default;
};

// Innermost first; dimensions that all operands walk alike are joined.
using Walk = std::vector<WalkDimension>;

// Shapes are outermost first, as tensors have them. Operands must broadcast to the result.
Walk PlanWalk(std::span<const std::vector<int32_t>> operands, const std::vector<int32_t>& result);

std::string ToString(const Walk& walk);

// What is walked over, and where it begins.
struct WalkOperand {
  ValueId value = kNoValue;
  int64_t base_elems = 0;
};

// Images among the operands: those that differ from row to row, which are walked over in the
// outermost dimension.
std::vector<ValueId> ImagesOf(const Walk& walk, std::span<const ValueId> operands);
// Whether rows of an image, so many of so many elements, can be walked over apart.
bool HasRows(const Walk& walk, int32_t rows, int32_t row_elems);
// The walk over some of these rows, of what is held of the images.
Walk RowsOf(Walk walk, const RowRange& rows, int32_t row_elems, std::span<const HeldRows> held,
            std::span<WalkOperand> operands);

// Operands and result of a part that is computed by one instruction.
struct WalkPart {
  Extent4 extent = {1, 1, 1, 1};
  std::vector<ScratchpadBox> operands;
  ScratchpadBox result;
};

// Cuts the walk into parts, brings operands in and results out; `compute` appends the tasks of a part.
template <class Compute>
void LowerWalk(const Walk& walk, std::span<const WalkOperand> operands, ValueId output,
               LoweringContext& context, Compute&& compute);

// -- How ------------------------------------------------------------------------------------------

// The dimensions that an instruction walks, and those around them.
struct WalkBoxes {
  std::vector<OperandLayout> operands;
  OperandLayout result;
  Extent4 extent = {1, 1, 1, 1};
  Extent4 box = {1, 1, 1, 1};
  int64_t outer_walks = 1;
};
WalkBoxes PlanWalkBoxes(const Walk& walk, std::span<const WalkOperand> operands, ValueId output,
                        const LoweringContext& context);
// Moves the layouts to one of the walks of the outer dimensions.
void SetOuterWalk(const Walk& walk, std::span<const WalkOperand> operands, int64_t index,
                  WalkBoxes& boxes);
WalkPart BeginPart(const WalkBoxes& boxes, const Extent4& origin, const Extent4& extent,
                   LoweringContext& context);

template <class Compute>
void LowerWalk(const Walk& walk, std::span<const WalkOperand> operands, ValueId output,
               LoweringContext& context, Compute&& compute) {
  WalkBoxes boxes = PlanWalkBoxes(walk, operands, output, context);
  for (int64_t index = 0; index < boxes.outer_walks; ++index) {
    SetOuterWalk(walk, operands, index, boxes);
    ForEachBox(boxes.extent, boxes.box, [&](const Extent4& origin, const Extent4& extent) {
      const WalkPart part = BeginPart(boxes, origin, extent, context);
      compute(part);
      StoreBox(boxes.result, origin, extent, part.result, context);
    });
  }
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_WALK_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace acme::compiler {
namespace {

// Extent of a shape's dimension, counted from the innermost.
int32_t FromBack(const std::vector<int32_t>& shape, size_t d) {
  return d < shape.size() ? shape[shape.size() - 1 - d] : 1;
}

// Of the outermost dimension, in a row.
int32_t StepsOfRow(const Walk& walk, int32_t row_elems) {
  int32_t inner = 1;
  for (size_t d = 0; d + 1 < walk.size(); ++d) inner *= walk[d].extent;
  return row_elems % inner == 0 ? row_elems / inner : 0;
}

}  // namespace

Walk PlanWalk(std::span<const std::vector<int32_t>> operands, const std::vector<int32_t>& result) {
  Walk walk;
  std::vector<int32_t> elems(operands.size(), 1);  // of the dimensions so far
  std::vector<bool> walked_before(operands.size());
  for (size_t d = 0; d < result.size(); ++d) {
    const int32_t extent = FromBack(result, d);
    if (extent == 1) continue;
    std::vector<bool> walked;
    for (const std::vector<int32_t>& shape : operands) walked.push_back(FromBack(shape, d) != 1);
    if (!walk.empty() && walked == walked_before) {
      walk.back().extent *= extent;
    } else {
      WalkDimension& dimension = walk.emplace_back();
      dimension.extent = extent;
      for (size_t i = 0; i < operands.size(); ++i)
        dimension.stride_elems.push_back(walked[i] ? elems[i] : 0);
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (walked[i]) elems[i] *= extent;
    }
    walked_before = walked;
  }
  return walk;
}

std::string ToString(const Walk& walk) {
  std::string text = "walk";
  for (const WalkDimension& dimension : walk)
    text += fmt::format(" {}({})", dimension.extent, fmt::join(dimension.stride_elems, " "));
  return text;
}

std::vector<ValueId> ImagesOf(const Walk& walk, std::span<const ValueId> operands) {
  std::vector<ValueId> images;
  for (size_t i = 0; i < operands.size() && !walk.empty(); ++i) {
    if (walk.back().stride_elems[i] != 0) images.push_back(operands[i]);
  }
  return images;
}

bool HasRows(const Walk& walk, int32_t rows, int32_t row_elems) {
  if (walk.empty()) return false;
  const int32_t steps = StepsOfRow(walk, row_elems);
  return steps > 0 && walk.back().extent == rows * steps;
}

Walk RowsOf(Walk walk, const RowRange& rows, int32_t row_elems, std::span<const HeldRows> held,
            std::span<WalkOperand> operands) {
  const int64_t steps = StepsOfRow(walk, row_elems);
  WalkDimension& outermost = walk.back();
  outermost.extent = static_cast<int32_t>(rows.size() * steps);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (outermost.stride_elems[i] == 0) continue;
    const HeldRows image = FindRows(operands[i].value, held);
    operands[i].value = image.value;
    operands[i].base_elems += (rows.begin - image.rows.begin) * steps * outermost.stride_elems[i];
  }
  return walk;
}

WalkBoxes PlanWalkBoxes(const Walk& walk, std::span<const WalkOperand> operands, ValueId output,
                        const LoweringContext& context) {
  WalkBoxes boxes;
  int64_t elem_bytes = SizeBytes(context.value(output).dtype);
  for (const WalkOperand& operand : operands) {
    boxes.operands.push_back({operand.value, {}, operand.base_elems});
    elem_bytes += SizeBytes(context.value(operand.value).dtype);
  }
  for (size_t d = 0; d < walk.size(); ++d) {
    if (d >= kVectorRank) {
      boxes.outer_walks *= walk[d].extent;
      continue;
    }
    boxes.extent[d] = walk[d].extent;
    for (size_t i = 0; i < operands.size(); ++i)
      boxes.operands[i].stride_elems[d] = walk[d].stride_elems[i];
  }
  boxes.result = {output, DenseStrides(boxes.extent), 0};
  const auto aligned = static_cast<int64_t>(operands.size() + 1) * 64;
  boxes.box = ChooseBox(
      boxes.extent,
      std::clamp<int64_t>((context.StepBytes() - aligned) / elem_bytes, 1, kOverlapElems));
  return boxes;
}

void SetOuterWalk(const Walk& walk, std::span<const WalkOperand> operands, int64_t index,
                  WalkBoxes& boxes) {
  boxes.result.base_elems = index * BoxElems(boxes.extent);
  for (size_t i = 0; i < operands.size(); ++i)
    boxes.operands[i].base_elems = operands[i].base_elems;
  for (size_t d = kVectorRank; d < walk.size(); ++d) {
    const int64_t at = index % walk[d].extent;
    for (size_t i = 0; i < boxes.operands.size(); ++i)
      boxes.operands[i].base_elems += at * walk[d].stride_elems[i];
    index /= walk[d].extent;
  }
}

WalkPart BeginPart(const WalkBoxes& boxes, const Extent4& origin, const Extent4& extent,
                   LoweringContext& context) {
  int64_t bytes = StepBytesOf(boxes.result, extent, context);
  for (const OperandLayout& operand : boxes.operands)
    bytes += StepBytesOf(operand, extent, context);
  int64_t buffer = context.BeginStep(bytes);
  WalkPart part;
  part.extent = extent;
  for (const OperandLayout& operand : boxes.operands) {
    part.operands.push_back(ReadBox(operand, origin, extent, buffer, context));
    buffer += StepBytesOf(operand, extent, context);
  }
  part.result = ResultBox(boxes.result, origin, extent, buffer, context);
  return part;
}

}  // namespace acme::compiler

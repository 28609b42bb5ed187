// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MIRROR_PAD and REVERSE_V2: elements of a dimension in reverse order, around the operand or in its
// place. Images with mirrored edges are resampled.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/movement/segments.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/resize.h"

namespace acme::compiler {
namespace {

using Segments = std::vector<std::vector<Segment>>;

Expected<void> AddMove(const litert::Op& op, const OneOperand& operands, const Segments& segments,
                       NetworkBuilder& builder) {
  auto move = std::make_shared<Move>();
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  move->pieces = PiecesOf(x, operands.x.value.shape, operands.y.value.shape, segments);
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

// How far inside the edge the mirror stands: 1 where the edge is not repeated.
Expected<int64_t> ReadInset(const litert::Op& op) {
  uint32_t mode = 0;
  if (LiteRtGetMirrorPadModeOption(op.Get(), &mode) != kLiteRtStatusOk)
    return Unsupported("the op has no MirrorPadOptions");
  if (mode > 1) return Unsupported(fmt::format("the mode {} is unknown", mode));
  return mode == 0 ? 1 : 0;
}

// Whether rows and columns alone are padded.
bool IsOfImages(const std::vector<int32_t>& x, const std::vector<int32_t>& y) {
  return x.size() == 4 && x[0] == y[0] && x[3] == y[3];
}

std::vector<ResizeSample> SamplesOf(const std::vector<Segment>& segments, int32_t extent) {
  std::vector<ResizeSample> samples(static_cast<size_t>(extent));
  for (const Segment& segment : segments) {
    for (int64_t i = 0; i < segment.extent; ++i) {
      const auto from = static_cast<int32_t>(segment.from_begin + i * segment.from_step);
      samples[static_cast<size_t>(segment.to_begin + i * segment.to_step)] = {from, from, 0};
    }
  }
  return samples;
}

// As nearest neighbours: rows that can be computed apart. False if a pixel is too large for that.
Expected<bool> AddResampled(const litert::Op& op, const OneOperand& operands,
                            const Segments& segments, const Hardware& hardware,
                            NetworkBuilder& builder) {
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  auto resize = std::make_shared<Resize>();
  const std::optional<Dtype> type = ResampledAs(operands.x.value.dtype);
  if (!type) return false;
  resize->dtype = *type;
  resize->batches = x[0];
  resize->in_h = x[1];
  resize->in_w = x[2];
  resize->channels = x[3];
  resize->rows = SamplesOf(segments[1], y[1]);
  resize->cols = SamplesOf(segments[2], y[2]);
  if (resize->StepBytes({1, 1, 1}) > GuaranteedStepBytes(hardware)) return false;
  ACME_ASSIGN_OR_RETURN(resize->x, builder.AddTensor(op.Inputs()[0]));
  ACME_RETURN_IF_ERROR(builder.AddLayer(op.Outputs()[0], std::move(resize)));
  return true;
}

}  // namespace

Expected<void> LegalizeMirrorPad(const litert::Op& op, const Hardware& hardware,
                                 NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> padding,
                        ReadIntegers(op.Inputs()[1], "the padding"));
  ACME_ASSIGN_OR_RETURN(const int64_t inset, ReadInset(op));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (padding.size() != 2 * x.size() || y.size() != x.size())
    return Unsupported("the padding does not fit the operand's dimensions");
  Segments segments;
  for (size_t d = 0; d < x.size(); ++d) {
    const int64_t before = padding[2 * d];
    const int64_t after = padding[2 * d + 1];
    const int64_t most = x[d] - inset;
    if (before < 0 || before > most || after < 0 || after > most)
      return Unsupported("the padding is larger than what is mirrored");
    if (x[d] + before + after != y[d])
      return Unsupported("the result's shape does not fit the padding");
    segments.push_back({{.extent = before, .from_begin = before - 1 + inset, .from_step = -1},
                        {.extent = x[d], .to_begin = before},
                        {.extent = after,
                         .from_begin = x[d] - 1 - inset,
                         .to_begin = before + x[d],
                         .from_step = -1}});
  }
  if (IsOfImages(x, y)) {
    ACME_ASSIGN_OR_RETURN(const bool added,
                          AddResampled(op, operands, segments, hardware, builder));
    if (added) return {};
  }
  return AddMove(op, operands, segments, builder);
}

Expected<void> LegalizeReverse(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                        ReadIntegers(op.Inputs()[1], "the list of axes"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  if (operands.y.value.shape != x) return Unsupported("operand and result must have one shape");
  Segments segments;
  for (int32_t dim : x) segments.push_back({{.extent = dim}});
  for (int64_t given : axes) {
    ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(given, x.size()));
    Segment& segment = segments[axis][0];
    if (segment.from_step < 0) return Unsupported(fmt::format("the axis {} is named twice", given));
    segment.from_begin = x[axis] - 1;
    segment.from_step = -1;
  }
  return AddMove(op, operands, segments, builder);
}

}  // namespace acme::compiler

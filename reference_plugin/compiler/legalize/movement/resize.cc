// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR to a constant size. Positions are computed here as
// TFLite's reference kernels do: in float32, or in 1024ths for bilinear integers of int8 and int16.
// Bilinear uint8 is blended in float32, too, and what half a step more gives is cut; where the fractions
// are so short that float32 rounds nothing, integers give the same four times as fast.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/resize.h"

namespace acme::compiler {
namespace {

struct Mode {
  bool align_corners = false;
  bool half_pixel_centers = false;
};

// Before the first pixel's centre and behind the last one's, both neighbours are that pixel: the
// fraction is then below 0 or of no meaning, and the weights, 1 less it and it, add up to 1 all the
// same.
std::vector<ResizeSample> RealSamples(int32_t in, int32_t out, Mode mode) {
  const float scale = mode.align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<ResizeSample> samples;
  for (int32_t i = 0; i < out; ++i) {
    const float at = mode.half_pixel_centers ? (static_cast<float>(i) + 0.5f) * scale - 0.5f
                                             : static_cast<float>(i) * scale;
    const auto low = std::clamp(static_cast<int32_t>(std::floor(at)), 0, in - 1);
    const auto high = std::clamp(static_cast<int32_t>(std::ceil(at)), 0, in - 1);
    samples.push_back({low, high, std::bit_cast<int32_t>(at - static_cast<float>(low))});
  }
  return samples;
}

std::vector<ResizeSample> IntegerSamples(int64_t in, int64_t out, Mode mode) {
  const int64_t scale = mode.align_corners && out > 1
                            ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1)
                            : (1024 * in + out / 2) / out;
  std::vector<ResizeSample> samples;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t at = mode.half_pixel_centers ? i * scale + scale / 2 - 512 : i * scale;
    // The quotient is cut towards 0 where `at` is negative, as TFLite has it; both neighbours are
    // the first pixel there.
    const int64_t low = std::clamp<int64_t>(at / 1024, 0, in - 1);
    const int64_t high = std::clamp<int64_t>((at + 1023) / 1024, 0, in - 1);
    samples.push_back({static_cast<int32_t>(low), static_cast<int32_t>(high),
                       static_cast<int32_t>(at - 1024 * low)});
  }
  return samples;
}

constexpr int kFractionBits = 10;  // of an integer sample's

// Binary digits behind the point of all samples' fractions; nothing if one has more than integers hold.
std::optional<int> DigitsOf(const std::vector<ResizeSample>& real) {
  int most = 0;
  for (const ResizeSample& sample : real) {
    auto rest = std::bit_cast<float>(sample.fraction_bits);
    int digits = 0;
    for (; rest != std::floor(rest); rest *= 2) {
      if (++digits > kFractionBits) return std::nullopt;
    }
    most = std::max(most, digits);
  }
  return most;
}

// Whether float32 holds all products of a byte and two weights, which are below 2, and their sums.
bool BlendsExactly(const std::vector<ResizeSample>& rows, const std::vector<ResizeSample>& cols) {
  constexpr int kSignificand = 24;
  constexpr int kBytesAndWeights = 8 + 2;
  const std::optional<int> in_rows = DigitsOf(rows);
  const std::optional<int> in_cols = DigitsOf(cols);
  return in_rows && in_cols && kBytesAndWeights + *in_rows + *in_cols <= kSignificand;
}

void MakeInteger(std::vector<ResizeSample>& samples) {
  for (ResizeSample& sample : samples) {
    const auto fraction = std::bit_cast<float>(sample.fraction_bits);
    sample.fraction_bits = static_cast<int32_t>(std::ldexp(fraction, kFractionBits));
  }
}

std::vector<ResizeSample> NearestSamples(int32_t in, int32_t out, Mode mode) {
  const float scale = mode.align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<ResizeSample> samples;
  for (int32_t i = 0; i < out; ++i) {
    const float at = (static_cast<float>(i) + (mode.half_pixel_centers ? 0.5f : 0.0f)) * scale;
    const auto nearest = static_cast<int32_t>(mode.align_corners ? std::round(at) : std::floor(at));
    const int32_t index = std::clamp(nearest, 0, in - 1);
    samples.push_back({index, index, 0});
  }
  return samples;
}

using BoolOption = LiteRtStatus (*)(LiteRtOp, bool*);
struct ResizeRow {
  LiteRtOpCode code;
  ResizeOp op;
  BoolOption read_align_corners;
  BoolOption read_half_pixel_centers;
};
constexpr ResizeRow kRows[] = {
    {kLiteRtOpCodeTflResizeBilinear, ResizeOp::kBilinear, LiteRtGetResizeBilinearAlignCornersOption,
     LiteRtGetResizeBilinearHalfPixelCenterOption},
    {kLiteRtOpCodeTflResizeNearestNeighbor, ResizeOp::kNearest,
     LiteRtGetResizeNearestNeighborAlignCornersOption,
     LiteRtGetResizeNearestNeighborHalfPixelCenterOption},
};

Expected<Mode> ReadMode(const litert::Op& op, const ResizeRow& row) {
  Mode mode;
  if (row.read_align_corners(op.Get(), &mode.align_corners) != kLiteRtStatusOk ||
      row.read_half_pixel_centers(op.Get(), &mode.half_pixel_centers) != kLiteRtStatusOk)
    return Unsupported("the op has no options");
  if (row.op == ResizeOp::kBilinear && mode.align_corners && mode.half_pixel_centers)
    return Unsupported("corners and pixel centres can't both be aligned");
  return mode;
}

}  // namespace

Expected<void> LegalizeResize(const litert::Op& op, const Hardware& hardware,
                              NetworkBuilder& builder) {
  const ResizeRow& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                       [&](const auto& r) { return r.code == op.Code(); });
  ACME_ASSIGN_OR_RETURN(const Mode mode, ReadMode(op, row));
  const bool nearest = row.op == ResizeOp::kNearest;
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  if (!op.Inputs()[1].IsConstant()) return Unsupported("the new size must be constant");
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (x.size() != 4 || y.size() != 4 || x[0] != y[0] || x[3] != y[3])
    return Unsupported(fmt::format(
        "operand and result must be [batches, height, width, channels], they are {} and {}",
        ShapeName(x), ShapeName(y)));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> size,
                        ReadIntegers(op.Inputs()[1], "the new size"));
  if (size != std::vector<int64_t>{y[1], y[2]})
    return Unsupported(fmt::format("the result {} is not of the new size", ShapeName(y)));
  auto resize = std::make_shared<Resize>();
  resize->op = row.op;
  // Nearest neighbours are copied: their type is a size.
  resize->dtype = operands.x.value.dtype == Dtype::kI32 ? Dtype::kF32 : operands.x.value.dtype;
  resize->real = !nearest && resize->dtype == Dtype::kU8;
  resize->batches = x[0];
  resize->in_h = x[1];
  resize->in_w = x[2];
  resize->channels = x[3];
  const auto samples = [&](int32_t in, int32_t out) {
    if (nearest) return NearestSamples(in, out, mode);
    return resize->real || resize->dtype == Dtype::kF32 ? RealSamples(in, out, mode)
                                                        : IntegerSamples(in, out, mode);
  };
  resize->rows = samples(x[1], y[1]);
  resize->cols = samples(x[2], y[2]);
  if (resize->real && BlendsExactly(resize->rows, resize->cols)) {
    resize->real = false;
    MakeInteger(resize->rows);
    MakeInteger(resize->cols);
  }
  if (resize->StepBytes({1, 1, 1}) > GuaranteedStepBytes(hardware))
    return Unsupported(
        fmt::format("a pixel needs more scratchpad than {} has for it", hardware.name));
  ACME_ASSIGN_OR_RETURN(resize->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(resize));
}

}  // namespace acme::compiler

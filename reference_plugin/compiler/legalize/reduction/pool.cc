// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AVERAGE_POOL_2D and MAX_POOL_2D. Integers are pooled as stored: operand and result have one scale
// in TFLite.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"

namespace acme::compiler {
namespace {

// What the instructions' fields hold.
constexpr int32_t kMaxWindow = (1 << 12) - 1;
constexpr int32_t kMaxPad = (1 << 11) - 1;

struct Options {
  uint32_t padding = 0;  // 0 SAME, 1 VALID
  int32_t stride_w = 0;
  int32_t stride_h = 0;
  int32_t filter_w = 0;
  int32_t filter_h = 0;
  uint32_t activation = 0;
};

Expected<WindowAxis> WindowOf(bool same, int32_t in, int32_t out, int32_t filter, int32_t stride) {
  if (filter < 1 || stride < 1) return Unsupported("windows and strides must be at least 1");
  if (filter > kMaxWindow || stride > kMaxWindow)
    return Unsupported(fmt::format("windows and strides are at most {}", kMaxWindow));
  const int64_t reach = same ? in : int64_t{in} - filter + 1;
  if (reach < 1 || (reach + stride - 1) / stride != out)
    return Unsupported("the result's size does not fit the windows");
  WindowAxis window{.in = in, .out = out, .kernel = filter, .stride = stride};
  const int64_t pad = int64_t{out - 1} * stride + filter - in;
  if (same && pad > 0) window.pad = static_cast<int32_t>(pad / 2);
  if (window.pad > kMaxPad) return Unsupported(fmt::format("padding is at most {}", kMaxPad));
  return window;
}

ClampRange ClampOf(Activation activation, const TensorInfo& y) {
  if (y.value.dtype != Dtype::kF32)
    return ActivationRange(activation, y.value.dtype, ScaleOf(y), ZeroPointOf(y));
  if (activation != Activation::kNone) return FloatActivationRange(activation);
  // TFLite clamps to finite numbers.
  return {std::bit_cast<int32_t>(std::numeric_limits<float>::lowest()),
          std::bit_cast<int32_t>(std::numeric_limits<float>::max())};
}

template <class T>
using Getter = LiteRtStatus (*)(LiteRtOp, T*);
struct PoolRow {
  LiteRtOpCode code;
  PoolOp op;
  Getter<uint32_t> padding;
  Getter<int32_t> stride_w;
  Getter<int32_t> stride_h;
  Getter<int32_t> filter_w;
  Getter<int32_t> filter_h;
  Getter<uint32_t> activation;
};
constexpr PoolRow kRows[] = {
    {kLiteRtOpCodeTflAveragePool2d, PoolOp::kAverage, LiteRtGetAveragePool2dPaddingOption,
     LiteRtGetAveragePool2dStrideWOption, LiteRtGetAveragePool2dStrideHOption,
     LiteRtGetAveragePool2dFilterWidthOption, LiteRtGetAveragePool2dFilterHeightOption,
     LiteRtGetAveragePool2dFusedActivationOption},
    {kLiteRtOpCodeTflMaxPool2d, PoolOp::kMax, LiteRtGetMaxPool2dPaddingOption,
     LiteRtGetMaxPool2dStrideWOption, LiteRtGetMaxPool2dStrideHOption,
     LiteRtGetMaxPool2dFilterWidthOption, LiteRtGetMaxPool2dFilterHeightOption,
     LiteRtGetMaxPool2dFusedActivationOption},
};

Expected<Options> ReadOptions(const litert::Op& op, const PoolRow& row) {
  Options options;
  const LiteRtOp handle = op.Get();
  if (row.padding(handle, &options.padding) != kLiteRtStatusOk ||
      row.stride_w(handle, &options.stride_w) != kLiteRtStatusOk ||
      row.stride_h(handle, &options.stride_h) != kLiteRtStatusOk ||
      row.filter_w(handle, &options.filter_w) != kLiteRtStatusOk ||
      row.filter_h(handle, &options.filter_h) != kLiteRtStatusOk ||
      row.activation(handle, &options.activation) != kLiteRtStatusOk) {
    return Unsupported("the op has no Pool2DOptions");
  }
  return options;
}

}  // namespace

Expected<void> LegalizePool(const litert::Op& op, const Hardware& hardware,
                            NetworkBuilder& builder) {
  const PoolRow& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                     [&](const auto& r) { return r.code == op.Code(); });
  ACME_ASSIGN_OR_RETURN(const Options options, ReadOptions(op, row));
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (x.size() != 4 || y.size() != 4 || x[0] != y[0] || x[3] != y[3])
    return Unsupported(fmt::format(
        "operand and result must be [batches, height, width, channels], they are {} and {}",
        ShapeName(x), ShapeName(y)));
  auto pool = std::make_shared<Pool>();
  const bool same = options.padding == 0;
  ACME_ASSIGN_OR_RETURN(pool->height,
                        WindowOf(same, x[1], y[1], options.filter_h, options.stride_h));
  ACME_ASSIGN_OR_RETURN(pool->width,
                        WindowOf(same, x[2], y[2], options.filter_w, options.stride_w));
  pool->op = row.op;
  pool->dtype = operands.x.value.dtype;
  pool->batches = x[0];
  pool->channels = x[3];
  pool->clamp = ClampOf(activation, operands.y);
  const int64_t least_bytes = PoolStepBytes(*pool, {1, 1, 1}, true, true);
  if (least_bytes > GuaranteedStepBytes(hardware)) {
    return Unsupported(
        fmt::format("a window needs {} bytes of scratchpad at once, {} has {} for it", least_bytes,
                    hardware.name, GuaranteedStepBytes(hardware)));
  }
  ACME_ASSIGN_OR_RETURN(pool->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(pool));
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/depthwise/depthwise_task.h"

#include "reference_plugin/compiler/placement/alignment.h"
#include "simulator/isa/footprint.h"

namespace acme::compiler {

int64_t RecordSize(const Depthwise& op) {
  if (op.offsets) return kOffsetRecordBytes;
  return op.ScalesSums() ? kScaledRecordBytes : RecordBytes(op.requantize, op.dtype);
}

int64_t RecordsBytes(const Depthwise& op, int32_t channels) {
  return op.ScalesSums() ? 0 : AlignUp(RecordSize(op) * channels);
}

int64_t ParameterBytes(const Depthwise& op, int32_t channels) {
  return RecordsBytes(op, channels) + AlignUp(int64_t{op.geometry.h.kernel} * op.geometry.w.kernel *
                                              channels * WeightBytes(op.dtype));
}

Task MakeTask(const Depthwise& op, const DepthwiseTile& tile, const TilePlaces& places) {
  const WindowGeometry& g = op.geometry;
  Task task;
  task.config = {
      isa::VShape{.n0 = U(tile.channels), .n1 = U(tile.cols), .n2 = U(tile.rows), .n3 = 1},
      isa::VWindow{.kernel_h = U(g.h.kernel),
                   .kernel_w = U(g.w.kernel),
                   .stride_h = U(g.h.stride),
                   .stride_w = U(g.w.stride),
                   .dilation_h = U(g.h.dilation),
                   .dilation_w = U(g.w.dilation),
                   .multiplier = U(op.multiplier)},
      isa::VInput{.in_h = U(places.in_rows),
                  .in_w = U(places.in_cols),
                  .row_stride = places.x.stride_bytes[2],
                  .pixel_stride = places.x.stride_bytes[1],
                  .y0 = places.y0,
                  .x0 = places.x0},
      isa::VView{.view = View::kDst,
                 .s0 = places.y.stride_bytes[0],
                 .s1 = places.y.stride_bytes[1],
                 .s2 = places.y.stride_bytes[2]},
      isa::VParams{.addr = U(places.records),
                   .tap_stride = static_cast<int32_t>(places.tap_stride),
                   .record_stride = static_cast<int32_t>(RecordSize(op)),
                   .epilogue = places.extremes.has_value(),
                   .offsets = op.offsets},
      isa::VQuant{.view = View::kA, .zp = op.act_zp},
      isa::VQuant{.view = View::kB, .zp = op.weight_zp},
      isa::VQuant{
          .view = View::kDst, .zp = op.requantize.out_zp, .rounding = op.requantize.rounding},
      isa::VClamp{.lo = op.requantize.clamp.lo, .hi = op.requantize.clamp.hi}};
  task.work = isa::VDepthwise{.dtype = op.dtype,
                              .dst = U(places.y.offset),
                              .a = U(places.x.offset),
                              .weights = U(places.weights),
                              .lookup = !op.table.empty(),
                              .scaled = op.ScalesSums()};
  if (places.extremes) task.config.emplace_back(*places.extremes);
  if (!op.table.empty()) task.config.emplace_back(isa::VLookup{.addr = U(places.table)});
  return task;
}

}  // namespace acme::compiler

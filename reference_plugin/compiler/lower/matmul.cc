// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/matmul.h"

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string>

#include "reference_plugin/compiler/lowering.h"

namespace acme::compiler {
namespace {

constexpr int64_t kRecordBytes = 10;

int64_t AlignUp(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// Little-endian: bias 40 bits, multiplier 32 bits, shift 8 bits.
void AppendRecord(int64_t bias, const FixedPoint& scale, std::vector<uint8_t>& out) {
  const auto append = [&out](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  append(static_cast<uint64_t>(bias), 5);
  append(static_cast<uint32_t>(scale.mult), 4);
  append(static_cast<uint8_t>(scale.shift), 1);
}

// One column tile under way.
struct ColumnTile {
  int32_t first_col = 0;
  int32_t cols = 0;
  DramPlace packed;
};

// Where a chunk's operands stand in the scratchpad.
struct ChunkPlaces {
  int64_t records = 0;
  int64_t weights = 0;
  int64_t x = 0;
  int32_t x_row_bytes = 0;
  int64_t y = 0;
  int32_t y_row_bytes = 0;
};

class MatMulLowering {
 public:
  MatMulLowering(const MatMul& op, ValueId output, LoweringContext& context)
      : op_(op),
        output_(output),
        context_(context),
        stream_x_(!context.place(op.x).scratchpad_offset),
        stream_y_(!context.place(output).scratchpad_offset),
        tiling_(ChooseMatMulTiling(op, stream_x_, stream_y_, context.StepBytes(),
                                   context.hardware())) {}

  void Run() {
    const auto array_cols = static_cast<int32_t>(context_.hardware().array_cols);
    const std::span<const uint8_t> bias =
        op_.bias == kNoValue ? std::span<const uint8_t>() : context_.value(op_.bias).constant;
    context_.MakeResident(op_.x);
    for (int32_t col = 0; col < op_.n; col += array_cols) {
      ColumnTile tile{col, std::min(array_cols, op_.n - col), {}};
      tile.packed = context_.constants().Add(
          PackMatMulColumns(op_, context_.value(op_.w).constant, bias, tile.first_col, tile.cols));
      RunColumns(tile);
    }
    const ValuePlace& place = context_.place(output_);
    if (!stream_y_ && place.dram) {
      context_.Store(*place.scratchpad_offset, *place.dram, context_.value(output_).Bytes());
    }
  }

 private:
  // All rows of one column tile. Weights that fit whole are loaded once for all row chunks.
  void RunColumns(const ColumnTile& tile) {
    const int64_t records_bytes = MatMulRecordBytes(tile.cols);
    const int64_t step =
        context_.BeginStep(MatMulStepBytes(tiling_, tile.cols, stream_x_, stream_y_));
    const int64_t weights_bytes = int64_t{tiling_.reduction} * tile.cols;
    const int64_t x_bytes = stream_x_ ? int64_t{tiling_.rows} * tiling_.reduction : 0;
    const int64_t y_bytes = stream_y_ ? int64_t{tiling_.rows} * tile.cols : 0;
    context_.Load(tile.packed, step, records_bytes);
    int phase = 0;  // which of the two places for streamed activations and results is next
    for (int32_t row = 0; row < op_.m; row += tiling_.rows, phase ^= 1) {
      const int32_t rows = std::min(tiling_.rows, op_.m - row);
      ChunkPlaces places;
      places.records = step;
      places.weights = step + records_bytes;
      const int64_t phase_base = places.weights + weights_bytes + phase * (x_bytes + y_bytes);
      PlaceRows(row, phase_base, x_bytes, tile, places);
      const int64_t acc = context_.NextAccumulators(rows);
      for (int32_t k = 0; k < op_.k; k += tiling_.reduction) {
        const int32_t reduction = std::min(tiling_.reduction, op_.k - k);
        if (row == 0 || tiling_.reduction < op_.k) {
          context_.Load({tile.packed.binding,
                         tile.packed.offset_bytes + records_bytes + int64_t{k} * tile.cols},
                        places.weights, int64_t{reduction} * tile.cols);
        }
        if (stream_x_) LoadRows(row, rows, k, reduction, places.x);
        Multiply(tile, places, rows, k, reduction, acc);
      }
      Drain(tile, places, rows, acc);
      if (stream_y_) StoreRows(tile, row, rows, places.y);
    }
  }

  void PlaceRows(int32_t row, int64_t phase_base, int64_t x_bytes, const ColumnTile& tile,
                 ChunkPlaces& places) const {
    if (stream_x_) {
      places.x = phase_base;
      places.x_row_bytes = tiling_.reduction;
    } else {
      places.x = *context_.place(op_.x).scratchpad_offset + int64_t{row} * op_.k;
      places.x_row_bytes = op_.k;
    }
    if (stream_y_) {
      places.y = phase_base + x_bytes;
      places.y_row_bytes = tile.cols;
    } else {
      places.y = *context_.place(output_).scratchpad_offset + int64_t{row} * op_.n + tile.first_col;
      places.y_row_bytes = op_.n;
    }
  }

  void LoadRows(int32_t row, int32_t rows, int32_t k, int32_t reduction, int64_t scratchpad) {
    const DramPlace& from = *context_.place(op_.x).dram;
    const int64_t begin = from.offset_bytes + int64_t{row} * op_.k + k;
    Task task;
    task.config = {isa::LdShape{.n0 = static_cast<uint32_t>(reduction),
                                .n1 = static_cast<uint32_t>(rows),
                                .n2 = 1,
                                .n3 = 1},
                   isa::LdDramStride{.s1 = op_.k},
                   isa::LdSpmStride{.s0 = 1, .s1 = tiling_.reduction}};
    task.work = isa::LdNd{.binding = from.binding,
                          .dram = static_cast<uint32_t>(begin),
                          .spm = static_cast<uint32_t>(scratchpad),
                          .elem_bytes = 1};
    task.reads = {DramRegion(from.binding, begin, int64_t{rows - 1} * op_.k + reduction)};
    task.writes = {ScratchpadRegion(scratchpad, int64_t{rows} * tiling_.reduction)};
    context_.Append(std::move(task));
  }

  void Multiply(const ColumnTile& tile, const ChunkPlaces& places, int32_t rows, int32_t k_first,
                int32_t reduction, int64_t acc) {
    const auto array_rows = static_cast<int32_t>(context_.hardware().array_rows);
    const isa::MType type{
        .act = Dtype::kI8, .weight = Dtype::kI8, .act_zp = op_.act_zp, .weight_zp = op_.weight_zp};
    // Resident activations are addressed from the chunk of the reduction, streamed ones from the
    // beginning of theirs.
    const int64_t x = places.x + (stream_x_ ? 0 : k_first);
    for (int32_t k = 0; k < reduction; k += array_rows) {
      const int32_t depth = std::min(array_rows, reduction - k);
      const int64_t weights = places.weights + int64_t{k} * tile.cols;
      Task stream;
      stream.config = {type};
      stream.weights = isa::MLoadW{.addr = static_cast<uint32_t>(weights),
                                   .k = static_cast<uint32_t>(depth),
                                   .n = static_cast<uint32_t>(tile.cols),
                                   .k_stride = tile.cols,
                                   .n_stride = 1};
      stream.work = isa::MStream{.addr = static_cast<uint32_t>(x + k),
                                 .acc = static_cast<uint32_t>(acc),
                                 .m = static_cast<uint32_t>(rows),
                                 .row_stride = places.x_row_bytes,
                                 .swap = true,
                                 .accumulate = k_first + k > 0};
      stream.reads = {ScratchpadRegion(x + k, int64_t{rows - 1} * places.x_row_bytes + depth)};
      stream.writes = {AccumulatorRegion(acc, rows)};
      context_.Append(std::move(stream));
    }
  }

  void Drain(const ColumnTile& tile, const ChunkPlaces& places, int32_t rows, int64_t acc) {
    Task task;
    task.config = {isa::VQuant{.view = View::kDst, .zp = op_.out_zp, .rounding = op_.rounding},
                   isa::VClamp{.lo = op_.clamp.lo, .hi = op_.clamp.hi},
                   isa::VParams{.record_stride = kRecordBytes},
                   isa::VShape{.n0 = static_cast<uint32_t>(tile.cols),
                               .n1 = static_cast<uint32_t>(rows),
                               .n2 = 1,
                               .n3 = 1},
                   isa::VView{.view = View::kDst, .s0 = 1, .s1 = places.y_row_bytes}};
    task.work = isa::VDrain{.acc = static_cast<uint32_t>(acc),
                            .dst = static_cast<uint32_t>(places.y),
                            .params = static_cast<uint32_t>(places.records),
                            .acc_type = Dtype::kI32,
                            .out = Dtype::kI8};
    task.reads = {AccumulatorRegion(acc, rows),
                  ScratchpadRegion(places.records, kRecordBytes * tile.cols)};
    task.writes = {ScratchpadRegion(places.y, int64_t{rows - 1} * places.y_row_bytes + tile.cols)};
    context_.Append(std::move(task));
  }

  void StoreRows(const ColumnTile& tile, int32_t row, int32_t rows, int64_t scratchpad) {
    const DramPlace& to = *context_.place(output_).dram;
    const int64_t begin = to.offset_bytes + int64_t{row} * op_.n + tile.first_col;
    Task task;
    task.config = {isa::StShape{.n0 = static_cast<uint32_t>(tile.cols),
                                .n1 = static_cast<uint32_t>(rows),
                                .n2 = 1,
                                .n3 = 1},
                   isa::StDramStride{.s1 = op_.n}, isa::StSpmStride{.s0 = 1, .s1 = tile.cols}};
    task.work = isa::StNd{.binding = to.binding,
                          .dram = static_cast<uint32_t>(begin),
                          .spm = static_cast<uint32_t>(scratchpad),
                          .elem_bytes = 1};
    task.reads = {ScratchpadRegion(scratchpad, int64_t{rows} * tile.cols)};
    task.writes = {DramRegion(to.binding, begin, int64_t{rows - 1} * op_.n + tile.cols)};
    context_.Append(std::move(task));
  }

  const MatMul& op_;
  ValueId output_;
  LoweringContext& context_;
  bool stream_x_;
  bool stream_y_;
  MatMulTiling tiling_;
};

}  // namespace

int64_t MatMulRecordBytes(int32_t cols) { return AlignUp(kRecordBytes * cols, 64); }

int64_t MatMulStepBytes(const MatMulTiling& tiling, int32_t cols, bool stream_x, bool stream_y) {
  const int64_t x_bytes = stream_x ? int64_t{tiling.rows} * tiling.reduction : 0;
  const int64_t y_bytes = stream_y ? int64_t{tiling.rows} * cols : 0;
  return MatMulRecordBytes(cols) + int64_t{tiling.reduction} * cols + 2 * (x_bytes + y_bytes);
}

MatMulTiling ChooseMatMulTiling(const MatMul& op, bool stream_x, bool stream_y, int64_t step_bytes,
                                const Hardware& hardware) {
  const auto cols = static_cast<int32_t>(std::min<int64_t>(hardware.array_cols, op.n));
  const auto array_rows = static_cast<int32_t>(hardware.array_rows);
  MatMulTiling tiling{static_cast<int32_t>(std::min<int64_t>(op.m, hardware.accumulator_rows / 2)),
                      op.k};
  const auto fits = [&] { return MatMulStepBytes(tiling, cols, stream_x, stream_y) <= step_bytes; };
  while (!fits() && tiling.reduction > array_rows) {
    tiling.reduction = static_cast<int32_t>(AlignUp((tiling.reduction + 1) / 2, array_rows));
    if (tiling.reduction <= 4 * array_rows) break;
  }
  while (!fits() && tiling.rows > 1) tiling.rows = (tiling.rows + 1) / 2;
  while (!fits() && tiling.reduction > array_rows) {
    tiling.reduction = static_cast<int32_t>(AlignUp(tiling.reduction / 2, array_rows));
  }
  return tiling;
}

std::vector<uint8_t> PackMatMulColumns(const MatMul& op, std::span<const uint8_t> weights,
                                       std::span<const uint8_t> bias, int32_t first_col,
                                       int32_t cols) {
  std::vector<uint8_t> packed;
  packed.reserve(static_cast<size_t>(MatMulRecordBytes(cols) + int64_t{op.k} * cols));
  for (int32_t c = first_col; c < first_col + cols; ++c) {
    int32_t bias_value = 0;
    if (!bias.empty())
      std::memcpy(&bias_value, bias.data() + sizeof(int32_t) * static_cast<size_t>(c),
                  sizeof(int32_t));
    AppendRecord(bias_value, op.requantize[op.requantize.size() == 1 ? 0 : static_cast<size_t>(c)],
                 packed);
  }
  packed.resize(static_cast<size_t>(MatMulRecordBytes(cols)));
  for (int32_t k = 0; k < op.k; ++k) {
    for (int32_t c = first_col; c < first_col + cols; ++c) {
      packed.push_back(
          weights[static_cast<size_t>(c) * static_cast<size_t>(op.k) + static_cast<size_t>(k)]);
    }
  }
  return packed;
}

LayerWork MatMul::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.macs = elems * static_cast<uint64_t>(k),
          .vector_elems = elems,
          .dtype = network.value(x).dtype};
}

void MatMul::Print(std::ostream& out) const {
  out << "matmul m " << m << " k " << k << " n " << n << " x v" << x << " zp " << act_zp << " w v"
      << w << " zp " << weight_zp << " bias "
      << (bias == kNoValue ? "none" : "v" + std::to_string(bias)) << " scales " << requantize.size()
      << " first ";
  if (!requantize.empty()) out << requantize.front();
  out << " out zp " << out_zp << " clamp " << clamp;
}

Expected<void> MatMul::Lower(ValueId output, LoweringContext& context) const {
  MatMulLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

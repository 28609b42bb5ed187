// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/testing/sample_programs.h"

#include <algorithm>

#include "simulator/isa/footprint.h"
#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

// Semaphores. Those named "free" start with two credits: two buffers.
constexpr uint8_t kInputReady = 1, kWeightsReady = 2, kRecordsReady = 3, kSumsReady = 4,
                  kSumsFree = 5, kOutputReady = 6, kOutputFree = 7;

uint32_t U(int64_t value) { return static_cast<uint32_t>(value); }
int32_t I(int64_t value) { return static_cast<int32_t>(value); }

void GiveCredits(ProgramBuilder& b) {
  for (int i = 0; i < 2; ++i) b.Emit(isa::CpNop{}, Post(kSumsFree, kOutputFree));
}

void ConfigureInt8(ProgramBuilder& b) {
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  b.Emit(isa::VParams{.record_stride = kIntegerRecordBytes});
}

// Configures strided loads of `rows` runs of `run` bytes.
void ConfigureLoads(ProgramBuilder& b, int64_t run, int64_t rows, int64_t dram_stride,
                    int64_t spm_stride) {
  b.Emit(isa::LdShape{U(run), U(rows), 1, 1});
  b.Emit(isa::LdDramStride{I(dram_stride), 0, 0});
  b.Emit(isa::LdSpmStride{1, I(spm_stride), 0, 0});
}

// Drains a tile of [rows][cols] sums to the output buffer and stores it as columns n0.. of rows
// m0.. of a row-major result.
struct OutputTile {
  int64_t acc, spm, records;
  int64_t m0, n0, rows, cols, row_bytes;
};

void EmitOutput(ProgramBuilder& b, const OutputTile& tile) {
  b.Emit(isa::VShape{U(tile.cols), U(tile.rows), 1, 1});
  b.Emit(isa::VView{View::kDst, 1, I(tile.cols), 0, 0}, Wait(kOutputFree));
  b.Emit(isa::VDrain{.acc = U(tile.acc),
                     .dst = U(tile.spm),
                     .params = U(tile.records),
                     .acc_type = Dtype::kI32,
                     .out = Dtype::kI8},
         Wait(kSumsReady) & Post(kSumsFree, kOutputReady));
  b.Emit(isa::StShape{U(tile.cols), U(tile.rows), 1, 1});
  b.Emit(isa::StDramStride{I(tile.row_bytes), 0, 0});
  b.Emit(isa::StSpmStride{1, I(tile.cols), 0, 0});
  b.Emit(isa::StNd{.binding = 3,
                   .dram = U(tile.m0 * tile.row_bytes + tile.n0),
                   .spm = U(tile.spm),
                   .elem_bytes = 1},
         Wait(kOutputReady) & Post(kOutputFree));
}

// Loads a convolution's input from the scratchpad's beginning on, `rows` of its rows at a time.
void LoadInput(ProgramBuilder& b, const ConvSize& size, int64_t rows) {
  const int64_t row_bytes = size.width * size.in_channels;
  for (int64_t y = 0; y < size.height; y += rows) {
    b.Emit(isa::LdCopy{.binding = 2,
                       .dram = U(y * row_bytes),
                       .spm = U(y * row_bytes),
                       .bytes = U(std::min(rows, size.height - y) * row_bytes)},
           Post(kInputReady));
  }
}

}  // namespace

std::vector<Word> GemmProgram(const Hardware& hw, const GemmSize& size) {
  const auto [m, k, n] = size;
  const int64_t slice =
      std::max(hw.array_rows, hw.dram_burst_bytes);  // of the reduction, loaded at once
  const int64_t cols = hw.array_cols;
  const int64_t a_at = 0, b_at = m * k, records_at = b_at + k * n,
                out_at = records_at + n * kIntegerRecordBytes;
  ProgramBuilder b;
  ConfigureInt8(b);
  GiveCredits(b);
  // Weights of the first columns, activations slice by slice, then the other weights: each a column
  // ahead of its use, since the command processor dispatches in order and would stop at a full
  // queue. (n and k by name: clang 14 does not capture structured bindings.)
  auto load_weights = [&, n = n, k = k](int64_t n0) {
    if (n0 >= n) return;
    b.Emit(isa::LdNd{.binding = 0, .dram = U(n0), .spm = U(b_at + n0 * k), .elem_bytes = 1},
           Post(kWeightsReady));
  };
  ConfigureLoads(b, cols, k, n, cols);
  load_weights(0);
  ConfigureLoads(b, slice, m, k, k);
  for (int64_t k0 = 0; k0 < k; k0 += slice) {
    b.Emit(isa::LdNd{.binding = 2, .dram = U(k0), .spm = U(a_at + k0), .elem_bytes = 1},
           Post(kInputReady));
  }
  b.Emit(isa::LdCopy{.binding = 0,
                     .dram = U(k * n),
                     .spm = U(records_at),
                     .bytes = U(n * kIntegerRecordBytes)},
         Post(kRecordsReady));
  ConfigureLoads(b, cols, k, n, cols);
  b.Emit(isa::VNop{}, Wait(kRecordsReady));
  for (int64_t n0 = 0; n0 < n; n0 += cols) {
    const int64_t parity = n0 / cols % 2;
    load_weights(n0 + cols);
    b.Emit(isa::MNop{}, Wait(kWeightsReady, kSumsFree));
    for (int64_t k0 = 0; k0 < k; k0 += hw.array_rows) {
      const bool new_slice = n0 == 0 && k0 % slice == 0;
      b.Emit(isa::MLoadW{.addr = U(b_at + n0 * k + k0 * cols),
                         .k = U(hw.array_rows),
                         .n = U(cols),
                         .k_stride = I(cols),
                         .n_stride = 1});
      const bool last = k0 + hw.array_rows >= k;
      b.Emit(isa::MStream{.addr = U(a_at + k0),
                          .acc = U(parity * m),
                          .m = U(m),
                          .row_stride = I(k),
                          .swap = true,
                          .accumulate = k0 > 0},
             Wait(new_slice ? kInputReady : 0) & Post(last ? kSumsReady : 0));
    }
    EmitOutput(b, {parity * m, out_at + parity * m * cols, records_at + n0 * kIntegerRecordBytes, 0,
                   n0, m, cols, n});
  }
  b.Halt();
  return *b.Finish();
}

std::vector<Word> ConvProgram(const Hardware& hw, const ConvSize& size) {
  const auto [height, width, in, out, kernel] = size;
  const int64_t weight_bytes = kernel * kernel * in * out, pad = kernel / 2;
  const int64_t w_at = height * width * in, records_at = w_at + weight_bytes,
                out_at = records_at + out * kIntegerRecordBytes;
  const int64_t rows = std::min(height, hw.accumulator_rows / 2 / width);  // output rows a tile
  const int64_t cols = hw.array_cols;
  ProgramBuilder b;
  ConfigureInt8(b);
  GiveCredits(b);
  b.Emit(isa::LdCopy{.binding = 0,
                     .dram = 0,
                     .spm = U(w_at),
                     .bytes = U(weight_bytes + out * kIntegerRecordBytes)},
         Post(kWeightsReady, kRecordsReady));
  LoadInput(b, size, rows);
  b.Emit(isa::VNop{}, Wait(kRecordsReady));
  b.Emit(isa::MConvInput{U(height), U(width), I(width * in), I(in)}, Wait(kWeightsReady));
  b.Emit(isa::MConvWindow{1, 1, U(hw.array_rows), 1, 1, 1, 1});
  int64_t tile = 0;
  for (int64_t y = 0; y < height; y += rows) {
    const int64_t count = std::min(rows, height - y);
    // A tile needs the rows of the next one, too.
    b.Emit(isa::MNop{}, y == 0 && rows < height
                            ? Wait(kInputReady, kInputReady)
                            : Wait(y + rows < height || y == 0 ? kInputReady : 0));
    for (int64_t n0 = 0; n0 < out; n0 += cols, ++tile) {
      const int64_t parity = tile % 2, acc = parity * (hw.accumulator_rows / 2);
      b.Emit(isa::MNop{}, Wait(kSumsFree));
      for (int64_t fold = 0; fold < kernel * kernel * in / hw.array_rows; ++fold) {
        const int64_t tap = fold * hw.array_rows / in, c0 = fold * hw.array_rows % in;
        const bool last = (fold + 1) * hw.array_rows == kernel * kernel * in;
        b.Emit(isa::MLoadW{.addr = U(w_at + (tap * in + c0) * out + n0),
                           .k = U(hw.array_rows),
                           .n = U(cols),
                           .k_stride = I(out),
                           .n_stride = 1});
        b.Emit(isa::MConv{.addr = U(c0),
                          .acc = U(acc),
                          .y0 = I(y + tap / kernel - pad),
                          .x0 = I(tap % kernel - pad),
                          .out_h = U(count),
                          .out_w = U(width),
                          .swap = true,
                          .accumulate = fold > 0},
               last ? Post(kSumsReady) : Sync{});
      }
      EmitOutput(b,
                 {acc, out_at + parity * rows * width * cols, records_at + n0 * kIntegerRecordBytes,
                  y * width, n0, count * width, cols, out});
    }
  }
  b.Halt();
  return *b.Finish();
}

std::vector<Word> FoldsProgram(const Hardware& hw, const GemmSize& size) {
  const int64_t folds = ((size.k + hw.array_rows - 1) / hw.array_rows) *
                        ((size.n + hw.array_cols - 1) / hw.array_cols);
  ProgramBuilder b;
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  b.BeginLoop(U(folds));
  b.Emit(isa::MLoadW{.addr = 0,
                     .k = U(hw.array_rows),
                     .n = U(hw.array_cols),
                     .k_stride = I(hw.array_cols),
                     .n_stride = 1});
  b.Emit(isa::MStream{.addr = 0, .acc = 0, .m = U(size.m), .row_stride = 0, .swap = true});
  b.EndLoop();
  b.Halt();
  return *b.Finish();
}

Hardware ArrayHardware(int64_t rows, int64_t cols) {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.row_groups = hw.col_groups = 1;
  hw.array_rows = rows;
  hw.array_cols = cols;
  hw.weight_rows_per_cycle = 1;
  hw.scratchpad_word_bytes = std::max<int64_t>(4, cols);
  hw.scratchpad_banks = 256;
  hw.accumulator_rows = 4096;
  hw.queue_depth = 256;
  return hw;
}

Hardware ScaleSimHardware(int64_t size) {
  Hardware hw = ArrayHardware(size, size);
  hw.overlap = false;
  hw.double_buffered_weights = false;
  hw.accumulator_rows = 65536;
  return hw;
}

std::span<const GemmSize> MobileNetV1Layers() {
  static constexpr GemmSize kLayers[] = {
      {12544, 27, 32}, {12100, 288, 1},  {12544, 32, 64}, {3136, 576, 1},  {3136, 64, 128},
      {2916, 1152, 1}, {3136, 128, 128}, {784, 1152, 1},  {784, 128, 256}, {676, 2304, 1},
      {784, 256, 256}, {196, 2304, 1},   {196, 256, 512}, {144, 4608, 1},  {196, 512, 512},
      {144, 4608, 1},  {196, 512, 512},  {144, 4608, 1},  {196, 512, 512}, {144, 4608, 1},
      {196, 512, 512}, {144, 4608, 1},   {196, 512, 512}, {49, 4608, 1},   {49, 512, 1024},
      {9, 9216, 1},    {49, 1024, 1024}};
  return kLayers;
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The matrix engine's cycles against the register-level array, and against SCALE-Sim's published
// numbers.

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "simulator/device/testing/array_model.h"
#include "simulator/device/testing/csv_file.h"
#include "simulator/device/testing/sample_programs.h"
#include "simulator/device/testing/test_machine.h"
#include "tests/support/shared_dir.h"

namespace acme {
namespace {

struct TypeRate {
  Dtype act, weight;
};
constexpr TypeRate kRateTypes[] = {{Dtype::kI8, Dtype::kI8},
                                   {Dtype::kU8, Dtype::kU8},
                                   {Dtype::kI16, Dtype::kI8},
                                   {Dtype::kI16, Dtype::kI16},
                                   {Dtype::kF32, Dtype::kF32}};

// All folds of an M x K x N product. Only time matters: operands come from the same place.
std::vector<Word> FoldProgram(const Hardware& hw, const TypeRate& type, int64_t m, int64_t k,
                              int64_t n) {
  ProgramBuilder b;
  // Rows begin at word boundaries and in different banks, so that neither port is ever narrower than
  // the array. Those that enter together follow each other without a gap, else they would bring a word
  // each.
  const bool apart = hw.row_groups * hw.col_groups == 1;
  const int32_t weight_bytes = static_cast<int32_t>(SizeBytes(type.weight));
  const int32_t word_bytes = static_cast<int32_t>(hw.scratchpad_word_bytes);
  const int32_t weight_row_bytes = weight_bytes * word_bytes;
  b.Emit(isa::MType{type.act, type.weight, 0, 0}, Wait(1));
  for (int64_t n0 = 0; n0 < n; n0 += hw.array_cols) {
    for (int64_t k0 = 0; k0 < k; k0 += hw.array_rows) {
      const uint32_t kk = static_cast<uint32_t>(std::min(hw.array_rows, k - k0)),
                     nn = static_cast<uint32_t>(std::min(hw.array_cols, n - n0));
      b.Emit(isa::MLoadW{
          .addr = 0, .k = kk, .n = nn, .k_stride = weight_row_bytes, .n_stride = weight_bytes});
      b.Emit(
          isa::MStream{.addr = 65536,
                       .acc = 0,
                       .m = static_cast<uint32_t>(m),
                       .row_stride = apart ? 512 : static_cast<int32_t>(kk * SizeBytes(type.act)),
                       .swap = true,
                       .accumulate = k0 > 0});
    }
  }
  // Nothing begins before everything is queued: the array is measured, not the command processor.
  b.Emit(isa::CpNop{}, Post(1));
  b.Halt();
  return *b.Finish();
}

int64_t DeviceCycles(const Hardware& hw, const TypeRate& type, int64_t m, int64_t k, int64_t n) {
  TestMachine machine(hw);
  machine.check_races = false;  // one engine
  Expected<RunResult> result = machine.Run(FoldProgram(hw, type, m, k, n), RunMode::kTimeOnly);
  if (!result) {
    ADD_FAILURE() << result.Error().Message();
    return -1;
  }
  return TestMachine::SpanOf(*result, Engine::kMatrix);
}

int64_t ModelCycles(const Hardware& hw, const TypeRate& type, int64_t m, int64_t k, int64_t n,
                    std::mt19937& random) {
  const int64_t passes = type.act == Dtype::kI16 ? hw.int16_cycles_per_row *
                                                       static_cast<int64_t>(SizeBytes(type.weight))
                         : type.act == Dtype::kF32 ? hw.f32_cycles_per_row
                                                   : hw.int8_cycles_per_row;
  ArrayModel model({.rows = hw.array_rows,
                    .cols = hw.array_cols,
                    .chains = hw.weight_rows_per_cycle,
                    .passes = passes,
                    .weight_bytes = static_cast<int64_t>(SizeBytes(type.weight)),
                    .overlap = hw.overlap,
                    .double_buffered = hw.double_buffered_weights,
                    .tile_rows = hw.tile_rows,
                    .tile_cols = hw.tile_cols,
                    .pipeline = hw.pipeline_cycles,
                    .swap = hw.weight_swap_cycles,
                    .load_used_rows = hw.load_used_rows,
                    .drain_used_columns = hw.drain_used_columns,
                    .row_groups = hw.row_groups,
                    .col_groups = hw.col_groups,
                    .chained = type.act == Dtype::kF32});
  std::uniform_int_distribution<int64_t> value(-127, 127);
  ArrayModel::Matrix x(m, std::vector<int64_t>(k)), w(k, std::vector<int64_t>(n)), out;
  for (auto& row : x) {
    for (int64_t& v : row) v = value(random) * (passes > 1 ? 250 : 1);
  }
  for (auto& row : w) {
    for (int64_t& v : row) v = value(random);
  }
  const int64_t cycles = model.Multiply(x, w, out);
  // The model is only worth comparing with if its registers compute the product.
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t c = 0; c < n; ++c) {
      int64_t sum = 0;
      for (int64_t r = 0; r < k; ++r) sum += x[i][r] * w[r][c];
      if (out[i][c] != sum) {
        ADD_FAILURE() << "the array model computes " << out[i][c] << " instead of " << sum;
        return -1;
      }
    }
  }
  return cycles;
}

void ExpectAgreement(const Hardware& hw, const TypeRate& type, int64_t m, int64_t k, int64_t n,
                     std::mt19937& random) {
  ASSERT_EQ(DeviceCycles(hw, type, m, k, n), ModelCycles(hw, type, m, k, n, random))
      << hw.array_rows << "x" << hw.array_cols << " " << NameOf(type.act) << ", " << m << "x" << k
      << "x" << n << ", chains " << hw.weight_rows_per_cycle << ", overlap " << hw.overlap
      << ", double " << hw.double_buffered_weights << ", tiles " << hw.tile_rows << "x"
      << hw.tile_cols << ", pipeline " << hw.pipeline_cycles << ", swap " << hw.weight_swap_cycles
      << ", used rows " << hw.load_used_rows << ", used columns " << hw.drain_used_columns
      << ", groups " << hw.row_groups << "x" << hw.col_groups;
}

// Every shape up to three times a small array in each dimension, every type, with and without
// overlap.
TEST(MatrixTimingTest, EveryTileShapeAgreesWithTheRegisterLevelArray) {
  std::mt19937 random(1);
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{3, 4}, {4, 2}}) {
    for (const TypeRate& type : kRateTypes) {
      for (int mode = 0; mode < 3; ++mode) {
        Hardware hw = ArrayHardware(rows, cols);
        hw.overlap = hw.double_buffered_weights = mode != 0;
        hw.weight_rows_per_cycle = mode == 2 ? 2 : 1;
        hw.f32_cycles_per_row = 4;
        for (int64_t m = 1; m <= 3 * rows; ++m) {
          for (int64_t k = 1; k <= 3 * rows; ++k) {
            for (int64_t n = 1; n <= 3 * cols; ++n) {
              ExpectAgreement(hw, type, m, k, n, random);
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

// What arrays differ in besides their size: tiles, registers around them, when and how much is loaded.
struct ArrayKind {
  int64_t chains, tile_rows, tile_cols, pipeline, swap;
  bool overlap, double_buffered, load_used_rows, drain_used_columns;
};
constexpr ArrayKind kArrayKinds[] = {
    // One plane of weights, loaded behind the stream; one plane without any overlap.
    {1, 1, 1, 0, 1, true, false, false, false},
    {2, 1, 1, 0, 0, false, false, false, false},
    // Two planes, streams one by one.
    {1, 1, 1, 0, 1, false, true, false, false},
    // Combinational tiles, alone and with all that Gemmini's mesh has.
    {1, 2, 2, 0, 1, true, true, false, false},
    {1, 2, 2, 1, 0, true, true, true, true},
    {1, 1, 1, 2, 0, true, true, true, true},
    {1, 2, 1, 3, 0, true, false, true, true},
    // What no real array is known to have together.
    {2, 1, 3, 0, 3, true, true, true, false},
    {3, 3, 2, 2, 2, true, true, true, true},
};

TEST(MatrixTimingTest, EveryKindOfArrayAgreesWithTheRegisterLevelArray) {
  std::mt19937 random(4);
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{3, 4}, {4, 2}}) {
    for (const ArrayKind& kind : kArrayKinds) {
      Hardware hw = ArrayHardware(rows, cols);
      hw.weight_rows_per_cycle = kind.chains;
      hw.tile_rows = kind.tile_rows;
      hw.tile_cols = kind.tile_cols;
      hw.pipeline_cycles = kind.pipeline;
      hw.weight_swap_cycles = kind.swap;
      hw.overlap = kind.overlap;
      hw.double_buffered_weights = kind.double_buffered;
      hw.load_used_rows = kind.load_used_rows;
      hw.drain_used_columns = kind.drain_used_columns;
      for (const TypeRate& type : {kRateTypes[0], kRateTypes[3]}) {
        for (int64_t m = 1; m <= 2 * rows + 1; ++m) {
          for (int64_t k = 1; k <= 2 * rows + 1; ++k) {
            for (int64_t n = 1; n <= 2 * cols + 1; ++n) {
              ExpectAgreement(hw, type, m, k, n, random);
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

// Arrays of blocks, whose rows and columns hold few weights several times: all shapes of folds, wide
// ones and narrow ones in a row.
TEST(MatrixTimingTest, EveryGroupingAgreesWithTheRegisterLevelArray) {
  std::mt19937 random(5);
  for (auto [row_groups, col_groups] : {std::pair<int64_t, int64_t>{2, 1}, {1, 2}, {4, 2}}) {
    for (const bool used_only : {false, true}) {
      Hardware hw = ArrayHardware(8, 4);
      hw.row_groups = row_groups;
      hw.col_groups = col_groups;
      hw.weight_rows_per_cycle = 4;
      hw.load_used_rows = hw.drain_used_columns = used_only;
      for (const TypeRate& type : {kRateTypes[0], kRateTypes[3], kRateTypes[4]}) {
        hw.f32_cycles_per_row = 3;
        for (int64_t m = 1; m <= 18; m += m < 9 ? 1 : 3) {
          for (int64_t k = 1; k <= 18; ++k) {
            for (int64_t n = 1; n <= 9; ++n) {
              ExpectAgreement(hw, type, m, k, n, random);
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

// acme_a0's array: every number of rows up to three times the array, the other two dimensions at
// and beside each boundary between folds.
TEST(MatrixTimingTest, TheSmallestBuiltInArrayAgreesAtEveryFold) {
  std::mt19937 random(3);
  const Hardware built_in = *BuiltinHardware("acme_a0");
  Hardware hw = ArrayHardware(built_in.array_rows, built_in.array_cols);
  hw.weight_rows_per_cycle = built_in.weight_rows_per_cycle;
  hw.f32_cycles_per_row = 4;
  for (const TypeRate& type : kRateTypes) {
    for (int64_t m = 1; m <= 3 * hw.array_rows; ++m) {
      for (int64_t k : {int64_t{1}, hw.array_rows, hw.array_rows + 1, 3 * hw.array_rows}) {
        for (int64_t n : {hw.array_cols - 1, hw.array_cols + 1, 3 * hw.array_cols}) {
          ExpectAgreement(hw, type, m, k, n, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(MatrixTimingTest, RealArraysAgreeOnRandomShapes) {
  std::mt19937 random(2);
  for (std::string_view soc : {"acme_a0", "acme_a1"}) {
    const Hardware built_in = *BuiltinHardware(soc);
    for (int i = 0; i < 12; ++i) {
      Hardware hw = ArrayHardware(built_in.array_rows, built_in.array_cols);
      hw.weight_rows_per_cycle = built_in.weight_rows_per_cycle;
      hw.row_groups = built_in.row_groups;
      hw.col_groups = built_in.col_groups;
      auto pick = [&](int64_t limit) {
        return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
      };
      ExpectAgreement(hw, kRateTypes[i % 4], pick(3 * hw.array_rows), pick(3 * hw.array_rows),
                      pick(3 * hw.array_cols), random);
      if (HasFatalFailure()) return;
    }
  }
}

int64_t LayerCycles(const Hardware& hw, int64_t m, int64_t k, int64_t n) {
  TestMachine machine(hw);
  machine.check_races = false;
  Expected<RunResult> result = machine.Run(FoldsProgram(hw, {m, k, n}), RunMode::kTimeOnly);
  if (!result) {
    ADD_FAILURE() << result.Error().Message();
    return -1;
  }
  return TestMachine::SpanOf(*result, Engine::kMatrix);
}

// SCALE-Sim reports one cycle less than folds * (2R + C + M - 2): it counts from 0.
TEST(MatrixTimingTest, EqualsScaleSimsFormulaWithOverlapOff) {
  for (int64_t size : {16, 32, 128}) {
    for (auto [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{3025, 363, 96},
                           {1, 1, 1},
                           {49, 4608, 512},
                           {12544, 27, 32}}) {
      const int64_t folds = ((k + size - 1) / size) * ((n + size - 1) / size);
      EXPECT_EQ(LayerCycles(ScaleSimHardware(size), m, k, n), folds * (2 * size + size + m - 2));
    }
  }
}

// SCALE-Sim v3 reports 1,433,453 cycles for MobileNet v1 on 32x32.
TEST(MatrixTimingTest, EqualsScaleSimOnMobileNetV1) {
  int64_t cycles = 0;
  for (const GemmSize& layer : MobileNetV1Layers())
    cycles += LayerCycles(ScaleSimHardware(32), layer.m, layer.k, layer.n) - 1;
  EXPECT_EQ(cycles, 1433453);
}

TEST(MatrixTimingTest, EqualsEveryRowOfScaleSim) {
  const std::filesystem::path folder = std::filesystem::path(npukit::SharedDir()) / "scalesim";
  if (!std::filesystem::is_directory(folder))
    GTEST_SKIP() << folder << " is absent: SCALE-Sim's rows are not compared";
  int rows = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    for (const CsvRow& row : ReadCsv(entry.path())) {
      if (row.Text("dataflow") != "ws") continue;
      const Hardware hw = ScaleSimHardware(row.Number("array"));
      ASSERT_EQ(LayerCycles(hw, row.Number("M"), row.Number("K"), row.Number("N")) - 1,
                row.Number("compute_cycles"))
          << entry.path() << " " << row.line();
      ++rows;
    }
  }
  RecordProperty("rows", rows);
  EXPECT_GT(rows, 300);
}

}  // namespace
}  // namespace acme

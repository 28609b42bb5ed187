// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The matrix engine against cycles that were measured on the generated RTL of two Gemmini meshes
// (../shared/rtl, whose README says how): every row. docs/timing.md shows the result.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "simulator/device/testing/csv_file.h"
#include "simulator/device/testing/test_machine.h"
#include "tests/support/shared_dir.h"

namespace acme {
namespace {

// The chips that have the measured meshes.
Hardware MeshHardware(const std::string& mesh) {
  Hardware hw = *BuiltinHardware("gemmini_like");
  if (mesh == "tiles1x1") {
    hw.array_rows = hw.array_cols = 16;
    hw.tile_rows = hw.tile_cols = 1;
    hw.pipeline_cycles = 2;  // this one has registers behind the array, too
  }
  hw.queue_depth = 256;
  return hw;
}

struct Product {
  int64_t m, k, n;
};

// The folds of some products one after the other. Operands come from the same place: only time
// matters. The engine begins when 100 folds, or all, are queued, so that the array is measured and not
// the command processor.
std::vector<Word> FoldProgram(const Hardware& hw, const std::vector<Product>& products) {
  ProgramBuilder b;
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0}, Wait(1));
  const int32_t row_bytes = static_cast<int32_t>(hw.scratchpad_word_bytes);
  int folds = 0;
  for (const Product& p : products) {
    for (int64_t n0 = 0; n0 < p.n; n0 += hw.array_cols) {
      for (int64_t k0 = 0; k0 < p.k; k0 += hw.array_rows) {
        b.Emit(isa::MLoadW{.addr = 0,
                           .k = static_cast<uint32_t>(std::min(hw.array_rows, p.k - k0)),
                           .n = static_cast<uint32_t>(std::min(hw.array_cols, p.n - n0)),
                           .k_stride = row_bytes,
                           .n_stride = 1});
        b.Emit(isa::MStream{.addr = 65536,
                            .acc = 0,
                            .m = static_cast<uint32_t>(p.m),
                            .row_stride = row_bytes,
                            .swap = true,
                            .accumulate = k0 > 0});
        if (++folds == 100) b.Emit(isa::CpNop{}, Post(1));
      }
    }
  }
  if (folds < 100) b.Emit(isa::CpNop{}, Post(1));
  b.Halt();
  return *b.Finish();
}

// What one instruction did, in the order in which they began.
struct Timeline {
  std::vector<TraceSlice> loads, streams;
  int64_t span_cycles = 0;

  int64_t LoadCycles(size_t i) const { return loads[i].end_cycle - loads[i].begin_cycle; }
  int64_t StreamCycles(size_t i) const { return streams[i].end_cycle - streams[i].begin_cycle; }
  int64_t Distance(size_t i) const { return streams[i + 1].begin_cycle - streams[i].begin_cycle; }
};

Timeline Run(const Hardware& hw, const std::vector<Product>& products) {
  TestMachine machine(hw);
  machine.check_races = false;  // one engine
  const Expected<RunResult> result = machine.Run(FoldProgram(hw, products), RunMode::kTimeOnly);
  Timeline timeline;
  if (!result) {
    ADD_FAILURE() << result.Error().Message();
    return timeline;
  }
  for (const TraceSlice& slice : result->trace) {
    if (slice.opcode == static_cast<uint8_t>(Opcode::kMLoadW)) timeline.loads.push_back(slice);
    if (slice.opcode == static_cast<uint8_t>(Opcode::kMStream)) timeline.streams.push_back(slice);
  }
  timeline.span_cycles = TestMachine::SpanOf(*result, Engine::kMatrix);
  return timeline;
}

// Values compared and equal, by mesh.
using Score = std::map<std::string, std::pair<int, int>>;

class Comparison {
 public:
  Comparison(const CsvRow& row, std::pair<int, int>& score) : row_(row), score_(score) {}
  void Expect(const std::string& column, int64_t cycles) {
    ++score_.first;
    EXPECT_EQ(cycles, row_.Number(column)) << column << " of " << row_.line();
    if (cycles == row_.Number(column)) ++score_.second;
  }

 private:
  const CsvRow& row_;
  std::pair<int, int>& score_;
};

void CompareFold(const CsvRow& row, Score& score) {
  Hardware hw = MeshHardware(row.Text("mesh"));
  ASSERT_EQ(row.Number("mesh_rows") * row.Number("tile_rows"), hw.array_rows);
  ASSERT_EQ(row.Number("mesh_cols") * row.Number("tile_cols"), hw.array_cols);
  ASSERT_EQ(row.Number("tile_rows"), hw.tile_rows);
  ASSERT_EQ(row.Number("output_delay") + 1, hw.pipeline_cycles);
  const Product fold = {row.Number("m"), row.Number("k"), row.Number("n")};
  // Weights in the last rows are shifted through the whole array. The measurement then counts from the
  // first row that has any, which gets its activations that much later than the array's first.
  const bool bottom = row.Text("weights_at") == "bottom";
  hw.load_used_rows = !bottom;
  const int64_t entry_cycles = bottom ? (hw.array_rows - fold.k) / hw.tile_rows : 0;

  const Timeline steady = Run(hw, std::vector<Product>(6, fold));
  const Timeline first_column = Run(hw, {{fold.m, fold.k, 1}});
  hw.double_buffered_weights = false;
  const Timeline serial = Run(hw, std::vector<Product>(6, fold));
  ASSERT_EQ(steady.streams.size(), 6u);
  ASSERT_EQ(serial.streams.size(), 6u);
  Comparison compare(row, score[row.Text("mesh")]);
  compare.Expect("preload_cycles", steady.LoadCycles(0));
  compare.Expect("first_in_to_last_out_cycles", steady.StreamCycles(0) - entry_cycles);
  compare.Expect("steady_fold_distance_cycles", steady.Distance(0));
  compare.Expect("serial_fold_distance_cycles", serial.Distance(0));
  compare.Expect("first_column_latency", first_column.StreamCycles(0) - fold.m);
  compare.Expect("last_column_latency", steady.StreamCycles(0) - fold.m);
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(steady.LoadCycles(i), steady.LoadCycles(0));
    EXPECT_EQ(steady.StreamCycles(i), steady.StreamCycles(0));
    EXPECT_EQ(steady.Distance(i), steady.Distance(0));
    EXPECT_EQ(serial.Distance(i), serial.Distance(0));
  }
}

void CompareProduct(const CsvRow& row, Score& score) {
  Hardware hw = MeshHardware(row.Text("mesh"));
  hw.load_used_rows = row.Text("weight_rows_loaded") == "used";
  const Timeline timeline = Run(hw, {{row.Number("m"), row.Number("k"), row.Number("n")}});
  ASSERT_EQ(static_cast<int64_t>(timeline.streams.size()), row.Number("folds"));
  Comparison(row, score[row.Text("mesh")]).Expect("cycles", timeline.span_cycles);
}

// The mesh with the registers that skew its inputs and line up its outputs: results wait for the last
// column, and an operand buffer stands in front. (Its other column, the distance of requests, is that
// of a queue of five, which is not the array's.)
void CompareRequest(const CsvRow& row, Score& score) {
  Hardware hw = MeshHardware("tiles1x1");
  hw.drain_used_columns = false;
  hw.pipeline_cycles = 3;
  const Timeline timeline = Run(hw, {{row.Number("m"), row.Number("k"), 16}});
  ASSERT_EQ(timeline.streams.size(), 1u);
  Comparison(row, score["tiles1x1"])
      .Expect("first_row_accepted_to_last_result_cycles", timeline.StreamCycles(0));
}

std::string TableRow(const std::string& what, const Score& score) {
  std::string line = "| " + what;
  for (const char* mesh : {"tiles2x2", "tiles1x1"}) {
    const auto found = score.find(mesh);
    line += found == score.end()
                ? " | -"
                : fmt::format(" | {} of {}", found->second.second, found->second.first);
  }
  return line + " |\n";
}

TEST(RtlCyclesTest, EveryRowIsReproduced) {
  const std::filesystem::path folder = std::filesystem::path(npukit::SharedDir()) / "rtl";
  if (!std::filesystem::is_directory(folder))
    GTEST_SKIP() << folder << " is absent: cycles are not compared with those of RTL";
  const std::vector<CsvRow> folds = ReadCsv(folder / "gemmini_mesh.csv");
  const std::vector<CsvRow> products = ReadCsv(folder / "gemmini_mesh_gemm.csv");
  const std::vector<CsvRow> requests = ReadCsv(folder / "gemmini_mesh_with_delays.csv");
  EXPECT_EQ(folds.size(), 3723u);
  EXPECT_EQ(products.size(), 73u);
  EXPECT_EQ(requests.size(), 56u);
  Score fold_score, product_score, request_score;
  for (const CsvRow& row : folds) CompareFold(row, fold_score);
  for (const CsvRow& row : products) CompareProduct(row, product_score);
  for (const CsvRow& row : requests) CompareRequest(row, request_score);

  const std::string table =
      "| cycles equal to the RTL's | 32x32 cells in tiles of 2x2 | 16x16 cells |\n"
      "| --- | --- | --- |\n" +
      TableRow("folds, six quantities each", fold_score) +
      TableRow("whole products, first weight to last result", product_score) +
      TableRow("requests through skew and buffer", request_score);
  std::ifstream file(std::string(NPUKIT_SOURCE_DIR) + "/docs/timing.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(page.find(table), std::string::npos) << "docs/timing.md should have\n" << table;
}

}  // namespace
}  // namespace acme

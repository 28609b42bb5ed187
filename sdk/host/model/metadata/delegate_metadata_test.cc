// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/metadata/delegate_metadata.h"

#include <gtest/gtest.h>

namespace npukit {
namespace {

std::vector<DelegateRecord> Sample() {
  DelegateRecord record;
  record.entry_point = "main_0";
  record.output = "y";
  record.plugin = "AcmeCorp";
  record.soc_model = "acme_a1";
  record.specs = {{"key", {0, 1, 255}}, {"empty", {}}};
  record.ops = {{0, 3, "MUL", "a", ""}, {1, 7, "ADD", "y", "odml.x"}};
  record.handles = {{9, "tile", {0, 1}, "y"}, {10, "", {}, ""}};
  record.in_place = {{1, 0}, {0, 3}};
  DelegateRecord other;
  other.entry_point = "main_1";
  DelegateRecord on_cpu;
  on_cpu.output = "y";
  on_cpu.ops = {{0, 5, "NEG", "z", ""}};
  return {record, other, on_cpu};
}

TEST(DelegateMetadata, ComesBackAsItWasWritten) {
  Model model;
  const auto none = ReadDelegates(model);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  WriteDelegates(model, Sample());
  const auto read = ReadDelegates(model);
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(*read, Sample());
  EXPECT_EQ(read->front().FindHandle(9)->name, "tile");
  EXPECT_EQ(read->front().FindHandle(11), nullptr);
}

// As version 1 had it: a handle ends with its ops.
TEST(DelegateMetadata, HandlesOfVersion1HaveTheirLastOpsValue) {
  const auto number = [](uint32_t value) { return std::string{static_cast<char>(value), 0, 0, 0}; };
  const auto text = [&](const std::string& run) { return number(run.size()) + run; };
  const std::string record = text("main_0") + text("y") + text("AcmeCorp") + text("") + number(0) +
                             number(1) + number(0) + number(3) + text("MUL") + text("y") +
                             text("") + number(1) + number(9) + text("tile") + number(1) +
                             number(0);
  const std::string bytes = "NPKD" + number(1) + number(1) + record;
  Model model;
  model.SetMetadata(kDelegateMetadata, SharedBytes::Take({bytes.begin(), bytes.end()}));
  const auto read = ReadDelegates(model);
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(read->front().handles.front().value, "y");
}

// As version 2 had it: a record ends with its handles.
TEST(DelegateMetadata, NothingOfVersion2IsInPlace) {
  const std::string zero(4, '\0');
  const std::string one{1, 0, 0, 0};
  const std::string record = one + "m" + one + "y" + one + "P" + zero + zero + zero + zero;
  const std::string bytes = "NPKD" + std::string{2, 0, 0, 0} + one + record;
  Model model;
  model.SetMetadata(kDelegateMetadata, SharedBytes::Take({bytes.begin(), bytes.end()}));
  const auto read = ReadDelegates(model);
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(read->front().entry_point, "m");
  EXPECT_TRUE(read->front().in_place.empty());
}

TEST(DelegateMetadata, AnOpOnTheCpuIsFoundByItsOutput) {
  Model model;
  Subgraph& subgraph = model.AddSubgraph();
  Tensor& y = subgraph.AddTensor();
  y.name = "y";
  Op& op = subgraph.AddOp();
  Subgraph::AddOutput(op, y);
  const std::vector<DelegateRecord> delegates = Sample();
  EXPECT_EQ(FindDelegate(delegates, op), &delegates[2]);
  op.dispatch = DispatchInfo{.entry_point = "main_0"};
  EXPECT_EQ(FindDelegate(delegates, op), &delegates[0]);
  y.name = "";
  EXPECT_EQ(FindDelegate(delegates, op), nullptr);
}

TEST(DelegateMetadata, EveryCutIsAnErrorAndNoByteCanBreakTheReader) {
  Model model;
  WriteDelegates(model, Sample());
  const auto whole = model.buffers().Get(model.FindMetadata(kDelegateMetadata)->buffer).bytes;
  const std::vector<uint8_t> bytes(whole.begin(), whole.end());
  for (size_t size = 0; size < bytes.size(); ++size) {
    Model cut;
    cut.SetMetadata(kDelegateMetadata, SharedBytes::Copy(std::span(bytes).first(size)));
    EXPECT_FALSE(ReadDelegates(cut)) << size;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::vector<uint8_t> changed = bytes;
    changed[i] ^= 0xff;
    Model broken;
    broken.SetMetadata(kDelegateMetadata, SharedBytes::Take(std::move(changed)));
    const auto read = ReadDelegates(broken);
    if (!read) continue;
    for (const DelegateRecord& record : *read) {
      for (const auto& handle : record.handles) {
        for (uint32_t op : handle.ops) EXPECT_LT(op, record.ops.size());
      }
    }
  }
}

}  // namespace
}  // namespace npukit

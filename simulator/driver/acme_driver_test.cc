// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/acme_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "simulator/driver/testing/driver_fixture.h"

extern "C" int AcmeCompileTestOpenAndClose(void);

namespace acme {
namespace {

TEST_F(DriverTest, LinksFromC) { EXPECT_EQ(AcmeCompileTestOpenAndClose(), kAcmeOk); }

TEST_F(DriverTest, WorksInTheWorkspaceThatItIsGiven) {
  Load(WorkspaceModule());
  BindBoth();
  AcmeEntryInfo info = {};
  ASSERT_EQ(AcmeModuleGetEntry(module_, 0, &info), kAcmeOk);
  EXPECT_EQ(info.workspace_bytes, 40u);
  const auto run = [&](float first) {
    x_[0] = first;
    EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeOk) << AcmeLastError();
    EXPECT_EQ(y_[0], first);
  };
  run(1);  // on its own
  std::vector<uint8_t> given(41, 0xff);
  // At any address, with any contents; no byte further than it asks for is written.
  ASSERT_EQ(AcmeContextUseWorkspace(context_, given.data() + 1, 40), kAcmeOk) << AcmeLastError();
  run(2);
  const auto* bytes = reinterpret_cast<const uint8_t*>(x_);
  EXPECT_TRUE(std::equal(bytes, bytes + 32, given.data() + 1));
  EXPECT_THAT(std::vector<uint8_t>(given.begin() + 33, given.end()), ::testing::Each(0xff));
  EXPECT_EQ(given[0], 0xff);
  EXPECT_EQ(AcmeContextUseWorkspace(context_, given.data(), 39), kAcmeInvalidArgument);
  EXPECT_STREQ(AcmeLastError(), "the workspace of main needs 40 bytes, got 39");
  EXPECT_EQ(AcmeContextUseWorkspace(context_, nullptr, 40), kAcmeInvalidArgument);
  EXPECT_EQ(AcmeContextUseWorkspace(nullptr, given.data(), 40), kAcmeInvalidArgument);
  // Neither an input nor an output.
  for (const auto& [memory, name] : {std::pair{x_, "x"}, std::pair{y_, "y"}}) {
    ASSERT_EQ(AcmeContextUseWorkspace(context_, memory, 64), kAcmeOk);
    EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeInvalidArgument);
    EXPECT_STREQ(AcmeLastError(), (std::string("the workspace overlaps binding ") + name).c_str());
  }
  ASSERT_EQ(AcmeContextUseWorkspace(context_, nullptr, 0), kAcmeOk);
  std::ranges::fill(given, uint8_t{7});
  run(3);
  EXPECT_THAT(given, ::testing::Each(7)) << "of a context that is destroyed";
}

TEST_F(DriverTest, RunsAndCounts) {
  Load(DoublingModule());
  BindBoth();
  AcmeRunOptions options = {sizeof(options), kAcmeFunctionAndTime, 0, true, true, true};
  ASSERT_EQ(AcmeContextRun(context_, &options), kAcmeOk) << AcmeLastError();
  EXPECT_THAT(y_, ::testing::ElementsAre(2, 4, 6, 8, 10, 12, 14, 16));
  AcmeCounters counters = {sizeof(counters)};
  ASSERT_EQ(AcmeContextGetCounters(context_, &counters), kAcmeOk);
  EXPECT_GT(counters.cycles, 100u);
  EXPECT_EQ(counters.instructions, 9u);
  EXPECT_GT(counters.energy_pj, 0);
  for (int e = 0; e < kAcmeEngineCount; ++e) {
    uint64_t sum = counters.busy_cycles[e];
    for (uint64_t stall : counters.stall_cycles[e]) sum += stall;
    EXPECT_EQ(sum, counters.cycles) << AcmeEngineName(e);
  }
  const AcmeHandleProfile* profile = nullptr;
  size_t count = 0;
  ASSERT_EQ(AcmeContextGetProfile(context_, &profile, &count), kAcmeOk);
  uint64_t cycles = 0;
  for (size_t i = 0; i < count; ++i) cycles += profile[i].cycles;
  EXPECT_EQ(cycles, counters.cycles);
  const std::string path = ::testing::TempDir() + "/acme_driver_trace.json";
  ASSERT_EQ(AcmeContextWriteTrace(context_, path.c_str()), kAcmeOk);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, ::testing::HasSubstr("\"name\":\"double\""));
  std::remove(path.c_str());
}

TEST_F(DriverTest, DescribesChipsWithMore) {
  AcmeDevice* device = nullptr;
  ASSERT_EQ(AcmeDeviceOpen("acme_a0", &device), kAcmeOk);
  size_t index = 0;
  while (AcmeResourceName(index) != nullptr && std::string(AcmeResourceName(index)) != "scratchpad")
    ++index;
  size_t size = 0;
  ASSERT_EQ(AcmeDeviceDescribeDoubled(device, index, nullptr, 0, &size), kAcmeOk);
  std::string text(size, 'x');
  EXPECT_EQ(AcmeDeviceDescribeDoubled(device, index, text.data(), size - 1, &size), kAcmeOk);
  EXPECT_EQ(text, std::string(size, 'x')) << "written though there is no room";
  ASSERT_EQ(AcmeDeviceDescribeDoubled(device, index, text.data(), size, &size), kAcmeOk);
  EXPECT_EQ(text.back(), 0);
  const std::string path = ::testing::TempDir() + "/acme_doubled.yaml";
  std::ofstream(path) << text.c_str();
  AcmeDevice* more = nullptr;
  ASSERT_EQ(AcmeDeviceOpenFile(path.c_str(), &more), kAcmeOk) << AcmeLastError();
  AcmeDeviceInfo info;
  ASSERT_EQ(AcmeDeviceGetInfo(more, &info), kAcmeOk);
  EXPECT_EQ(info.scratchpad_bytes, 512 << 10);
  EXPECT_EQ(AcmeDeviceDescribeDoubled(device, 99, nullptr, 0, &size), kAcmeNotFound);
  EXPECT_EQ(AcmeDeviceDescribeDoubled(nullptr, 0, nullptr, 0, &size), kAcmeInvalidArgument);
  EXPECT_EQ(AcmeDeviceDescribeDoubled(device, 0, nullptr, 1, &size), kAcmeInvalidArgument);
  AcmeDeviceClose(more);
  AcmeDeviceClose(device);
  std::remove(path.c_str());
}

TEST_F(DriverTest, ModesAgree) {
  Load(DoublingModule());
  AcmeRunOptions options = {sizeof(options), kAcmeTimeOnly};
  ASSERT_EQ(AcmeContextRun(context_, &options), kAcmeOk) << AcmeLastError();
  AcmeCounters time = {sizeof(time)};
  ASSERT_EQ(AcmeContextGetCounters(context_, &time), kAcmeOk);
  BindBoth();
  ASSERT_EQ(AcmeContextRun(context_, nullptr), kAcmeOk);
  AcmeCounters both = {sizeof(both)};
  ASSERT_EQ(AcmeContextGetCounters(context_, &both), kAcmeOk);
  EXPECT_EQ(time.cycles, both.cycles);
  std::fill(std::begin(y_), std::end(y_), 0.0f);
  options.mode = kAcmeFunctionOnly;
  ASSERT_EQ(AcmeContextRun(context_, &options), kAcmeOk);
  EXPECT_THAT(y_, ::testing::ElementsAre(2, 4, 6, 8, 10, 12, 14, 16));
}

// Each of the programs that inputs choose has a time of its own, whichever ran before.
TEST_F(DriverTest, EachVariantHasItsTime) {
  Module module = *ParseModule(DoublingModule());
  ModuleEntry& entry = module.entries.front();
  // Bits of positive floats, as int32: of two variants that idle first, the one for the smallest numbers the longest.
  const auto add = [&](float below, uint32_t rounds) {
    ProgramBuilder b;
    b.Emit(isa::VShape{.n0 = 4096, .n1 = 1, .n2 = 1, .n3 = 1});
    b.Emit(isa::VView{.view = View::kDst, .s0 = 1});
    b.BeginLoop(rounds);
    b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 4096, .value = 1});
    b.EndLoop();
    b.Halt();
    entry.variants.push_back(
        {.guards = {{.binding = 0, .limit = std::bit_cast<uint32_t>(below)}}, .code = *b.Finish()});
  };
  add(10, 40);
  add(20, 20);
  Load(SerializeModule(module));
  BindBoth();
  const auto cycles_with = [&](float largest) {
    x_[7] = largest;
    const AcmeRunOptions options = {sizeof(options), kAcmeFunctionAndTime};
    EXPECT_EQ(AcmeContextRun(context_, &options), kAcmeOk) << AcmeLastError();
    AcmeCounters counters = {sizeof(counters)};
    EXPECT_EQ(AcmeContextGetCounters(context_, &counters), kAcmeOk);
    return counters.cycles;
  };
  const int64_t shortest = cycles_with(8);
  const int64_t whole = cycles_with(30);
  const int64_t longer = cycles_with(15);
  EXPECT_GT(shortest, longer);
  EXPECT_GT(longer, whole);
  EXPECT_EQ(cycles_with(8), shortest);
  EXPECT_EQ(cycles_with(30), whole);
  EXPECT_EQ(cycles_with(15), longer);
}

// Its time is known then (known_times.h).
TEST_F(DriverTest, ALaterRunHasNewValuesAndTheSameTime) {
  Load(DoublingModule());
  BindBoth();
  AcmeRunOptions options = {sizeof(options), kAcmeFunctionAndTime};
  options.profile = true;
  AcmeCounters first = {sizeof(first)};
  ASSERT_EQ(AcmeContextRun(context_, &options), kAcmeOk) << AcmeLastError();
  ASSERT_EQ(AcmeContextGetCounters(context_, &first), kAcmeOk);
  x_[0] = 21;
  AcmeCounters later = {sizeof(later)};
  ASSERT_EQ(AcmeContextRun(context_, &options), kAcmeOk) << AcmeLastError();
  ASSERT_EQ(AcmeContextGetCounters(context_, &later), kAcmeOk);
  EXPECT_THAT(y_, ::testing::ElementsAre(42, 4, 6, 8, 10, 12, 14, 16));
  EXPECT_EQ(later.cycles, first.cycles);
  EXPECT_EQ(later.instructions, first.instructions);
  EXPECT_EQ(later.energy_pj, first.energy_pj);
  for (int e = 0; e < kAcmeEngineCount; ++e) {
    EXPECT_EQ(later.busy_cycles[e], first.busy_cycles[e]);
    EXPECT_THAT(later.stall_cycles[e], ::testing::ElementsAreArray(first.stall_cycles[e]));
  }
  const AcmeHandleProfile* profile = nullptr;
  size_t count = 0;
  ASSERT_EQ(AcmeContextGetProfile(context_, &profile, &count), kAcmeOk);
  EXPECT_GT(count, 0u);
  options.cycle_budget = first.cycles / 2;
  EXPECT_EQ(AcmeContextRun(context_, &options), kAcmeCycleBudget);
}

TEST_F(DriverTest, QueriesDescribeTheModule) {
  Load(DoublingModule());
  AcmeDeviceInfo device;
  ASSERT_EQ(AcmeDeviceGetInfo(device_, &device), kAcmeOk);
  EXPECT_STREQ(device.name, "acme_a1");
  EXPECT_EQ(device.peak_macs_per_cycle, 1024);
  AcmeEntryInfo entry;
  ASSERT_EQ(AcmeModuleEntryCount(module_), 1u);
  ASSERT_EQ(AcmeModuleGetEntry(module_, 0, &entry), kAcmeOk);
  EXPECT_STREQ(entry.name, "main");
  EXPECT_EQ(entry.input_count, 1u);
  EXPECT_EQ(entry.output_count, 1u);
  size_t index = 9;
  EXPECT_EQ(AcmeModuleFindEntry(module_, nullptr, &index), kAcmeOk);
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(AcmeModuleFindEntry(module_, "other", &index), kAcmeNotFound);
  AcmeBindingInfo binding;
  ASSERT_EQ(AcmeModuleGetBinding(module_, 0, 1, &binding), kAcmeOk);
  EXPECT_STREQ(binding.name, "y");
  EXPECT_TRUE(binding.output);
  EXPECT_EQ(AcmeModuleGetBinding(module_, 0, 2, &binding), kAcmeNotFound);
  const char* name = nullptr;
  const uint32_t* ops = nullptr;
  size_t count = 0;
  ASSERT_EQ(AcmeModuleGetHandle(module_, 1, &name, &ops, &count), kAcmeOk);
  EXPECT_STREQ(name, "double");
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(AcmeModuleGetHandle(module_, 2, &name, &ops, &count), kAcmeNotFound);
  EXPECT_STREQ(AcmeSocModelName(0), "acme_a0");
  EXPECT_STREQ(AcmeSocModelName(5), "gemmini_like");
  EXPECT_EQ(AcmeSocModelName(6), nullptr);
}

TEST_F(DriverTest, BadArgumentsAreErrors) {
  Load(DoublingModule());
  EXPECT_EQ(AcmeDeviceOpen(nullptr, nullptr), kAcmeInvalidArgument);
  AcmeDevice* other = nullptr;
  EXPECT_EQ(AcmeDeviceOpen("acme_z", &other), kAcmeNotFound);
  EXPECT_STREQ(AcmeLastError(),
               "unknown SoC model acme_z; known: acme_a0, acme_a1, acme_a2, acme_edge128, "
               "acme_edge256, gemmini_like");
  EXPECT_EQ(AcmeDeviceOpenFile("/nowhere.yaml", &other), kAcmeIo);
  EXPECT_EQ(AcmeModuleLoad(device_, "junk", 4, &module_), kAcmeInvalidProgram);
  EXPECT_EQ(AcmeContextRun(nullptr, nullptr), kAcmeInvalidArgument);
  EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeInvalidArgument);
  EXPECT_STREQ(AcmeLastError(), "binding x is not bound");
  EXPECT_EQ(AcmeContextBind(context_, 2, x_, sizeof(x_)), kAcmeInvalidArgument);
  EXPECT_EQ(AcmeContextBind(context_, 0, x_, 8), kAcmeInvalidArgument);
  EXPECT_EQ(AcmeContextBind(context_, 0, nullptr, 8), kAcmeInvalidArgument);
  ASSERT_EQ(AcmeContextBind(context_, 0, x_, sizeof(x_)), kAcmeOk);
  ASSERT_EQ(AcmeContextBind(context_, 1, x_, sizeof(x_)), kAcmeOk);
  EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeInvalidArgument);
  EXPECT_STREQ(AcmeLastError(), "output y overlaps binding x");
  AcmeCounters counters = {1};
  EXPECT_EQ(AcmeContextGetCounters(context_, &counters), kAcmeInvalidArgument);
  counters.struct_size = sizeof(counters);
  EXPECT_EQ(AcmeContextGetCounters(context_, &counters), kAcmeNotFound);
  AcmeRunOptions options = {7};
  EXPECT_EQ(AcmeContextRun(context_, &options), kAcmeInvalidArgument);
  AcmeContextDestroy(nullptr);
  AcmeModuleUnload(nullptr);
  AcmeDeviceClose(nullptr);
  AcmeFenceRelease(nullptr);
}

TEST_F(DriverTest, AnotherSocRefusesTheModule) {
  AcmeDevice* a0 = nullptr;
  ASSERT_EQ(AcmeDeviceOpen("acme_a0", &a0), kAcmeOk);
  const std::vector<uint8_t> bytes = DoublingModule("acme_a1");
  AcmeModule* module = nullptr;
  EXPECT_EQ(AcmeModuleLoad(a0, bytes.data(), bytes.size(), &module), kAcmeIncompatible);
  EXPECT_STREQ(AcmeLastError(), "the module was compiled for acme_a1, this is acme_a0");
  AcmeDeviceClose(a0);
}

TEST_F(DriverTest, DifferentChipsRunSideBySide) {
  AcmeCounters counters[2] = {{sizeof(AcmeCounters)}, {sizeof(AcmeCounters)}};
  const char* models[] = {"acme_a0", "acme_a2"};
  AcmeDevice* devices[2];
  AcmeModule* modules[2];
  AcmeContext* contexts[2];
  float y[2][8];
  for (int i = 0; i < 2; ++i) {
    const std::vector<uint8_t> bytes = DoublingModule(models[i]);
    ASSERT_EQ(AcmeDeviceOpen(models[i], &devices[i]), kAcmeOk);
    ASSERT_EQ(AcmeModuleLoad(devices[i], bytes.data(), bytes.size(), &modules[i]), kAcmeOk);
    ASSERT_EQ(AcmeContextCreate(modules[i], 0, &contexts[i]), kAcmeOk);
    ASSERT_EQ(AcmeContextBind(contexts[i], 0, x_, sizeof(x_)), kAcmeOk);
    ASSERT_EQ(AcmeContextBind(contexts[i], 1, y[i], sizeof(y[i])), kAcmeOk);
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(AcmeContextRun(contexts[i], nullptr), kAcmeOk);
      ASSERT_EQ(AcmeContextGetCounters(contexts[i], &counters[i]), kAcmeOk);
      EXPECT_EQ(y[i][7], 16);
    }
  }
  EXPECT_NE(counters[0].cycles, counters[1].cycles);
  for (int i = 0; i < 2; ++i) {
    AcmeContextDestroy(contexts[i]);
    AcmeModuleUnload(modules[i]);
    AcmeDeviceClose(devices[i]);
  }
}

TEST_F(DriverTest, ObjectsOutliveTheirParents) {
  Load(DoublingModule());
  AcmeModuleUnload(module_);
  AcmeDeviceClose(device_);
  module_ = nullptr;
  device_ = nullptr;
  BindBoth();
  EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeOk);
  EXPECT_EQ(y_[7], 16);
}

TEST_F(DriverTest, SubmitsAndWaits) {
  Load(DoublingModule());
  BindBoth();
  for (int i = 0; i < 20; ++i) {
    AcmeFence* fence = nullptr;
    ASSERT_EQ(AcmeContextSubmit(context_, nullptr, &fence), kAcmeOk) << AcmeLastError();
    EXPECT_EQ(AcmeFenceWait(fence, -1), kAcmeOk);
    AcmeFenceRelease(fence);
    EXPECT_EQ(y_[0], 2);
    y_[0] = 0;
  }
}

TEST_F(DriverTest, FenceOutlivesItsContext) {
  Load(DoublingModule());
  BindBoth();
  AcmeFence* fence = nullptr;
  ASSERT_EQ(AcmeContextSubmit(context_, nullptr, &fence), kAcmeOk);
  AcmeContextDestroy(context_);
  context_ = nullptr;
  EXPECT_EQ(AcmeFenceWait(fence, 0), kAcmeOk);
  AcmeFenceRelease(fence);
}

TEST_F(DriverTest, CancelEndsARun) {
  Load(LongModule(5000000));
  AcmeFence* fence = nullptr;
  ASSERT_EQ(AcmeContextSubmit(context_, nullptr, &fence), kAcmeOk);
  EXPECT_EQ(AcmeContextReset(context_), kAcmeBusy);
  EXPECT_EQ(AcmeContextRun(context_, nullptr), kAcmeBusy);
  EXPECT_EQ(AcmeFenceWait(fence, 0), kAcmeTimeout);
  ASSERT_EQ(AcmeContextCancel(context_), kAcmeOk);
  EXPECT_EQ(AcmeFenceWait(fence, -1), kAcmeCancelled);
  AcmeFenceRelease(fence);
}

TEST_F(DriverTest, CycleBudgetEndsARun) {
  Load(LongModule(1000));
  AcmeRunOptions options = {sizeof(options), kAcmeTimeOnly, 5000};
  EXPECT_EQ(AcmeContextRun(context_, &options), kAcmeCycleBudget);
  options.cycle_budget = 0;
  EXPECT_EQ(AcmeContextRun(context_, &options), kAcmeOk);
}

TEST_F(DriverTest, ContextsRunInParallel) {
  Load(DoublingModule());
  std::vector<std::thread> threads;
  std::vector<int> good(8, 0);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t, &good] {
      AcmeContext* context = nullptr;
      float x[8], y[8];
      std::fill_n(x, 8, static_cast<float>(t));
      bool ok = AcmeContextCreate(module_, 0, &context) == kAcmeOk;
      ok = ok && AcmeContextBind(context, 0, x, sizeof(x)) == kAcmeOk &&
           AcmeContextBind(context, 1, y, sizeof(y)) == kAcmeOk;
      for (int i = 0; ok && i < 50; ++i)
        ok = AcmeContextRun(context, nullptr) == kAcmeOk && y[3] == static_cast<float>(2 * t);
      AcmeContextDestroy(context);
      good[t] = ok ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(good, ::testing::Each(1));
}

}  // namespace
}  // namespace acme

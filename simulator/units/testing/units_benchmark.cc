// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values alone, instruction by instruction, under each set of kernels.

#include <benchmark/benchmark.h>

#include <string>

#include "simulator/units/testing/unit_rig.h"

namespace acme {
namespace {

using benchmark::Counter;

Hardware BigHardware() { return *BuiltinHardware("acme_a1"); }

void ConfigureWindowed(UnitRig& rig, uint32_t channels, uint32_t width, uint32_t height) {
  const int32_t c = static_cast<int32_t>(channels), w = static_cast<int32_t>(width);
  rig.Do(isa::VShape{channels, width, height, 1});
  rig.Do(isa::VView{View::kDst, 1, c, c * w, 0});
  rig.Do(isa::VWindow{3, 3, 1, 1, 1, 1, 1});
  rig.Do(isa::VInput{height, width, c * w, c, -1, -1});
  rig.Do(isa::VParams{.addr = 900000, .tap_stride = c, .record_stride = 10});
}

void BM_Depthwise(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  ConfigureWindowed(rig, 96, 56, 56);
  for (auto _ : state)
    rig.Do(isa::VDepthwise{.dtype = Dtype::kI8, .dst = 400000, .a = 0, .weights = 950000});
  state.counters["elem/s"] = Counter(96 * 56 * 56, Counter::kIsIterationInvariantRate);
}

void BM_Drain(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  rig.Do(isa::VShape{32, 1024, 1, 1});
  rig.Do(isa::VView{View::kDst, 1, 32, 0, 0});
  rig.Do(isa::VParams{.record_stride = 10});
  for (auto _ : state) {
    rig.Do(isa::VDrain{
        .acc = 0, .dst = 0, .params = 900000, .acc_type = Dtype::kI32, .out = Dtype::kI8});
  }
  state.counters["elem/s"] = Counter(32 * 1024, Counter::kIsIterationInvariantRate);
}

void BM_Add(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  rig.Do(isa::VShape{100000, 1, 1, 1});
  for (View view : {View::kDst, View::kA, View::kB}) rig.Do(isa::VView{view, 1, 0, 0, 0});
  rig.Do(isa::VQuant{.view = View::kA, .zp = 3, .mult = 1u << 30, .left_shift = 20});
  rig.Do(isa::VQuant{.view = View::kB, .zp = -3, .mult = 1u << 30, .shift = -1});
  rig.Do(isa::VQuant{.view = View::kDst, .zp = 0, .mult = 1u << 30, .shift = -18});
  for (auto _ : state) {
    rig.Do(isa::VBinary{
        .op = BinaryOp::kAdd, .dtype = Dtype::kI8, .dst = 500000, .a = 0, .b = 200000});
  }
  state.counters["elem/s"] = Counter(100000, Counter::kIsIterationInvariantRate);
}

void BM_Pool(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  ConfigureWindowed(rig, 1280, 1, 1);
  rig.Do(isa::VWindow{7, 7, 1, 1, 1, 1, 1});
  rig.Do(isa::VInput{7, 7, 8960, 1280, 0, 0});
  for (auto _ : state)
    rig.Do(isa::VPool{.op = PoolOp::kAverage, .dtype = Dtype::kI8, .dst = 400000, .a = 0});
  state.counters["elem/s"] = Counter(49 * 1280, Counter::kIsIterationInvariantRate);
}

void BM_ReduceRows(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  rig.Do(isa::VShape{1280, 7, 7, 1});
  rig.Do(isa::VView{View::kA, 1, 1280, 8960, 0});
  rig.Do(isa::VView{View::kDst, 1, 0, 0, 0});
  for (auto _ : state) {
    rig.Do(isa::VReduce{.op = ReduceOp::kMean,
                        .dims = 6,
                        .dtype = Dtype::kI8,
                        .out = Dtype::kI8,
                        .dst = 400000,
                        .a = 0});
  }
  state.counters["elem/s"] = Counter(49 * 1280, Counter::kIsIterationInvariantRate);
}

void BM_Softmax(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  rig.Do(isa::VShape{1000, 1, 1, 1});
  rig.Do(isa::VView{View::kA, 1, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 1, 0, 0, 0});
  rig.Do(isa::VQuant{.view = View::kA, .mult = 1u << 30, .left_shift = 22});
  rig.Do(isa::VQuant{.view = View::kB, .mult = 200});
  for (auto _ : state)
    rig.Do(isa::VSoftmax{.dtype = Dtype::kI8, .out = Dtype::kI8, .dst = 400000, .a = 0});
  state.counters["elem/s"] = Counter(1000, Counter::kIsIterationInvariantRate);
}

void BM_Pointwise(benchmark::State& state) {
  UnitRig rig(1, BigHardware());
  rig.Do(isa::MType{Dtype::kI8, Dtype::kI8, 3, 0});
  for (auto _ : state) {
    rig.Do(isa::MLoadW{.addr = 900000, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1});
    rig.Do(isa::MStream{
        .addr = 0, .acc = 0, .m = 196, .row_stride = 384, .swap = true, .accumulate = true});
  }
  state.counters["MAC/s"] = Counter(196 * 1024, Counter::kIsIterationInvariantRate);
}

const bool kRegistered = [] {
  struct Entry {
    const char* name;
    void (*run)(benchmark::State&);
  };
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (const Entry& e :
         {Entry{"Depthwise", BM_Depthwise}, Entry{"Drain", BM_Drain}, Entry{"Add", BM_Add},
          Entry{"Pool", BM_Pool}, Entry{"ReduceRows", BM_ReduceRows}, Entry{"Softmax", BM_Softmax},
          Entry{"Pointwise", BM_Pointwise}}) {
      benchmark::RegisterBenchmark((std::string(e.name) + "/" + std::string(kernels->name)).c_str(),
                                   [kernels, e](benchmark::State& state) {
                                     SelectMicrokernels(kernels->name);
                                     e.run(state);
                                     SelectMicrokernels("best");
                                   });
    }
  }
  return true;
}();

}  // namespace
}  // namespace acme

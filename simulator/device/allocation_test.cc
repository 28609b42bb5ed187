// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Running an instruction allocates nothing: a long loop needs as many allocations as a short one.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "simulator/device/test_machine.h"

namespace {
std::atomic<int64_t> g_allocations = 0;
}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(size_t size) {
  ++g_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace acme {
namespace {

// Every kind of work in a loop body.
Program LoopProgram(uint32_t count) {
  ProgramBuilder b;
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  b.Emit(isa::MConvInput{16, 16, 512, 32});
  b.Emit(isa::MConvWindow{1, 1, 32, 1, 1, 1, 1});
  b.Emit(isa::VShape{32, 16, 16, 1});
  for (View view : {View::kDst, View::kA, View::kB}) b.Emit(isa::VView{view, 1, 32, 512, 0});
  b.Emit(isa::VParams{.addr = 30000, .tap_stride = 32, .record_stride = 10});
  b.Emit(isa::VWindow{3, 3, 1, 1, 1, 1, 1});
  b.Emit(isa::VInput{16, 16, 512, 32, -1, -1});
  b.Emit(isa::LdShape{32, 8, 1, 1});
  b.Emit(isa::LdDramStride{64, 0, 0});
  b.Emit(isa::LdSpmStride{1, 32, 0, 0});
  b.BeginLoop(count);
  b.Emit(isa::LdNd{.binding = 2, .spm = 60000, .elem_bytes = 1}, Post(1));
  b.Emit(isa::MLoadW{.addr = 40000, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1}, Wait(1));
  b.Emit(isa::MConv{.addr = 0, .acc = 0, .out_h = 16, .out_w = 16, .swap = true}, Post(2));
  b.Emit(
      isa::VDrain{
          .acc = 0, .dst = 10000, .params = 30000, .acc_type = Dtype::kI32, .out = Dtype::kI8},
      Wait(2));
  b.Emit(isa::VBinary{.op = BinaryOp::kMax, .dtype = Dtype::kI8, .dst = 20000, .a = 0, .b = 10000});
  b.Emit(isa::VDepthwise{.dtype = Dtype::kI8, .dst = 20000, .a = 0, .weights = 31000});
  b.Emit(isa::VReduce{.op = ReduceOp::kMax,
                      .dims = 6,
                      .dtype = Dtype::kI8,
                      .out = Dtype::kI8,
                      .dst = 50000,
                      .a = 0},
         Post(3));
  b.Emit(isa::StCopy{.binding = 1, .spm = 50000, .bytes = 32}, Wait(3));
  b.EndLoop();
  b.Halt();
  return *Program::Decode(*b.Finish());
}

int64_t AllocationsOf(uint32_t count, RunMode mode, bool profile) {
  const Program program = LoopProgram(count);
  const Hardware hardware = *BuiltinHardware("acme_a1");
  Executor executor(hardware);
  std::vector<std::vector<uint8_t>> buffers(3, std::vector<uint8_t>(4096));
  for (auto& buffer : buffers) executor.memory().buffers.push_back(buffer.data());
  const RunOptions options{.mode = mode, .profile = profile};
  const int64_t before = g_allocations;
  Expected<RunResult> result = RunProgram(program, hardware, &executor, options);
  EXPECT_TRUE(result) << result.Error().Message();
  return g_allocations - before;
}

TEST(AllocationTest, InstructionsAllocateNothing) {
  for (RunMode mode : {RunMode::kFunctionAndTime, RunMode::kTimeOnly}) {
    for (bool profile : {false, true}) {
      const int64_t few = AllocationsOf(4, mode, profile);
      EXPECT_LE(AllocationsOf(200, mode, profile), few + 8) << static_cast<int>(mode);
    }
  }
}

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Running an instruction allocates nothing: a long loop needs as many allocations as a short one.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "simulator/device/testing/test_machine.h"

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

// The vector operations, as they are configured in LoopProgram: 32 channels, 16 x 16 pixels, in
// bytes and wider types.
void EmitVectorWork(ProgramBuilder& b) {
  for (Dtype type : {Dtype::kI8, Dtype::kU8, Dtype::kI16, Dtype::kF32}) {
    const uint32_t in = 100000, out = 200000;
    for (BinaryOp op : {BinaryOp::kAdd, BinaryOp::kMul, BinaryOp::kMax})
      b.Emit(isa::VBinary{.op = op, .dtype = type, .dst = out, .a = in, .b = in});
    b.Emit(isa::VUnary{.op = UnaryOp::kCopy, .dtype = type, .dst = out, .a = in});
    for (PoolOp op : {PoolOp::kMax, PoolOp::kAverage})
      b.Emit(isa::VPool{.op = op, .dtype = type, .dst = out, .a = in});
    b.Emit(isa::VDepthwise{.dtype = type, .dst = out, .a = in, .weights = 31000});
    for (ResizeOp op : {ResizeOp::kNearest, ResizeOp::kBilinear})
      b.Emit(isa::VResize{.op = op, .dtype = type, .dst = out, .a = in, .table = 32000});
    b.Emit(isa::VReduce{
        .op = ReduceOp::kMax, .dims = 6, .dtype = type, .out = type, .dst = out, .a = in});
    b.Emit(isa::VSoftmax{.dtype = type, .out = type, .dst = out, .a = in});
    b.Emit(isa::VFill{.dtype = type, .dst = out});
  }
  b.Emit(isa::VLut{.kind = LutKind::kDirect,
                   .dtype = Dtype::kI8,
                   .out = Dtype::kI8,
                   .dst = 200000,
                   .a = 100000});
  b.Emit(isa::VConvert{.op = ConvertOp::kRequantize,
                       .dtype = Dtype::kI8,
                       .out = Dtype::kI16,
                       .dst = 200000,
                       .a = 100000});
  b.Emit(isa::VUnary{.op = UnaryOp::kTanh, .dtype = Dtype::kF32, .dst = 200000, .a = 100000});
}

// Products of every type; the accumulators are drained in between.
void EmitMatrixWork(ProgramBuilder& b) {
  struct Types {
    Dtype act, weight, acc, out;
  };
  for (const Types& t : {Types{Dtype::kU8, Dtype::kU8, Dtype::kI32, Dtype::kU8},
                         Types{Dtype::kI16, Dtype::kI8, Dtype::kI64, Dtype::kI16},
                         Types{Dtype::kF32, Dtype::kF32, Dtype::kF32, Dtype::kF32},
                         Types{Dtype::kI8, Dtype::kI8, Dtype::kI32, Dtype::kI8}}) {
    b.Emit(isa::MType{t.act, t.weight, 0, 0});
    b.Emit(isa::MLoadW{.addr = 40000,
                       .k = 32,
                       .n = 32,
                       .k_stride = 128,
                       .n_stride = static_cast<int32_t>(SizeBytes(t.weight))},
           Wait(1));
    b.Emit(isa::MConv{.addr = 100000, .acc = 0, .out_h = 16, .out_w = 16, .swap = true});
    b.Emit(isa::MStream{.addr = 100000, .acc = 0, .m = 256, .row_stride = 64}, Post(2));
    b.Emit(isa::VDrain{.acc = 0, .dst = 200000, .params = 30000, .acc_type = t.acc, .out = t.out},
           Wait(2) & Post(1));
  }
}

// Every kind of work in a loop body.
Program LoopProgram(uint32_t count) {
  ProgramBuilder b;
  b.Emit(isa::MConvInput{16, 16, 2048, 128});
  b.Emit(isa::MConvWindow{1, 1, 32, 1, 1, 1, 1});
  b.Emit(isa::VShape{32, 16, 16, 1});
  for (View view : {View::kDst, View::kA, View::kB}) b.Emit(isa::VView{view, 4, 128, 2048, 0});
  b.Emit(isa::VParams{.addr = 30000, .tap_stride = 32, .record_stride = 10});
  b.Emit(isa::VWindow{3, 3, 1, 1, 1, 1, 1});
  b.Emit(isa::VInput{16, 16, 2048, 128, -1, -1});
  b.Emit(isa::LdShape{32, 8, 1, 1});
  b.Emit(isa::LdDramStride{64, 0, 0});
  b.Emit(isa::LdSpmStride{1, 32, 0, 0});
  b.Emit(isa::CpNop{}, Post(1));
  b.BeginLoop(count);
  b.Emit(isa::LdNd{.binding = 2, .spm = 60000, .elem_bytes = 1});
  EmitMatrixWork(b);
  EmitVectorWork(b);
  b.Emit(isa::VNop{}, Post(3));
  b.Emit(isa::StCopy{.binding = 1, .spm = 50000, .bytes = 32}, Wait(3));
  b.EndLoop();
  b.Halt();
  return *Program::Decode(*b.Finish());
}

int64_t AllocationsOf(uint32_t count, RunMode mode, bool profile) {
  const Program program = LoopProgram(count);
  const Hardware hardware = *BuiltinHardware("acme_a1");
  Units units(hardware);
  std::vector<std::vector<uint8_t>> buffers(3, std::vector<uint8_t>(4096));
  for (auto& buffer : buffers) units.memory().buffers.push_back(buffer.data());
  const RunOptions options{.mode = mode, .profile = profile};
  const int64_t before = g_allocations;
  Expected<RunResult> result = RunProgram(program, hardware, &units, options);
  EXPECT_TRUE(result) << result.Error().Message();
  return g_allocations - before;
}

TEST(AllocationTest, InstructionsAllocateNothing) {
  for (RunMode mode : {RunMode::kFunctionAndTime, RunMode::kFunctionOnly, RunMode::kTimeOnly}) {
    for (bool profile : {false, true}) {
      const int64_t few = AllocationsOf(4, mode, profile);
      EXPECT_LE(AllocationsOf(40, mode, profile), few + 8) << static_cast<int>(mode);
    }
  }
}

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "simulator/isa/info.h"
#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

using ::testing::HasSubstr;

// Buffers: constants of 1000 bytes, workspace of 1000, an input of 100, an output of 100.
std::vector<BufferLimits> Limits() {
  return {{1000, true, false}, {1000, true, true}, {100, true, false}, {100, true, true}};
}

Expected<Program> Verify(ProgramBuilder& b) {
  b.Halt();
  return VerifyProgram(*b.Finish(), *BuiltinHardware("acme_a1"), Limits());
}

void LoadWeights(ProgramBuilder& b, Dtype act = Dtype::kI8, uint32_t k = 32) {
  const Dtype weight = act == Dtype::kF32 ? Dtype::kF32 : Dtype::kI8;
  b.Emit(isa::MType{act, weight, 0, 0});
  b.Emit(isa::MLoadW{.addr = 0, .k = k, .n = 32, .k_stride = 32, .n_stride = 1});
}

struct Case {
  std::string_view message;
  std::function<void(ProgramBuilder&)> emit;
};

TEST(VerifyTest, RefusesWithReason) {
  const Case cases[] = {
      {"reads bytes 90 to 101 of binding 2, which has 100",
       [](auto& b) { b.Emit(isa::LdCopy{.binding = 2, .dram = 90, .bytes = 11}); }},
      {"writes bytes 1048570 to 1048586 of the scratchpad, which has 1048576",
       [](auto& b) { b.Emit(isa::LdCopy{.spm = 1048570, .bytes = 16}); }},
      {"binding 4 does not exist", [](auto& b) { b.Emit(isa::LdCopy{.binding = 4, .bytes = 1}); }},
      {"binding 0 can't be written",
       [](auto& b) { b.Emit(isa::StCopy{.binding = 0, .bytes = 1}); }},
      {"binding 2 can't be written",
       [](auto& b) { b.Emit(isa::StCopy{.binding = 2, .bytes = 1}); }},
      {"elem_bytes must be 1, 2, 4 or 8", [](auto& b) { b.Emit(isa::LdNd{.elem_bytes = 3}); }},
      {"unpack needs elem_bytes 1",
       [](auto& b) { b.Emit(isa::LdNd{.elem_bytes = 2, .unpack = true}); }},
      {"unpack needs elem_bytes 1",
       [](auto& b) { b.Emit(isa::LdGather{.elem_bytes = 2, .unpack = true}); }},
      {"writes bytes 1048572 to 1048580 of the scratchpad, which has 1048576",
       [](auto& b) {
         b.Emit(isa::LdShape{4, 1, 1, 1});
         b.Emit(isa::LdSpmStride{1, 0, 0, 0});
         b.Emit(isa::LdNd{.spm = 1048572, .elem_bytes = 1, .unpack = true});
       }},
      {"n3 of indexed boxes is 2^20 or more",
       [](auto& b) {
         b.Emit(isa::LdShape{1, 1, 1, 1 << 20});
         b.Emit(isa::LdGather{.elem_bytes = 1});
       }},
      {"reads bytes 0 to 104 of binding 2, which has 100",
       [](auto& b) {
         b.Emit(isa::LdShape{4, 1, 1, 1});
         b.Emit(isa::LdDramStride{0, 0, 10});
         b.Emit(isa::LdIndex{.addr = 0, .last = 10});
         b.Emit(isa::LdGather{.binding = 2, .elem_bytes = 1});
       }},
      {"writes bytes -10 to 4 of binding 3",
       [](auto& b) {
         b.Emit(isa::StShape{4, 1, 1, 1});
         b.Emit(isa::StDramStride{0, 0, -5});
         b.Emit(isa::StIndex{.addr = 0, .last = 2});
         b.Emit(isa::StScatter{.binding = 3, .elem_bytes = 1});
       }},
      {"reads bytes 1048572 to 1048580 of the scratchpad, which has 1048576",
       [](auto& b) {
         b.Emit(isa::StShape{1, 1, 1, 2});
         b.Emit(isa::StIndex{.addr = 1048572, .last = 2});
         b.Emit(isa::StScatter{.binding = 3, .elem_bytes = 1});
       }},
      {"add can't be bool",
       [](auto& b) { b.Emit(isa::VBinary{.op = BinaryOp::kAdd, .dtype = Dtype::kBool}); }},
      {"dtype can't be i64",
       [](auto& b) { b.Emit(isa::VCompare{.op = CompareOp::kLess, .dtype = Dtype::kI64}); }},
      {"cast can't be bool",
       [](auto& b) {
         b.Emit(isa::VConvert{.op = ConvertOp::kCast, .dtype = Dtype::kI32, .out = Dtype::kBool});
       }},
      {"more than 2^24 elements",
       [](auto& b) {
         b.Emit(isa::LdShape{1 << 20, 1 << 20, 1 << 20, 1});
         b.Emit(isa::LdNd{.elem_bytes = 1});
       }},
      {"reads bytes -1 to 10 of binding 2",
       [](auto& b) {
         b.Emit(isa::LdShape{1, 11, 1, 1});
         b.Emit(isa::LdDramStride{-1, 0, 0});
         b.Emit(isa::LdNd{.binding = 2, .dram = 9, .elem_bytes = 1});
       }},
      {"instruction 1 (ld.copy): an address register takes an address out of range",
       [](auto& b) {
         b.SetA(1, -5);
         b.Emit(isa::LdCopy{.spm = 4, .spm_areg = 1, .bytes = 1});
       }},
      {"reads bytes 96 to 104 of binding 2, which has 100",
       [](auto& b) {
         b.BeginLoop(13);
         b.Emit(isa::LdCopy{.binding = 2, .dram_areg = 1, .bytes = 8});
         b.AddA(1, 8);
         b.EndLoop();
       }},
      {"the program takes more than 2^24 steps",
       [](auto& b) {
         for (int i = 0; i < 3; ++i) b.BeginLoop(1000);
         for (int i = 0; i < 3; ++i) b.EndLoop();
       }},
      {"i8 activations with f32 weights",
       [](auto& b) {
         b.Emit(isa::MType{Dtype::kI8, Dtype::kF32, 0, 0});
       }},
      {"i16 activations take i8 or i16 weights and no zero points",
       [](auto& b) {
         b.Emit(isa::MType{Dtype::kI16, Dtype::kI8, 1, 0});
       }},
      {"only f32 weights have holes",
       [](auto& b) { b.Emit(isa::MType{.act = Dtype::kI8, .weight = Dtype::kI8, .holes = true}); }},
      {"a zero point is outside",
       [](auto& b) {
         b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 256, 0});
       }},
      {"k is 33, the array has 32 rows", [](auto& b) { b.Emit(isa::MLoadW{.k = 33, .n = 1}); }},
      {"n is 33, the array has 32 columns", [](auto& b) { b.Emit(isa::MLoadW{.k = 1, .n = 33}); }},
      {"the shadow plane holds weights that no stream has taken",
       [](auto& b) { LoadWeights(b), LoadWeights(b); }},
      {"no weights in the shadow plane",
       [](auto& b) { b.Emit(isa::MStream{.m = 1, .swap = true}); }},
      {"no weights in the active plane",
       [](auto& b) { LoadWeights(b), b.Emit(isa::MStream{.m = 1}); }},
      {"the weights were loaded as another type",
       [](auto& b) {
         LoadWeights(b, Dtype::kF32);
         b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
         b.Emit(isa::MStream{.m = 1, .swap = true});
       }},
      {"the weights were loaded as another type",
       [](auto& b) {
         b.Emit(isa::MType{Dtype::kI16, Dtype::kI16, 0, 0});
         b.Emit(isa::MLoadW{.addr = 0, .k = 32, .n = 32, .k_stride = 64, .n_stride = 2});
         b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
         b.Emit(isa::MStream{.m = 1, .swap = true});
       }},
      {"v.params record_stride is too small",
       [](auto& b) {
         b.Emit(isa::VShape{4, 1, 1, 1});
         b.Emit(isa::VQuant{.view = View::kDst, .rounding = Rounding::kReal});
         b.Emit(isa::VParams{.record_stride = 12});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8});
       }},
      {"out can't be f32",
       [](auto& b) {
         b.Emit(isa::VShape{4, 1, 1, 1});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI64, .out = Dtype::kF32});
       }},
      {"v.params record_stride is too small",
       [](auto& b) {
         b.Emit(isa::VShape{4, 1, 1, 1});
         b.Emit(isa::VParams{.record_stride = 3});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kF32});
       }},
      {"i16 results begin at an even accumulator row",
       [](auto& b) {
         LoadWeights(b, Dtype::kI16), b.Emit(isa::MStream{.acc = 1, .m = 1, .swap = true});
       }},
      {"of the accumulators",
       [](auto& b) { LoadWeights(b), b.Emit(isa::MStream{.acc = 2000, .m = 49, .swap = true}); }},
      {"of the accumulators",
       [](auto& b) {
         LoadWeights(b, Dtype::kI16), b.Emit(isa::MStream{.acc = 2000, .m = 25, .swap = true});
       }},
      {"the window has 0 elements, the weights 32 rows",
       [](auto& b) { LoadWeights(b), b.Emit(isa::MConv{.out_h = 1, .out_w = 1, .swap = true}); }},
      {"shift is outside -31 .. 30", [](auto& b) { b.Emit(isa::VQuant{.shift = 31}); }},
      {"n0 is larger than an accumulator row",
       [](auto& b) {
         b.Emit(isa::VShape{33, 1, 1, 1}), b.Emit(isa::VDrain{.acc_type = Dtype::kI32});
       }},
      {"acc_type can't be i8", [](auto& b) { b.Emit(isa::VDrain{.acc_type = Dtype::kI8}); }},
      {"out of f32 accumulators can't be i8",
       [](auto& b) { b.Emit(isa::VDrain{.acc_type = Dtype::kF32, .out = Dtype::kI8}); }},
      {"v.residual is not set",
       [](auto& b) {
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8, .residual = true});
       }},
      {"missing is too large",
       [](auto& b) {
         b.Emit(isa::VResidual{});
         b.Emit(isa::VShape{.n0 = 4, .n1 = 1, .n2 = 1, .n3 = 1});
         b.Emit(isa::VDrain{
             .acc_type = Dtype::kI32, .out = Dtype::kI8, .residual = true, .missing = 5});
       }},
      {"missing is too large",
       [](auto& b) {
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8, .missing = 1});
       }},
      {"out with a residual can't be i32",
       [](auto& b) {
         b.Emit(isa::VResidual{});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI32, .residual = true});
       }},
      {"out with a residual can't be f32",
       [](auto& b) {
         b.Emit(isa::VResidual{});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kF32, .residual = true});
       }},
      {"v.lookup is not set",
       [](auto& b) {
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8, .lookup = true});
       }},
      {"results that are looked up can't be i16",
       [](auto& b) {
         b.Emit(isa::VLookup{});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI64, .out = Dtype::kI16, .lookup = true});
       }},
      {"results that are looked up can't be f32",
       [](auto& b) {
         b.Emit(isa::VWindow{1, 1, 1, 1, 1, 1, 1});
         b.Emit(isa::VInput{.in_h = 1, .in_w = 1});
         b.Emit(isa::VLookup{});
         b.Emit(isa::VDepthwise{.dtype = Dtype::kF32, .lookup = true});
       }},
      {"div can't be i8",
       [](auto& b) { b.Emit(isa::VBinary{.op = BinaryOp::kDiv, .dtype = Dtype::kI8}); }},
      {"floordiv can't be f32",
       [](auto& b) { b.Emit(isa::VBinary{.op = BinaryOp::kFloorDiv, .dtype = Dtype::kF32}); }},
      {"dtype of what is converted can't be i16",
       [](auto& b) {
         b.Emit(isa::VBinary{.op = BinaryOp::kMax, .dtype = Dtype::kI16, .convert_a = true});
       }},
      {"dtype of what is converted can't be i8",
       [](auto& b) {
         b.Emit(isa::VBinary{.op = BinaryOp::kAdd, .dtype = Dtype::kI8, .convert_b = true});
       }},
      {"dtype of a converted result can't be i8",
       [](auto& b) {
         b.Emit(isa::VBinary{.op = BinaryOp::kMax, .dtype = Dtype::kI8, .convert_dst = true});
       }},
      {"exp can't be i8",
       [](auto& b) { b.Emit(isa::VUnary{.op = UnaryOp::kExp, .dtype = Dtype::kI8}); }},
      {"div is no operation of a chain",
       [](auto& b) { b.Emit(isa::VChain{.op = BinaryOp::kDiv, .then = BinaryOp::kAdd}); }},
      {"mulround is no operation of a chain",
       [](auto& b) { b.Emit(isa::VChain{.op = BinaryOp::kAdd, .then = BinaryOp::kMulRound}); }},
      {"v.epilogue is not set",
       [](auto& b) { b.Emit(isa::VBinary{.dtype = Dtype::kF32, .epilogue = true}); }},
      {"the results of an epilogue can't be i8",
       [](auto& b) {
         b.Emit(isa::VEpilogue{.dims = 1});
         b.Emit(isa::VBinary{.op = BinaryOp::kMulRound, .dtype = Dtype::kF32, .epilogue = true});
       }},
      {"dtype of a direct table can't be i16",
       [](auto& b) { b.Emit(isa::VLut{.dtype = Dtype::kI16}); }},
      {"quant can't be i8",
       [](auto& b) {
         b.Emit(isa::VConvert{.op = ConvertOp::kQuantize, .dtype = Dtype::kI8, .out = Dtype::kI8});
       }},
      {"out can't be f32",
       [](auto& b) { b.Emit(isa::VReduce{.dims = 1, .dtype = Dtype::kI8, .out = Dtype::kF32}); }},
      {"mulround can't be i16",
       [](auto& b) { b.Emit(isa::VBinary{.op = BinaryOp::kMulRound, .dtype = Dtype::kI16}); }},
      {"meansq can't be i8",
       [](auto& b) {
         b.Emit(isa::VReduce{
             .op = ReduceOp::kMeanSquares, .dims = 1, .dtype = Dtype::kI8, .out = Dtype::kI8});
       }},
      {"maxabs can't be i8",
       [](auto& b) {
         b.Emit(isa::VReduce{
             .op = ReduceOp::kMaxMagnitude, .dims = 1, .dtype = Dtype::kI8, .out = Dtype::kI8});
       }},
      {"only max and min have a place",
       [](auto& b) {
         b.Emit(isa::VReduce{.op = ReduceOp::kSum,
                             .dims = 1,
                             .dtype = Dtype::kI8,
                             .out = Dtype::kI32,
                             .place = true});
       }},
      {"out can't be i8",
       [](auto& b) {
         b.Emit(isa::VReduce{.op = ReduceOp::kMax,
                             .dims = 1,
                             .dtype = Dtype::kI8,
                             .out = Dtype::kI8,
                             .place = true});
       }},
      {"only bilinear of u8 can be blended in binary32",
       [](auto& b) {
         b.Emit(isa::VResize{.op = ResizeOp::kBilinear, .dtype = Dtype::kI8, .real = true});
       }},
      {"only bilinear of u8 can be blended in binary32",
       [](auto& b) {
         b.Emit(isa::VResize{.op = ResizeOp::kNearest, .dtype = Dtype::kU8, .real = true});
       }},
      {"v.window or v.input is not set", [](auto& b) { b.Emit(isa::VPool{}); }},
      {"a window lies wholly outside the input",
       [](auto& b) {
         b.Emit(isa::VWindow{2, 2, 1, 1, 1, 1, 1});
         b.Emit(isa::VInput{4, 4, 4, 1, -2, 0});
         b.Emit(isa::VPool{});
       }},
      {"v.shape has more than 2^24 elements",
       [](auto& b) {
         b.Emit(isa::VShape{1 << 13, 1 << 12, 1, 1}), b.Emit(isa::VFill{});
       }},
      {"dimension 0 must be contiguous", [](auto& b) { b.Emit(isa::VSoftmax{}); }},
  };
  for (const Case& c : cases) {
    ProgramBuilder b;
    c.emit(b);
    Expected<Program> program = Verify(b);
    ASSERT_FALSE(program) << c.message;
    EXPECT_EQ(program.Error().Code(), ErrorCode::kInvalidProgram);
    EXPECT_THAT(program.Error().Message(), HasSubstr(c.message));
    EXPECT_GE(program.Error().OffsetBytes(), 0);
  }
}

TEST(VerifyTest, AcceptsWhatJustFits) {
  ProgramBuilder b;
  b.BeginLoop(12);
  b.Emit(isa::LdCopy{.binding = 2, .dram_areg = 1, .spm = 1048576 - 8, .bytes = 8});
  b.AddA(1, 8);
  b.EndLoop();
  LoadWeights(b);
  b.Emit(isa::MStream{.addr = 1048576 - 32, .acc = 2047, .m = 1, .swap = true});
  b.Emit(isa::MStream{.addr = 1048576 - 32, .acc = 2047, .m = 1});
  Expected<Program> program = Verify(b);
  EXPECT_TRUE(program) << program.Error().Message();
}

TEST(VerifyTest, ModuleMustFitTheHardware) {
  Module module;
  module.soc_model = "acme_a2";
  module.program_key = BuiltinHardware("acme_a2")->ProgramKey();
  EXPECT_TRUE(VerifyModule(module, *BuiltinHardware("acme_a2")));
  const auto verified = VerifyModule(module, *BuiltinHardware("acme_a1"));
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.Error().Code(), ErrorCode::kIncompatible);
  EXPECT_EQ(verified.Error().Message(), "the module was compiled for acme_a2, this is acme_a1");
}

TEST(VerifyTest, EntryPointsAreNamed) {
  Module module;
  module.program_key = BuiltinHardware("")->ProgramKey();
  module.entries.push_back({"first", {}, 0, {}, {}, 0});
  const auto verified = VerifyModule(module, *BuiltinHardware(""));
  ASSERT_FALSE(verified);
  EXPECT_THAT(verified.Error().Message(), HasSubstr("entry point first: "));
}

TEST(VerifyTest, WorkspacesHaveABound) {
  Module module;
  module.program_key = BuiltinHardware("")->ProgramKey();
  module.entries.push_back({.name = "first", .workspace_bytes = kMaxWorkspaceBytes + 1});
  const auto verified = VerifyModule(module, *BuiltinHardware(""));
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.Error().Code(), ErrorCode::kInvalidProgram);
  EXPECT_EQ(
      verified.Error().Message(),
      "entry point first: a workspace of 68719476737 bytes, at most 68719476736 are possible");
}

}  // namespace
}  // namespace acme

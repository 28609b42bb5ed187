// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is refused of operations whose results ride on others: epilogues, and float32 of bytes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "simulator/isa/footprint.h"
#include "simulator/isa/program_builder.h"
#include "simulator/module/verify.h"

namespace acme {
namespace {

void SetWindow(ProgramBuilder& b) {
  b.Emit(isa::VWindow{1, 1, 1, 1, 1, 1, 1});
  b.Emit(isa::VInput{1, 1, 1, 1, 0, 0});
}

struct Case {
  std::string_view message;
  std::function<void(ProgramBuilder&)> emit;
};

TEST(VerifyResultsTest, RefusesWithReason) {
  const Case cases[] = {
      {"the results of an epilogue can't be i8",
       [](auto& b) {
         b.Emit(isa::VEpilogue{.dims = 1});
         b.Emit(isa::VChain{.op = BinaryOp::kMul, .epilogue = true, .convert_dst = true});
       }},
      {"lows go with max alone",
       [](auto& b) {
         b.Emit(isa::VEpilogue{.op = ReduceOp::kMaxMagnitude, .dims = 1, .lows = true});
         b.Emit(isa::VBinary{.dtype = Dtype::kF32, .epilogue = true});
       }},
      {"an epilogue can't accumulate sum",
       [](auto& b) {
         b.Emit(isa::VEpilogue{.op = ReduceOp::kSum, .dims = 1, .accumulate = true});
         b.Emit(isa::VBinary{.dtype = Dtype::kF32, .epilogue = true});
       }},
      {"the results of an epilogue can't be i8",
       [](auto& b) {
         b.Emit(isa::VEpilogue{.dims = 1});
         b.Emit(isa::VParams{.epilogue = true});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8});
       }},
      {"what is scaled can't be i16",
       [](auto& b) {
         SetWindow(b);
         b.Emit(isa::VDepthwise{.dtype = Dtype::kI16, .scaled = true});
       }},
      {"results that are looked up can't be f32",
       [](auto& b) {
         SetWindow(b);
         b.Emit(isa::VDepthwise{.dtype = Dtype::kI8, .lookup = true, .scaled = true});
       }},
      {"v.params record_stride is too small",
       [](auto& b) {
         SetWindow(b);
         b.Emit(isa::VParams{.record_stride = kFloatRecordBytes});
         b.Emit(isa::VDepthwise{.dtype = Dtype::kI8, .scaled = true});
       }},
      {"v.params record_stride is too small",
       [](auto& b) {
         SetWindow(b);
         b.Emit(isa::VParams{.record_stride = kScaledRecordBytes, .offsets = true});
         b.Emit(isa::VDepthwise{.dtype = Dtype::kI8, .scaled = true});
       }},
      {"v.params offsets of records without scales",
       [](auto& b) {
         SetWindow(b);
         b.Emit(isa::VParams{.record_stride = kOffsetRecordBytes, .offsets = true});
         b.Emit(isa::VDepthwise{.dtype = Dtype::kI8});
       }},
      {"v.params offsets of records without scales",
       [](auto& b) {
         b.Emit(isa::VParams{.record_stride = kScaledRecordBytes, .offsets = true});
         b.Emit(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kF32});
       }},
  };
  for (const Case& c : cases) {
    ProgramBuilder b;
    c.emit(b);
    b.Halt();
    const Expected<Program> program = VerifyProgram(*b.Finish(), *BuiltinHardware("acme_a1"), {});
    ASSERT_FALSE(program) << c.message;
    EXPECT_EQ(program.Error().Code(), ErrorCode::kInvalidProgram);
    EXPECT_THAT(program.Error().Message(), testing::HasSubstr(c.message));
  }
}

TEST(VerifyResultsTest, AcceptsScaledWindowsWithAnEpilogue) {
  ProgramBuilder b;
  SetWindow(b);
  b.Emit(isa::VParams{.record_stride = kScaledRecordBytes, .epilogue = true});
  b.Emit(isa::VEpilogue{.op = ReduceOp::kMax,
                        .dims = 7,
                        .dst = 64,
                        .accumulate = true,
                        .lows = true,
                        .lows_dst = 68});
  b.Emit(isa::VDepthwise{.dtype = Dtype::kU8, .dst = 128, .scaled = true});
  b.Halt();
  const Expected<Program> program = VerifyProgram(*b.Finish(), *BuiltinHardware("acme_a1"), {});
  EXPECT_TRUE(program) << program.Error().Message();
}

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A device that subtracts where it should add, between two that do right.

#include "sdk/host/runtime/diagnostics/numeric_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/testing/floats.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

// a = x * x, b = a + x, c = b * b, d = c - x; on the device: a, b, c, of which b comes out as a - x
// if `is_wrong`.
std::unique_ptr<Model> MakeModel(bool on_device, bool is_wrong) {
  ModelBuilder m;
  const std::string text =
      std::string("TESTDEV 1\nfn mul mul\nfn add ") + (is_wrong ? "sub" : "add") + "\n";
  const BufferStore::Id bytecode = m.model().buffers().Add(
      SharedBytes::Copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  auto call = [&](LiteRtOpCode code, const char* function, const std::vector<Tensor*>& inputs,
                  Tensor* output) {
    if (!on_device) {
      m.AddOp(code, inputs, {output});
    } else {
      Op* op = m.AddCustomOp(kDispatchOpCustomCode, {}, inputs, {output});
      op->dispatch = DispatchInfo{.entry_point = function, .bytecode = bytecode};
    }
    return output;
  };
  Tensor* x = m.Input("x", kFloat, {2});
  Tensor* a = call(kLiteRtOpCodeTflMul, "mul", {x, x}, m.Value("a", kFloat, {2}));
  Tensor* b = call(kLiteRtOpCodeTflAdd, "add", {a, x}, m.Value("b", kFloat, {2}));
  Tensor* c = call(kLiteRtOpCodeTflMul, "mul", {b, b}, m.Value("c", kFloat, {2}));
  Tensor* d = m.Value("d", kFloat, {2});
  m.AddOp(kLiteRtOpCodeTflSub, {c, x}, {d});
  m.Output(d);
  return m.BuildUnchecked();
}

litert::Expected<NumericDiff> Diff(bool is_wrong) {
  auto cpu = Session::Create(MakeModel(false, false), {.keep_intermediates = true});
  EXPECT_TRUE(cpu) << cpu.Error();
  auto npu = Session::Create(
      MakeModel(true, is_wrong),
      {.plugin_dir = NPUKIT_TEST_DISPATCH_DIR "/healthy", .keep_intermediates = true});
  EXPECT_TRUE(npu) << npu.Error();
  const float input[2] = {2, 3};
  for (Session* session : {cpu->get(), npu->get()}) {
    EXPECT_TRUE(session->default_runner().SetInput(
        0, {reinterpret_cast<const uint8_t*>(input), sizeof(input)}));
  }
  return DiffRuns((*cpu)->model(), (*cpu)->default_runner(), (*npu)->default_runner());
}

TEST(NumericDiff, EqualRuns) {
  const auto diff = Diff(/*is_wrong=*/false);
  ASSERT_TRUE(diff) << diff.Error();
  EXPECT_EQ(diff->first_divergence, -1);
  EXPECT_TRUE(diff->unmatched.empty());
  ASSERT_EQ(diff->tensors.size(), 4u);
  for (const TensorDiff& tensor : diff->tensors) {
    ASSERT_TRUE(tensor.end_to_end) << tensor.port.name;
    EXPECT_TRUE(tensor.end_to_end->is_exact()) << tensor.port.name;
    EXPECT_EQ(tensor.isolated.has_value(), tensor.target == Target::kNpu);
  }
}

TEST(NumericDiff, TellsTheCulpritFromWhatInheritsItsError) {
  const auto diff = Diff(/*is_wrong=*/true);
  ASSERT_TRUE(diff) << diff.Error();
  ASSERT_EQ(diff->tensors.size(), 4u);
  EXPECT_EQ(diff->first_divergence, 1);
  const auto& a = diff->tensors[0];
  const auto& b = diff->tensors[1];
  const auto& c = diff->tensors[2];
  const auto& d = diff->tensors[3];
  EXPECT_TRUE(a.isolated->is_exact());
  EXPECT_TRUE(a.end_to_end->is_exact());
  // b is 6, 12; the device gives 2, 6.
  EXPECT_EQ(b.isolated->max_abs, 6);
  EXPECT_EQ(b.end_to_end->max_abs, 6);
  EXPECT_EQ(b.step, "DISPATCH_OP add");
  // These dispatch ops do not tell what they stand for.
  EXPECT_EQ(a.verdict->kind, BoundVerdict::Kind::kWithin);
  EXPECT_EQ(b.verdict->kind, BoundVerdict::Kind::kNotKnown);
  EXPECT_EQ(diff->CountBeyond(), 0u);
  // c is right by itself and wrong with b's error: 36, 144 against 4, 36.
  EXPECT_TRUE(c.isolated->is_exact());
  EXPECT_EQ(c.end_to_end->max_abs, 108);
  EXPECT_FALSE(d.isolated.has_value());
  EXPECT_EQ(d.end_to_end->max_abs, 108);
}

}  // namespace
}  // namespace npukit

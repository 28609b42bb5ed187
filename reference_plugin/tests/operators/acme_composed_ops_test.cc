// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that become several layers, or several boxes of one: places of extremes, running sums,
// normalisations, SIGN; mirror images, repetitions, and blocks that become batches. One at a time,
// on every chip. The larger shapes do not fit the smaller chips' scratchpads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

// A constant operand.
struct Constant {
  Shape shape;
  std::vector<int32_t> values;
};

struct ComposedCase {
  LiteRtOpCode code;
  std::string name;
  OpOptions options = {};
  LiteRtElementType type = kF32;
  Shape x;
  std::vector<Constant> constants = {};
  Shape y;
  LiteRtElementType y_type = {};  // none: as the operand's
  double absolute = 0;
};

OpCase Case(const ComposedCase& composed) {
  const LiteRtElementType y_type =
      composed.y_type == LiteRtElementType{} ? composed.type : composed.y_type;
  OpCase test;
  test.name =
      fmt::format("{}_{}{}_to_{}{}", composed.name, Name(composed.type), Name(composed.x),
                  y_type == kLiteRtElementTypeInt64 ? "i64" : Name(y_type), Name(composed.y));
  for (const Constant& constant : composed.constants) {
    test.name += "_by";
    for (int32_t value : constant.values) test.name += fmt::format("_{}", value);
  }
  for (char& c : test.name) c = c == '-' ? 'm' : c;
  test.absolute = composed.absolute;
  test.build = [=](ModelBuilder& b) {
    std::vector<Tensor*> inputs = {
        b.Input("x", composed.type, composed.x, Quant(composed.type, 0.05f, 3))};
    for (size_t i = 0; i < composed.constants.size(); ++i) {
      const Constant& constant = composed.constants[i];
      inputs.push_back(
          b.Constant<int32_t>(fmt::format("constant{}", i), constant.shape, constant.values));
    }
    const bool place = y_type == kLiteRtElementTypeInt64 || y_type == kI32;
    Tensor* y = b.Value("y", y_type, composed.y, place ? Quantization{} : Quant(y_type, 0.05f, 3));
    b.AddOp(composed.code, composed.options, inputs, {y}, 2);
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> LargestCases() {
  std::vector<OpCase> cases;
  const auto add = [&](LiteRtElementType type, const Shape& x, int32_t k) {
    OpCase test;
    test.name = fmt::format("topk_{}{}_of_{}", Name(type), Name(x), k);
    test.build = [=](ModelBuilder& b) {
      Shape y = x;
      y.back() = k;
      Tensor* values = b.Value("values", type, y, Quant(type, 0.05f, 3));
      Tensor* at = b.Value("at", kI32, y, {});
      b.AddOp(kLiteRtOpCodeTflTopkV2, OpOptions{},
              {b.Input("x", type, x, Quant(type, 0.05f, 3)), b.Constant<int32_t>("k", {}, {k})},
              {values, at});
      b.Output(values);
      b.Output(at);
    };
    cases.push_back(test);
  };
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    add(type, {2, 9}, 3);
    add(type, {3, 2, 40}, 32);
  }
  add(kF32, {1, 1001}, 5);
  add(kI8, {1, 70000}, 2);  // in parts, on acme_a0
  return cases;
}

std::vector<OpCase> ExtremeCases() {
  std::vector<OpCase> cases;
  const auto add = [&](LiteRtElementType type, const Shape& x, int32_t axis, const Shape& y,
                       LiteRtElementType places) {
    const Constant at = {{1}, {axis}};
    cases.push_back(
        Case({kLiteRtOpCodeTflArgMax, "arg_max", ArgMaxOptions{}, type, x, {at}, y, places}));
    cases.push_back(
        Case({kLiteRtOpCodeTflArgMin, "arg_min", ArgMinOptions{}, type, x, {at}, y, places}));
  };
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    add(type, {2, 5, 7, 9}, 3, {2, 5, 7}, kI32);
    add(type, {3, 11, 6}, 1, {3, 6}, kLiteRtElementTypeInt64);
    add(type, {300, 4}, -2, {4}, kI32);
  }
  add(kI8, {1, 129, 130, 21}, 3, {1, 129, 130}, kLiteRtElementTypeInt64);
  add(kF32, {1, 65, 66, 21}, -1, {1, 65, 66}, kI32);
  add(kF32, {3, 1, 4}, 1, {3, 4}, kI32);
  // Too many for a step are looked through in parts, with places of two bytes and four: on acme_a0
  // more than 40 KiB, on acme_a1 160 KiB.
  add(kI32, {2, 50000}, 1, {2}, kI32);
  add(kF32, {1, 170000}, 1, {1}, kLiteRtElementTypeInt64);
  add(kI16, {200000, 1}, 0, {1}, kI32);
  for (int32_t along : {255, 256, 32767, 32768}) {
    add(kI8, {2, along}, 1, {2}, kLiteRtElementTypeInt64);
    add(kI32, {along, 2}, 0, {2}, kI32);
  }
  return cases;
}

std::vector<OpCase> SumCases() {
  std::vector<OpCase> cases;
  for (bool exclusive : {false, true}) {
    for (bool reverse : {false, true}) {
      const CumsumOptions options{.exclusive = exclusive, .reverse = reverse};
      const std::string name =
          fmt::format("cumsum{}{}", exclusive ? "_exclusive" : "", reverse ? "_reverse" : "");
      const auto add = [&](LiteRtElementType type, const Shape& shape, int32_t axis) {
        cases.push_back(Case({kLiteRtOpCodeTflCumsum,
                              name,
                              options,
                              type,
                              shape,
                              {{{}, {axis}}},
                              shape,
                              {},
                              type == kF32 ? 0x1p-12 : 0}));
      };
      for (LiteRtElementType type : {kI32, kF32}) {
        add(type, {2, 3, 13}, 2);
        add(type, {2, 8, 5}, 1);
        add(type, {5, 1, 3}, 1);
        add(type, {7, 6}, -2);
      }
    }
  }
  return cases;
}

std::vector<OpCase> RowCases() {
  const Shape large = {1, 61, 47, 130};
  return {
      Case({kLiteRtOpCodeTflL2Normalization,
            "l2_norm",
            L2NormOptions{},
            kF32,
            {3, 5, 7},
            {},
            {3, 5, 7},
            {},
            0x1p-20}),
      Case({kLiteRtOpCodeTflL2Normalization,
            "l2_norm",
            L2NormOptions{},
            kF32,
            large,
            {},
            large,
            {},
            0x1p-18}),
      Case(
          {kLiteRtOpCodeTflLogSoftmax, "log_softmax", {}, kF32, {4, 10}, {}, {4, 10}, {}, 0x1p-19}),
      Case({kLiteRtOpCodeTflLogSoftmax, "log_softmax", {}, kF32, large, {}, large, {}, 0x1p-17}),
      Case({kLiteRtOpCodeTflSign, "sign", {}, kF32, {3, 5, 7}, {}, {3, 5, 7}}),
      Case({kLiteRtOpCodeTflSign, "sign", {}, kF32, large, {}, large}),
  };
}

std::vector<OpCase> BoxCases() {
  constexpr MirrorPadOptions kReflect{.mode = MirrorPadMode::kReflect};
  constexpr MirrorPadOptions kSymmetric{.mode = MirrorPadMode::kSymmetric};
  std::vector<OpCase> cases;
  const auto add = [&](const ComposedCase& composed) { cases.push_back(Case(composed)); };
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    add({kLiteRtOpCodeTflMirrorPad,
         "reflect",
         kReflect,
         type,
         {1, 5, 7, 3},
         {{{4, 2}, {0, 0, 2, 4, 6, 1, 0, 0}}},
         {1, 11, 14, 3}});
    add({kLiteRtOpCodeTflMirrorPad,
         "symmetric",
         kSymmetric,
         type,
         {2, 3, 4},
         {{{3, 2}, {2, 1, 3, 0, 0, 4}}},
         {5, 6, 8}});
    add({kLiteRtOpCodeTflReverseV2, "reverse", {}, type, {3, 5, 7}, {{{2}, {0, -1}}}, {3, 5, 7}});
    add({kLiteRtOpCodeTflTile, "tile", {}, type, {2, 3, 5}, {{{3}, {3, 1, 2}}}, {6, 3, 10}});
    add({kLiteRtOpCodeTflBroadcastTo,
         "broadcast",
         {},
         type,
         {3, 1, 5},
         {{{4}, {2, 3, 4, 5}}},
         {2, 3, 4, 5}});
    add({kLiteRtOpCodeTflSpaceToBatchNd,
         "space_to_batch",
         {},
         type,
         {2, 5, 6, 3},
         {{{2}, {2, 3}}, {{2, 2}, {1, 2, 2, 1}}},
         {12, 4, 3, 3}});
    add({kLiteRtOpCodeTflBatchToSpaceNd,
         "batch_to_space",
         {},
         type,
         {12, 4, 3, 3},
         {{{2}, {2, 3}}, {{2, 2}, {3, 2, 4, 1}}},
         {2, 3, 4, 3}});
  }
  add({kLiteRtOpCodeTflMirrorPad,
       "reflect",
       kReflect,
       kI8,
       {1, 201, 127, 33},
       {{{4, 2}, {0, 0, 40, 40, 40, 40, 0, 0}}},
       {1, 281, 207, 33}});
  add({kLiteRtOpCodeTflReverseV2,
       "reverse",
       {},
       kI8,
       {1, 301, 127, 67},
       {{{2}, {1, 2}}},
       {1, 301, 127, 67}});
  add({kLiteRtOpCodeTflTile,
       "tile",
       {},
       kF32,
       {1, 1, 1, 70},
       {{{4}, {1, 130, 65, 1}}},
       {1, 130, 65, 70}});
  add({kLiteRtOpCodeTflSpaceToBatchNd,
       "space_to_batch",
       {},
       kI8,
       {1, 129, 131, 40},
       {{{2}, {4, 4}}, {{2, 2}, {2, 1, 1, 0}}},
       {16, 33, 33, 40}});
  add({kLiteRtOpCodeTflSpaceToBatchNd,
       "space_to_batch",
       {},
       kI8,
       {1, 6, 5},
       {{{1}, {3}}, {{1, 2}, {0, 0}}},
       {3, 2, 5}});
  add({kLiteRtOpCodeTflBatchToSpaceNd,
       "batch_to_space",
       {},
       kI8,
       {16, 33, 33, 40},
       {{{2}, {4, 4}}, {{2, 2}, {2, 1, 1, 0}}},
       {1, 129, 131, 40}});
  return cases;
}

std::vector<OpCase> CastCases() {
  struct Types {
    LiteRtElementType from, to;
  };
  constexpr auto kI64 = kLiteRtElementTypeInt64;
  constexpr auto kBool = kLiteRtElementTypeBool;
  std::vector<OpCase> cases;
  for (const Types& types : {Types{kF32, kI8},
                             {kF32, kU8},
                             {kF32, kI16},
                             {kF32, kI32},
                             {kF32, kBool},
                             {kI8, kI32},
                             {kU8, kI32},
                             {kBool, kI32},
                             {kI32, kBool},
                             {kI32, kI64},
                             {kI64, kI32},
                             {kI64, kF32}}) {
    for (const Shape& shape : {Shape{3, 5, 7}, Shape{1, 201, 127, 11}}) {
      cases.push_back({fmt::format("cast_{}_to_{}{}", static_cast<int>(types.from),
                                   static_cast<int>(types.to), Name(shape)),
                       [=](ModelBuilder& b) {
                         Tensor* x = b.Input("x", types.from, shape);
                         Tensor* y = b.Value("y", types.to, shape);
                         b.AddOp(kLiteRtOpCodeTflCast, {x}, {y});
                         b.Output(y);
                       }});
    }
  }
  return cases;
}

// What npu_call stands for need not make each of its results: an input, and one tensor twice, are
// results, too.
std::vector<OpCase> NpuCallCases() {
  std::vector<OpCase> cases;
  for (const bool gives_input : {true, false}) {
    cases.push_back({gives_input ? "npu_call_gives_its_input" : "npu_call_gives_a_sum_twice",
                     [=](ModelBuilder& b) {
                       const Shape shape = {2, 17};
                       Tensor* x = b.Input("x", kF32, shape);
                       const int32_t body = b.BeginSubgraph("body");
                       Tensor* in = b.Input("in", kF32, shape);
                       Tensor* sum = b.Value("sum", kF32, shape);
                       b.AddOp(kLiteRtOpCodeTflAdd, {in, in}, {sum});
                       b.Output(gives_input ? in : sum);
                       b.Output(sum);
                       b.SelectSubgraph(0);
                       Tensor* y = b.Value("y", kF32, shape);
                       Tensor* z = b.Value("z", kF32, shape);
                       b.AddComposite("odml.npu_call", body, {x}, {y, z});
                       b.Output(y);
                       b.Output(z);
                     }});
  }
  return cases;
}

class AcmeComposedOps : public OnSoc {};

TEST_P(AcmeComposedOps, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Largest, AcmeComposedOps, OnEverySoc(LargestCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Extreme, AcmeComposedOps, OnEverySoc(ExtremeCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Sum, AcmeComposedOps, OnEverySoc(SumCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Row, AcmeComposedOps, OnEverySoc(RowCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Cast, AcmeComposedOps, OnEverySoc(CastCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(NpuCall, AcmeComposedOps, OnEverySoc(NpuCallCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Box, AcmeComposedOps, OnEverySoc(BoxCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What language models are made of beside products: rows and places that are computed at run time,
// tables of int4, masks. One at a time, on every chip.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

constexpr auto kBool = kLiteRtElementTypeBool;
constexpr auto kInt4 = kLiteRtElementTypeInt4;

// Random inputs of int32 lie in 0 to 3; times this many they reach beyond most tables' begin.
Tensor* Indices(ModelBuilder& b, const Shape& shape, int32_t factor) {
  Tensor* random = b.Input("indices", kI32, shape);
  if (factor == 1) return random;
  Tensor* times = b.Constant<int32_t>("times", {1}, std::vector<int32_t>{factor});
  Tensor* scaled = b.Value("indices_scaled", kI32, shape);
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {random, times}, {scaled});
  return scaled;
}

OpCase GatherCase(LiteRtElementType type, const Shape& table, int32_t axis, const Shape& indices,
                  int32_t factor = 1, bool constant_table = false) {
  return {fmt::format("gather_{}{}_axis_{}_at{}_times_{}{}", Name(type), Name(table), axis,
                      Name(indices), factor, constant_table ? "_constant" : ""),
          [=](ModelBuilder& b) {
            const Quantization quant = Quant(type, 0.05f, 3);
            Tensor* x = !constant_table ? b.Input("x", type, table, quant)
                        : type == kF32  ? AddConstant<float>(b, "x", table, {}, -9, 9)
                                        : AddConstant<int8_t>(b, "x", table, quant, -128, 127);
            Shape y_shape(table.begin(), table.begin() + axis);
            y_shape.insert(y_shape.end(), indices.begin(), indices.end());
            y_shape.insert(y_shape.end(), table.begin() + axis + 1, table.end());
            Tensor* y = b.Value("y", type, y_shape, quant);
            b.AddOp(kLiteRtOpCodeTflGather, GatherOptions{.axis = axis},
                    {x, Indices(b, indices, factor)}, {y}, 2);
            b.Output(y);
          }};
}

std::vector<OpCase> GatherCases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    cases.push_back(GatherCase(type, {7, 5}, 0, {3}));
    cases.push_back(GatherCase(type, {2, 11, 3}, 1, {2, 3}, 3));
    cases.push_back(GatherCase(type, {3, 4}, 1, {}, 1));
  }
  cases.push_back(GatherCase(kI8, {40, 501}, 0, {300}, 13, true));
  cases.push_back(GatherCase(kF32, {4000, 130}, 0, {64}, 1333, true));
  cases.push_back(GatherCase(kF32, {4, 2000}, 0, {64}));
  cases.push_back(GatherCase(kI16, {1, 4, 1, 4000}, 1, {5}));
  return cases;
}

// Rows of a table, as they are or as float32.
OpCase EmbeddingCase(LiteRtElementType type, LiteRtElementType result, const Shape& table,
                     int32_t count, int32_t factor, bool per_row = true) {
  const std::string name = type == kInt4 ? "i4" : Name(type);
  return {fmt::format("embedding_{}_to_{}{}_at_{}{}", name, Name(result), Name(table), count,
                      per_row ? "" : "_one_scale"),
          [=](ModelBuilder& b) {
            Quantization quant = Quant(type, 0.05f, 3);
            if (type != result) {
              std::vector<float> scales;
              for (int32_t row = 0; row < (per_row ? table[0] : 1); ++row)
                scales.push_back(0.01f + 0.003f * static_cast<float>(row % 17));
              quant = per_row ? PerChannel(scales, 0) : PerTensor(scales[0]);
            }
            Tensor* x = nullptr;
            if (type == kInt4) {
              std::vector<uint8_t> bytes(Elems(table) / 2);
              for (size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = static_cast<uint8_t>(i * 37 + i / 7);
              x = b.Constant("table", kInt4, table, bytes, quant);
            } else if (type == kF32) {
              x = AddConstant<float>(b, "table", table, {}, -9, 9);
            } else if (type == kI16) {
              x = AddConstant<int16_t>(b, "table", table, quant, -32768, 32767);
            } else {
              x = AddConstant<int8_t>(b, "table", table, quant, -128, 127);
            }
            Tensor* y = b.Value("y", result, {count, table[1]}, Quant(result, 0.05f, 3));
            b.AddOp(kLiteRtOpCodeTflEmbeddingLookup, {Indices(b, {count}, factor), x}, {y}, 3);
            b.Output(y);
          }};
}

std::vector<OpCase> EmbeddingCases() {
  return {
      EmbeddingCase(kF32, kF32, {10, 6}, 4, 3),
      EmbeddingCase(kI8, kI8, {10, 6}, 4, 3),
      EmbeddingCase(kI16, kI16, {10, 6}, 1, 3),
      EmbeddingCase(kI8, kF32, {10, 7}, 4, 3),
      EmbeddingCase(kI8, kF32, {10, 7}, 4, 3, /*per_row=*/false),
      EmbeddingCase(kInt4, kF32, {10, 6}, 4, 3),
      EmbeddingCase(kInt4, kF32, {600, 128}, 64, 199),
      EmbeddingCase(kInt4, kF32, {10, 6}, 4, 3, /*per_row=*/false),
      EmbeddingCase(kI8, kF32, {5000, 640}, 8, 1666),
  };
}

// Begins are 0 to 3, or as many times the factor, in every dimension.
OpCase UpdateCase(LiteRtElementType type, const Shape& shape, const Shape& update,
                  int32_t factor = 1) {
  return {fmt::format("update_{}{}_by{}_times_{}", Name(type), Name(shape), Name(update), factor),
          [=](ModelBuilder& b) {
            const Quantization quant = Quant(type, 0.05f, 3);
            Tensor* x = b.Input("x", type, shape, quant);
            Tensor* part = b.Input("part", type, update, quant);
            Tensor* begin = Indices(b, {static_cast<int32_t>(shape.size())}, factor);
            Tensor* y = b.Value("y", type, shape, quant);
            b.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice, {x, part, begin}, {y});
            b.Output(y);
          }};
}

// The operand is computed, so is what reads the result: nothing of it is an input or an output.
OpCase InnerUpdateCase(LiteRtElementType type) {
  return {"inner_update_" + Name(type), [=](ModelBuilder& b) {
            const Quantization quant = Quant(type, 0.05f, 3);
            const Shape shape = {3, 40, 7};
            Tensor* x = b.Input("x", type, shape, quant);
            Tensor* part = b.Input("part", type, {2, 5, 7}, quant);
            Tensor* larger = b.Value("larger", type, shape, quant);
            b.AddOp(kLiteRtOpCodeTflMaximum, {x, x}, {larger});
            Tensor* first = b.Value("first", type, shape, quant);
            Tensor* begin = Indices(b, {3}, 7);
            b.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice, {larger, part, begin}, {first});
            Tensor* second = b.Value("second", type, shape, quant);
            b.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice,
                    {first, part, b.Constant<int32_t>("at", {3}, std::vector<int32_t>{0, -4, 90})},
                    {second});
            Tensor* y = b.Value("y", type, shape, quant);
            b.AddOp(kLiteRtOpCodeTflMinimum, {second, x}, {y});
            b.Output(y);
          }};
}

// The result is an output that begins as an input: a cache. Something else may read the old one.
OpCase CacheCase(bool old_is_read) {
  return {
      old_is_read ? "cache_whose_old_is_read" : "cache", [=](ModelBuilder& b) {
        const Quantization quant = PerTensor(0.05f, 3);
        Tensor* cache = b.Input("cache", kI8, {1, 2, 16, 20}, quant);
        Tensor* part = b.Input("part", kI8, {1, 2, 16, 3}, quant);
        Tensor* updated = b.Value("updated", kI8, {1, 2, 16, 20}, quant);
        b.AddOp(kLiteRtOpCodeTflDynamicUpdateSlice, {cache, part, Indices(b, {4}, 6)}, {updated});
        Tensor* y = b.Value("y", kI8, {1, 2, 16, 20}, quant);
        b.AddOp(kLiteRtOpCodeTflMaximum, {updated, old_is_read ? cache : updated}, {y});
        b.Output(updated);
        b.Output(y);
      }};
}

std::vector<OpCase> UpdateCases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    cases.push_back(UpdateCase(type, {9}, {4}));
    cases.push_back(UpdateCase(type, {4, 6}, {2, 3}));
    cases.push_back(UpdateCase(type, {2, 3, 5, 7}, {1, 3, 2, 4}, 2));
    cases.push_back(InnerUpdateCase(type));
  }
  cases.push_back(UpdateCase(kI8, {1, 2, 128, 32}, {1, 2, 8, 32}, 31));   // keys
  cases.push_back(UpdateCase(kI8, {1, 2, 32, 128}, {1, 2, 32, 8}, 31));   // values
  cases.push_back(UpdateCase(kI16, {1, 2, 32, 128}, {1, 2, 32, 1}, 40));  // of one token
  cases.push_back(UpdateCase(kF32, {5, 6}, {5, 6}));
  cases.push_back(UpdateCase(kF32, {3, 2, 5, 2, 7, 2}, {2, 1, 3, 1, 4, 1}));
  cases.push_back(UpdateCase(kF32, {40, 90, 31}, {37, 81, 30}, 5));
  cases.push_back(CacheCase(false));
  cases.push_back(CacheCase(true));
  return cases;
}

OpCase CompareCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type,
                   const Shape& a, const Shape& c, const Shape& result) {
  return {fmt::format("{}_{}{}{}", name, Name(type), Name(a), Name(c)), [=](ModelBuilder& b) {
            Tensor* y = b.Value("y", kBool, result);
            b.AddOp(code, {b.Input("a", type, a), b.Input("b", type, c)}, {y});
            b.Output(y);
          }};
}

OpCase LogicalCase(LiteRtOpCode code, const std::string& name, bool is_unary) {
  return {name, [=](ModelBuilder& b) {
            Tensor* x = b.Input("x", kI32, {3, 1, 5});
            Tensor* z = b.Input("z", kI32, {4, 5});
            const auto compared = [&](const char* of, LiteRtOpCode how, Tensor* value) {
              Tensor* y = b.Value(of, kBool, value->shape);
              Tensor* one =
                  b.Constant<int32_t>(fmt::format("one_{}", of), {1}, std::vector<int32_t>{1});
              b.AddOp(how, {value, one}, {y});
              return y;
            };
            Tensor* p = compared("p", kLiteRtOpCodeTflGreater, x);
            Tensor* y = b.Value("y", kBool, is_unary ? Shape{3, 1, 5} : Shape{3, 4, 5});
            if (is_unary) {
              b.AddOp(code, {p}, {y});
            } else {
              b.AddOp(code, {p, compared("q", kLiteRtOpCodeTflLessEqual, z)}, {y});
            }
            b.Output(y);
          }};
}

OpCase SelectCase(LiteRtOpCode code, LiteRtElementType type, const Shape& mask, const Shape& yes,
                  const Shape& no, const Shape& result) {
  return {fmt::format("{}_{}{}{}{}", code == kLiteRtOpCodeTflSelect ? "select" : "select_v2",
                      Name(type), Name(mask), Name(yes), Name(no)),
          [=](ModelBuilder& b) {
            const Quantization quant = Quant(type, 0.05f, 3);
            Tensor* one = b.Constant<int32_t>("one", {1}, std::vector<int32_t>{1});
            Tensor* chosen = b.Value("chosen", kBool, mask);
            b.AddOp(kLiteRtOpCodeTflGreater, {b.Input("m", kI32, mask), one}, {chosen});
            Tensor* y = b.Value("y", type, result, quant);
            b.AddOp(code,
                    {chosen, b.Input("yes", type, yes, quant), b.Input("no", type, no, quant)},
                    {y});
            b.Output(y);
          }};
}

OpCase CastCase(LiteRtElementType type) {
  return {"cast_" + Name(type), [=](ModelBuilder& b) {
            Tensor* y = b.Value("y", kF32, {3, 50});
            b.AddOp(kLiteRtOpCodeTflCast, CastOptions{},
                    {b.Input("x", type, {3, 50}, Quant(type, 0.05f, 3))}, {y});
            b.Output(y);
          }};
}

OpCase Int32Case(LiteRtOpCode code, const std::string& name, const OpOptions& options) {
  return {name, [=](ModelBuilder& b) {
            Tensor* large = b.Constant<int32_t>(
                "large", {4}, std::vector<int32_t>{INT32_MAX, INT32_MIN, -7, 123456789});
            Tensor* y = b.Value("y", kI32, {3, 4});
            b.AddOp(code, options, {b.Input("x", kI32, {3, 4}), large}, {y});
            b.Output(y);
          }};
}

std::vector<OpCase> MaskCases() {
  std::vector<OpCase> cases;
  const std::pair<LiteRtOpCode, std::string> kComparisons[] = {
      {kLiteRtOpCodeTflEqual, "equal"},     {kLiteRtOpCodeTflNotEqual, "not_equal"},
      {kLiteRtOpCodeTflLess, "less"},       {kLiteRtOpCodeTflLessEqual, "less_equal"},
      {kLiteRtOpCodeTflGreater, "greater"}, {kLiteRtOpCodeTflGreaterEqual, "greater_equal"}};
  for (const auto& [code, name] : kComparisons) {
    cases.push_back(CompareCase(code, name, kI32, {2, 33}, {2, 33}, {2, 33}));
    cases.push_back(CompareCase(code, name, kF32, {4, 1, 3}, {5, 1}, {4, 5, 3}));
  }
  cases.push_back(
      CompareCase(kLiteRtOpCodeTflGreater, "greater", kI32, {1, 1280}, {64, 1}, {64, 1280}));
  cases.push_back(LogicalCase(kLiteRtOpCodeTflLogicalOr, "logical_or", false));
  cases.push_back(LogicalCase(kLiteRtOpCodeTflLogicalAnd, "logical_and", false));
  cases.push_back(LogicalCase(kLiteRtOpCodeTflLogicalNot, "logical_not", true));
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    cases.push_back(SelectCase(kLiteRtOpCodeTflSelectV2, type, {4, 1, 3}, {5, 1}, {1}, {4, 5, 3}));
    cases.push_back(SelectCase(kLiteRtOpCodeTflSelect, type, {4}, {4, 7}, {4, 7}, {4, 7}));
    if (type != kF32) cases.push_back(CastCase(type));
  }
  cases.push_back(SelectCase(kLiteRtOpCodeTflSelectV2, kI16, {2, 3, 2, 5, 2}, {3, 1, 5, 1},
                             {2, 1, 2, 1, 2}, {2, 3, 2, 5, 2}));
  cases.push_back(SelectCase(kLiteRtOpCodeTflSelectV2, kF32, {64, 1280}, {1}, {1}, {64, 1280}));
  cases.push_back(Int32Case(kLiteRtOpCodeTflAdd, "add_i32", AddOptions{}));
  cases.push_back(Int32Case(kLiteRtOpCodeTflSub, "sub_i32", SubOptions{}));
  cases.push_back(Int32Case(kLiteRtOpCodeTflMul, "mul_i32", MulOptions{}));
  return cases;
}

class AcmeGather : public OnSoc {};
TEST_P(AcmeGather, EqualsTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Language, AcmeGather, OnEverySoc(GatherCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Embedding, AcmeGather, OnEverySoc(EmbeddingCases()), OnSoc::Name);

class AcmeUpdateSlice : public OnSoc {};
TEST_P(AcmeUpdateSlice, EqualsTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Language, AcmeUpdateSlice, OnEverySoc(UpdateCases()), OnSoc::Name);

class AcmeMasks : public OnSoc {};
TEST_P(AcmeMasks, EqualTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Language, AcmeMasks, OnEverySoc(MaskCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/op_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/field_text.h"
#include "sdk/host/model/op.h"
#include "sdk/host/model/subgraph_references.h"
#include "sdk/host/model/tflite_schema_generated.h"

namespace npukit {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(OpOptions, AbsentIsNotDefault) {
  EXPECT_FALSE(OpOptions() == OpOptions(AddOptions()));
  EXPECT_TRUE(OpOptions(AddOptions()) == OpOptions(AddOptions()));
  EXPECT_FALSE(OpOptions(AddOptions()) == OpOptions(AddOptions{.pot_scale_int16 = false}));
  EXPECT_EQ(OptionsName(OpOptions()), "");
  EXPECT_EQ(OptionsName(OpOptions(LSTMOptions())), "LSTMOptions");
}

TEST(OpOptions, CopiesAndMoves) {
  OpOptions a = ReshapeOptions{.new_shape = {1, -1}};
  a.empty_fields = 5;
  OpOptions b = a;
  EXPECT_TRUE(a == b);
  EXPECT_EQ(b.empty_fields, 5u);
  OpOptions c = std::move(b);
  EXPECT_TRUE(a == c);
  c = std::monostate();
  EXPECT_TRUE(c == OpOptions());
  c = a;
  const OpOptions& same = c;
  c = same;
  EXPECT_THAT(std::get<ReshapeOptions>(c).new_shape, ElementsAre(1, -1));
}

TEST(OpOptions, DefaultsAreTheSchemas) {
  EXPECT_EQ(Conv2DOptions().dilation_w_factor, 1);
  EXPECT_EQ(Conv2DOptions().stride_w, 0);
  EXPECT_TRUE(AddOptions().pot_scale_int16);
  EXPECT_TRUE(SubOptions().pot_scale_int16);
  EXPECT_TRUE(BidirectionalSequenceLSTMOptions().time_major);
  EXPECT_FALSE(UnidirectionalSequenceLSTMOptions().time_major);
  EXPECT_EQ(UniqueOptions().idx_out_type, TensorType::kInt32);
  EXPECT_EQ(CastOptions().in_data_type, TensorType::kFloat32);
}

// The tables here and the generated classes: same fields, same defaults, same order in the unions.
template <typename Ours, typename Theirs>
bool SameValue(const Ours& ours, const Theirs& theirs) {
  if constexpr (std::is_enum_v<Ours>) {
    return static_cast<int64_t>(ours) == static_cast<int64_t>(theirs);
  } else if constexpr (std::is_same_v<Ours, Theirs>) {
    return ours == theirs;
  } else {
    return ours.empty() && theirs.empty();  // vectors of enums
  }
}

TEST(OpOptions, EveryTableMatchesTheSchema) {
  size_t field = 0;
  size_t tables = 0;
#define OPTIONS(table, union_name)                                                     \
  {                                                                                    \
    ++tables;                                                                          \
    field = 0;                                                                         \
    [[maybe_unused]] const table ours;                                                 \
    [[maybe_unused]] const schema::table##T theirs;                                    \
    const auto* type = schema::table##TypeTable();                                     \
    EXPECT_EQ(static_cast<int>(schema::union_name##Traits<schema::table>::enum_value), \
              static_cast<int>(schema::union_name::table));
#define FIELD(type_name, name, ...)                        \
  ASSERT_LT(field, type->num_elems);                       \
  EXPECT_STREQ(type->names[field], #name);                 \
  EXPECT_TRUE(SameValue(ours.name, theirs.name)) << #name; \
  ++field;
#define END_OPTIONS(table)                     \
  EXPECT_EQ(field, type->num_elems) << #table; \
  }
#include "sdk/host/model/op_options.def"
  EXPECT_EQ(tables, std::variant_size_v<AnyOptionsTable> - 1);
  EXPECT_EQ(tables, static_cast<size_t>(schema::BuiltinOptions::MAX) +
                        static_cast<size_t>(schema::BuiltinOptions2::MAX));
}

TEST(OpOptions, TablesStandInUnionOrder) {
  std::vector<std::string> names;
#define OPTIONS(table, union_name) names.push_back(#table);
#include "sdk/host/model/op_options.def"
  std::vector<std::string> expected;
  for (auto kind : schema::EnumValuesBuiltinOptions()) {
    if (kind != schema::BuiltinOptions::NONE) expected.push_back(EnumNameBuiltinOptions(kind));
  }
  for (auto kind : schema::EnumValuesBuiltinOptions2()) {
    if (kind != schema::BuiltinOptions2::NONE) expected.push_back(EnumNameBuiltinOptions2(kind));
  }
  EXPECT_EQ(names, expected);
}

TEST(OpOptions, EveryEnumMatchesTheSchema) {
  size_t values = 0;
#define ENUM(name, underlying)                    \
  {                                               \
    using Ours = name;                            \
    using Theirs = schema::name;                  \
    const auto* type = schema::name##TypeTable(); \
    values = 0;
#define VALUE(name, schema_name, number)                                         \
  EXPECT_EQ(EnumName(Ours::name), schema_name);                                  \
  EXPECT_EQ(static_cast<int64_t>(Ours::name), number);                           \
  EXPECT_STREQ(type->names[values], schema_name);                                \
  EXPECT_EQ(static_cast<int64_t>(static_cast<Theirs>(number)), int64_t{number}); \
  ++values;
#define END_ENUM(name)                         \
  EXPECT_EQ(values, type->num_elems) << #name; \
  }
#include "sdk/host/model/schema_enums.def"
  EXPECT_EQ(EnumName(static_cast<Padding>(77)), "77");
}

TEST(OpCodes, MatchTheSchemaAndTheCApi) {
  ASSERT_EQ(AllOpCodes().size(), static_cast<size_t>(schema::BuiltinOperator::MAX) + 1);
  for (auto value : schema::EnumValuesBuiltinOperator()) {
    const auto code = static_cast<LiteRtOpCode>(value);
    EXPECT_EQ(OpCodeName(code), EnumNameBuiltinOperator(value));
    EXPECT_EQ(OpCodeFromName(EnumNameBuiltinOperator(value)), code);
  }
  const std::pair<LiteRtOpCode, const char*> known[] = {
      {kLiteRtOpCodeTflAdd, "ADD"},
      {kLiteRtOpCodeTflCustom, "CUSTOM"},
      {kLiteRtOpCodeTflFullyConnected, "FULLY_CONNECTED"},
      {kLiteRtOpCodeTflRightShift, "RIGHT_SHIFT"},
      {kLiteRtOpCodeShloLogistic, "STABLEHLO_LOGISTIC"},
      {kLiteRtOpCodeTflDilate, "DILATE"},
      {kLiteRtOpCodeShloComposite, "STABLEHLO_COMPOSITE"},
  };
  for (const auto& [code, name] : known) EXPECT_EQ(OpCodeName(code), name);
  EXPECT_EQ(OpCodeName(static_cast<LiteRtOpCode>(250)), "BUILTIN 250");
  EXPECT_EQ(OpCodeFromName("NO_SUCH_OP"), std::nullopt);
}

TEST(OpCodes, DefaultOptionsAreOfTheOpsTable) {
  EXPECT_EQ(OptionsName(DefaultOptions(kLiteRtOpCodeTflMaxPool2d)), "Pool2DOptions");
  EXPECT_EQ(OptionsName(DefaultOptions(kLiteRtOpCodeTflSum)), "ReducerOptions");
  EXPECT_EQ(OptionsName(DefaultOptions(kLiteRtOpCodeShloComposite)), "StableHLOCompositeOptions");
  EXPECT_EQ(OptionsName(DefaultOptions(kLiteRtOpCodeTflLogistic)), "");
  EXPECT_EQ(OptionsName(DefaultOptions(static_cast<LiteRtOpCode>(250))), "");
}

TEST(FieldTexts, AreReadableAndExact) {
  EXPECT_THAT(FieldTexts(Pool2DOptions{.padding = Padding::kValid, .stride_w = 2}),
              ElementsAre(Pair("padding", "VALID"), Pair("stride_w", "2"), Pair("stride_h", "0"),
                          Pair("filter_width", "0"), Pair("filter_height", "0"),
                          Pair("fused_activation_function", "NONE")));
  EXPECT_THAT(FieldTexts(SoftmaxOptions{.beta = 0.1f}), ElementsAre(Pair("beta", "0.1")));
  EXPECT_THAT(FieldTexts(VarHandleOptions{.container = "a\n", .shared_name = "é"}),
              ElementsAre(Pair("container", "'a\\x0a'"), Pair("shared_name", "'é'")));
  EXPECT_THAT(FieldTexts(StablehloConvolutionOptions{.window_reversal = {true, false}})[4],
              Pair("window_reversal", "[true,false]"));
  EXPECT_THAT(FieldTexts(OpOptions()), ElementsAre());
}

TEST(SubgraphReferences, FindAndEditEveryIndex) {
  const std::pair<OpOptions, std::vector<int32_t>> cases[] = {
      {OpOptions(), {}},
      {AddOptions(), {}},
      {IfOptions{.then_subgraph_index = 3, .else_subgraph_index = 4}, {3, 4}},
      {WhileOptions{.cond_subgraph_index = 1, .body_subgraph_index = 2}, {1, 2}},
      {CallOptions{.subgraph = 7}, {7}},
      {CallOnceOptions{.init_subgraph_index = 6}, {6}},
      {StablehloCaseOptions{.branch_subgraph_indices = {1, 5, 9}}, {1, 5, 9}},
      {StableHLOCompositeOptions{.decomposition_subgraph_index = 2}, {2}},
  };
  for (const auto& [options, expected] : cases) {
    EXPECT_EQ(SubgraphReferences(options), expected) << OptionsName(options);
    OpOptions edited = options;
    EditSubgraphReferences(edited, [](const char*, int32_t& index) { index += 10; });
    std::vector<int32_t> shifted = expected;
    for (int32_t& index : shifted) index += 10;
    EXPECT_EQ(SubgraphReferences(edited), shifted) << OptionsName(options);
  }
}

// Whoever adds a table with such a field must add it to subgraph_references.cc.
TEST(SubgraphReferences, CoverEveryFieldNamedSo) {
  const auto check = [](const auto& table) {
    size_t fields = 0;
    VisitFields(table, [&](std::string_view name, const auto&) {
      fields += name.find("subgraph_ind") != std::string_view::npos || name == "subgraph" ||
                name == "called_computations";
    });
    OpOptions options = table;
    size_t found = 0;
    if (auto* call = std::get_if<StablehloCustomCallOptions>(&options)) {
      call->called_computations = {0};
    } else if (auto* branches = std::get_if<StablehloCaseOptions>(&options)) {
      branches->branch_subgraph_indices = {0};
    }
    EditSubgraphReferences(options, [&](const char*, int32_t&) { ++found; });
    EXPECT_EQ(found, fields) << OptionsName(options);
  };
#define OPTIONS(table, union_name) check(table());
#include "sdk/host/model/op_options.def"
}

}  // namespace
}  // namespace npukit

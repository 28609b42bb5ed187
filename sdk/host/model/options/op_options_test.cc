// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/op_options.h"

#include <flatbuffers/reflection.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/options/field_text.h"
#include "sdk/host/model/options/option_fields.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/model/testing/raw_flatbuffer.h"

namespace npukit {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr OptionsKind kEveryTable[] = {
#define OPTIONS(table, union_name) OptionsKind::k##table,
#include "sdk/host/model/options/op_options.def"
};

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
  c = OpOptions();
  EXPECT_TRUE(c == OpOptions());
  c = a;
  const OpOptions& same = c;
  c = same;
  EXPECT_THAT(c.As<ReshapeOptions>()->new_shape, ElementsAre(1, -1));
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

// What the schema says of a field, and what the C++ type of ours means there.
struct FieldType {
  reflection::BaseType base = reflection::None;
  reflection::BaseType element = reflection::None;  // of a vector
  double value = 0;                                 // of a scalar
};

template <typename T>
FieldType TypeOf(const T& field) {
  if constexpr (std::is_enum_v<T>) {
    return TypeOf(static_cast<std::underlying_type_t<T>>(field));
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto base = std::is_same_v<T, bool>       ? reflection::Bool
                      : std::is_same_v<T, float>    ? reflection::Float
                      : std::is_same_v<T, int8_t>   ? reflection::Byte
                      : std::is_same_v<T, uint8_t>  ? reflection::UByte
                      : std::is_same_v<T, int32_t>  ? reflection::Int
                      : std::is_same_v<T, uint32_t> ? reflection::UInt
                      : std::is_same_v<T, int64_t>  ? reflection::Long
                                                    : reflection::None;
    return {.base = base, .value = static_cast<double>(field)};
  } else {
    EXPECT_TRUE(field.empty());
    if constexpr (std::is_same_v<T, std::string>) return {.base = reflection::String};
    return {.base = reflection::Vector, .element = TypeOf(typename T::value_type()).base};
  }
}

// Compares one table with the schema's, field by field.
class TableCheck {
 public:
  explicit TableCheck(const std::string& table) : table_(table) {
    const reflection::Object* object =
        FileSchema().objects()->LookupByKey(("npukit.schema." + table).c_str());
    EXPECT_NE(object, nullptr) << table;
    if (object == nullptr) return;
    fields_.resize(object->fields()->size());
    for (const reflection::Field* field : *object->fields()) fields_.at(field->id()) = field;
  }

  void Field(const char* name, const FieldType& ours) {
    SCOPED_TRACE(table_ + "." + name);
    ASSERT_LT(next_, fields_.size());
    const reflection::Field& theirs = *fields_[next_++];
    EXPECT_EQ(theirs.name()->str(), name);
    EXPECT_EQ(ours.base, theirs.type()->base_type());
    EXPECT_EQ(ours.element, theirs.type()->element());
    if (ours.base == reflection::Float) {
      EXPECT_EQ(static_cast<float>(ours.value), static_cast<float>(theirs.default_real()));
    } else {
      EXPECT_EQ(ours.value, static_cast<double>(theirs.default_integer()));
    }
  }
  void End() const { EXPECT_EQ(next_, fields_.size()) << table_; }

 private:
  const std::string table_;
  std::vector<const reflection::Field*> fields_;  // by their places in the schema
  size_t next_ = 0;
};

// The tables here and the schema's: same fields, same types, same defaults, same order.
TEST(OpOptions, EveryTableMatchesTheSchema) {
  for (const OptionsKind kind : kEveryTable) {
    const OpOptions options = OpOptions::Default(kind);
    TableCheck check(std::string(OptionsName(options)));
    VisitFields(options,
                [&](const char* name, const auto& value) { check.Field(name, TypeOf(value)); });
    check.End();
  }
}

TEST(OpOptions, TablesStandInUnionOrder) {
  std::vector<std::string> names;
  for (const OptionsKind kind : kEveryTable)
    names.emplace_back(OptionsName(OpOptions::Default(kind)));
  std::vector<std::string> expected;
  for (auto kind : schema::EnumValuesBuiltinOptions()) {
    if (kind != schema::BuiltinOptions::NONE) expected.emplace_back(EnumNameBuiltinOptions(kind));
  }
  for (auto kind : schema::EnumValuesBuiltinOptions2()) {
    if (kind != schema::BuiltinOptions2::NONE) expected.emplace_back(EnumNameBuiltinOptions2(kind));
  }
  EXPECT_EQ(names, expected);
}

struct EnumEntry {
  std::string name;
  std::string schema_name;
  int64_t value;
};

void CheckEnum(const char* name, const flatbuffers::TypeTable* type,
               const std::vector<EnumEntry>& entries) {
  ASSERT_EQ(entries.size(), type->num_elems) << name;
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].name, entries[i].schema_name) << name;
    EXPECT_EQ(type->names[i], entries[i].schema_name) << name;
    // All of them count from 0 without gaps.
    EXPECT_EQ(entries[i].value, static_cast<int64_t>(i)) << name;
  }
}

TEST(OpOptions, EveryEnumMatchesTheSchema) {
#define ENUM(name, underlying) \
  {                            \
    using E = name;            \
    CheckEnum(#name, schema::name##TypeTable(), {
#define VALUE(name, schema_name, number) {EnumName(E::name), schema_name, number},
#define END_ENUM(name) \
  });                  \
  }
#include "sdk/host/model/options/schema_enums.def"
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
  for (const OptionsKind kind : kEveryTable) {
    OpOptions options = OpOptions::Default(kind);
    size_t fields = 0;
    for (const auto& [name, text] : FieldTexts(options)) {
      fields += name.find("subgraph_ind") != std::string::npos || name == "subgraph" ||
                name == "called_computations";
    }
    if (auto* call = options.As<StablehloCustomCallOptions>()) {
      call->called_computations = {0};
    } else if (auto* branches = options.As<StablehloCaseOptions>()) {
      branches->branch_subgraph_indices = {0};
    }
    EXPECT_EQ(SubgraphReferences(options).size(), fields) << OptionsName(options);
  }
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every getter of litert_op_options.h: with options of distinct values it gives the one that its
// name says; for an op of another code, without options, and for null arguments it gives an error.
// And every setter.

#include "litert/c/litert_op_options.h"
#include "litert/vendors/c/litert_linked_in.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/options/op_options.h"
#include "sdk/host/model/options/option_fields.h"
#include "sdk/host/rewrite/builder.h"

namespace npukit {
namespace {

// Options whose fields differ from each other and from the defaults: the nth
// field holds n + 1, booleans the opposite of their default.
OpOptions DistinctOptions(OptionsKind kind) {
  OpOptions options = OpOptions::Default(kind);
  int n = 0;
  VisitFields(options, [&](const char*, auto& field) {
    using F = std::decay_t<decltype(field)>;
    ++n;
    if constexpr (std::is_same_v<F, bool>) {
      field = !field;
    } else if constexpr (std::is_arithmetic_v<F> || std::is_enum_v<F>) {
      field = static_cast<F>(n);
    }
  });
  return options;
}

template <typename O, typename F, typename V>
void CheckGetter(const char* name, LiteRtStatus (*getter)(LiteRtOp, V*), LiteRtOpCode code,
                 F O::*field) {
  SCOPED_TRACE(name);
  const OpOptions options = DistinctOptions(kOptionsKind<O>);
  Op op;
  op.code = code;
  V value = {};
  EXPECT_EQ(getter(&op, &value), kLiteRtStatusErrorInvalidArgument) << "without options";
  op.options = options;
  ASSERT_EQ(getter(&op, &value), kLiteRtStatusOk);
  EXPECT_EQ(value, static_cast<V>(options.As<O>()->*field));
  EXPECT_EQ(getter(nullptr, &value), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(getter(&op, nullptr), kLiteRtStatusErrorInvalidArgument);
  op.code = kLiteRtOpCodeTflRelu;
  EXPECT_EQ(getter(&op, &value), kLiteRtStatusErrorInvalidArgument) << "op of another code";
}

TEST(OpOptionsTest, Getters) {
  int count = 0;
#define GETTER(name, table, getter, field, type)                              \
  CheckGetter<table>(#getter, getter, kLiteRtOpCodeTfl##name, &table::field); \
  ++count;
#define OP_GETTERS(name, table) FIELDS_OF_##table(GETTER, name)
#define OP_OPTIONS(name, table) FIELDS_OF_##table(GETTER, name)
#include "sdk/host/c_api/graph/op_option_functions.def"
  EXPECT_EQ(count, 90);
}

TEST(OpOptionsTest, AllOfAnAveragePoolAtOnce) {
  const OpOptions options = DistinctOptions(OptionsKind::kPool2DOptions);
  const auto& pool = *options.As<Pool2DOptions>();
  Op op;
  op.code = kLiteRtOpCodeTflAveragePool2d;
  int8_t padding = 0, activation = 0;
  int32_t stride_w = 0, stride_h = 0, width = 0, height = 0;
  const auto get = [&](LiteRtOp from) {
    return LiteRtGetAveragePool2dOptions(from, &padding, &stride_w, &stride_h, &width, &height,
                                         &activation);
  };
  EXPECT_EQ(get(&op), kLiteRtStatusErrorInvalidArgument) << "without options";
  op.options = options;
  ASSERT_EQ(get(&op), kLiteRtStatusOk);
  EXPECT_EQ(padding, static_cast<int8_t>(pool.padding));
  EXPECT_EQ(stride_w, pool.stride_w);
  EXPECT_EQ(stride_h, pool.stride_h);
  EXPECT_EQ(width, pool.filter_width);
  EXPECT_EQ(height, pool.filter_height);
  EXPECT_EQ(activation, static_cast<int8_t>(pool.fused_activation_function));
  op.code = kLiteRtOpCodeTflMaxPool2d;
  EXPECT_EQ(get(&op), kLiteRtStatusErrorInvalidArgument) << "op of another code";
}

// Each setter gives distinct values to an op that a builder made, and none where it is given none.
TEST(OpOptionsTest, Setters) {
  BufferStore buffers;
  Subgraph subgraph(&buffers);
  LiteRtBuilderT builder(subgraph);
  int count = 0;
#define VARIABLE(name, table, getter, field, type) \
  type field = static_cast<type>(distinct.As<table>()->field);
#define ARGUMENT(name, table, getter, field, type) , &field
#define NO_ARGUMENT(name, table, getter, field, type) , nullptr
#define CHECK_FIELD(name, table, getter, field, type) \
  EXPECT_EQ(op->OptionsAs<table>()->field, distinct.As<table>()->field) << #field;
#define OP_OPTIONS(name, table)                                                                   \
  {                                                                                               \
    SCOPED_TRACE(#name);                                                                          \
    const OpOptions distinct = DistinctOptions(kOptionsKind<table>);                              \
    Op* op = builder.BuildOp(kLiteRtOpCodeTfl##name, {}, {});                                     \
    ASSERT_NE(op, nullptr);                                                                       \
    FIELDS_OF_##table(VARIABLE, name) ASSERT_EQ(                                                  \
        LiteRtBuilderBuild##name##OpOption(&builder, op FIELDS_OF_##table(ARGUMENT, name)),       \
        kLiteRtStatusOk);                                                                         \
    FIELDS_OF_##table(CHECK_FIELD, name) ASSERT_EQ(                                               \
        LiteRtBuilderBuild##name##OpOption(&builder, op FIELDS_OF_##table(NO_ARGUMENT, name)),    \
        kLiteRtStatusOk);                                                                         \
    EXPECT_EQ(*op->OptionsAs<table>(), table());                                                  \
    op->code = kLiteRtOpCodeTflRelu;                                                              \
    EXPECT_EQ(LiteRtBuilderBuild##name##OpOption(&builder, op FIELDS_OF_##table(ARGUMENT, name)), \
              kLiteRtStatusErrorInvalidArgument)                                                  \
        << "op of another code";                                                                  \
    ++count;                                                                                      \
  }
#include "sdk/host/c_api/graph/op_option_functions.def"
  EXPECT_EQ(count, 34);
}

// Names that the table must not have mixed up: the last word of a getter is the
// field, in LiteRT's spelling.
TEST(OpOptionsTest, GettersReadTheFieldTheyName) {
  const auto squeezed = [](const std::string& text) {
    std::string out;
    for (char c : text) {
      if (c != '_') out += static_cast<char>(std::tolower(c));
    }
    return out;
  };
#define CHECK_NAME(op, table, getter, field, type)                         \
  {                                                                        \
    std::string name = squeezed(#getter);                                  \
    std::string wanted = squeezed(#field);                                 \
    for (const char* tail : {"function", "factor", "s"}) {                 \
      const size_t n = std::strlen(tail);                                  \
      if (name.find(wanted) == std::string::npos && wanted.size() > n &&   \
          wanted.compare(wanted.size() - n, n, tail) == 0) {               \
        wanted.resize(wanted.size() - n);                                  \
      }                                                                    \
    }                                                                      \
    EXPECT_NE(name.find(wanted), std::string::npos) << #getter " " #field; \
  }
#define OP_GETTERS(name, table) FIELDS_OF_##table(CHECK_NAME, name)
#define OP_OPTIONS(name, table) FIELDS_OF_##table(CHECK_NAME, name)
#include "sdk/host/c_api/graph/op_option_functions.def"
}

TEST(OpOptionsTest, Lists) {
  Op op;
  op.code = kLiteRtOpCodeTflReshape;
  op.options = ReshapeOptions{.new_shape = {2, -1}};
  const int32_t* values = nullptr;
  int32_t count = 0;
  ASSERT_EQ(LiteRtGetReshapeNewShapeOption(&op, &values, &count), kLiteRtStatusOk);
  EXPECT_EQ(std::vector<int32_t>(values, values + count), std::vector<int32_t>({2, -1}));
  EXPECT_EQ(LiteRtGetSqueezeDimsOption(&op, &values, &count), kLiteRtStatusErrorInvalidArgument);
  op.code = kLiteRtOpCodeTflSqueeze;
  op.options = SqueezeOptions{.squeeze_dims = {0}};
  ASSERT_EQ(LiteRtGetSqueezeDimsOption(&op, &values, &count), kLiteRtStatusOk);
  EXPECT_EQ(std::vector<int32_t>(values, values + count), std::vector<int32_t>({0}));
  EXPECT_EQ(LiteRtGetSqueezeDimsOption(&op, nullptr, &count), kLiteRtStatusErrorInvalidArgument);
}

TEST(OpOptionsTest, Composite) {
  Op op;
  op.code = kLiteRtOpCodeShloComposite;
  StableHLOCompositeOptions options;
  options.name = "odml.rms_norm";
  options.decomposition_subgraph_index = 2;
  options.composite_attributes = {1, 2, 3};
  options.version = 4;
  op.options = options;
  const char* name = nullptr;
  ASSERT_EQ(LiteRtGetSHLOCompositeOpName(&op, &name), kLiteRtStatusOk);
  EXPECT_STREQ(name, "odml.rms_norm");
  int32_t number = 0;
  ASSERT_EQ(LiteRtGetSHLOCompositeOpDecompositionSubgraphIndex(&op, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 2);
  ASSERT_EQ(LiteRtGetSHLOCompositeOpVersion(&op, &number), kLiteRtStatusOk);
  EXPECT_EQ(number, 4);
  const uint8_t* bytes = nullptr;
  ASSERT_EQ(LiteRtGetSHLOCompositeOpAttributes(&op, &bytes, &number), kLiteRtStatusOk);
  EXPECT_EQ(std::vector<uint8_t>(bytes, bytes + number), std::vector<uint8_t>({1, 2, 3}));
  op.code = kLiteRtOpCodeTflAdd;
  EXPECT_EQ(LiteRtGetSHLOCompositeOpName(&op, &name), kLiteRtStatusErrorInvalidArgument);
}

}  // namespace
}  // namespace npukit

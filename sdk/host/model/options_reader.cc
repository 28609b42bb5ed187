// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options_reader.h"

#include "sdk/host/model/flatbuffer_walk.h"
#include "sdk/host/model/tflite_schema_generated.h"

namespace npukit {
namespace {

#define OPTIONS(table, union_name)                         \
  OpOptions Read([[maybe_unused]] const schema::table& in, \
                 [[maybe_unused]] ReadContext& context) {  \
    table out;
#define FIELD(type, name, ...) context.Fetch(in.name(), out.name);
#define END_OPTIONS(table)                                               \
  OpOptions options(std::move(out));                                     \
  options.empty_fields = EmptyFieldsOf(&in, schema::table##TypeTable()); \
  return options;                                                        \
  }
#include "sdk/host/model/op_options.def"

template <typename Table>
litert::Expected<OpOptions> ReadMember(const void* table, ReadContext& context) {
  if (table == nullptr) return BadFile("expected an options table of the stated kind, found none");
  return Read(*static_cast<const Table*>(table), context);
}

litert::Expected<OpOptions> ReadFirstUnion(const schema::Operator& op, ReadContext& context) {
  switch (op.builtin_options_type()) {
    case schema::BuiltinOptions::NONE:
      return OpOptions();
#define MEMBER_OF_BuiltinOptions(table) \
  case schema::BuiltinOptions::table:   \
    return ReadMember<schema::table>(op.builtin_options(), context);
#define MEMBER_OF_BuiltinOptions2(table)
#define OPTIONS(table, union_name) MEMBER_OF_##union_name(table)
#include "sdk/host/model/op_options.def"
#undef MEMBER_OF_BuiltinOptions
#undef MEMBER_OF_BuiltinOptions2
  }
  return BadFile("expected options of a known kind, found kind ",
                 static_cast<int>(op.builtin_options_type()));
}

litert::Expected<OpOptions> ReadSecondUnion(const schema::Operator& op, ReadContext& context) {
  switch (op.builtin_options_2_type()) {
    case schema::BuiltinOptions2::NONE:
      return OpOptions();
#define MEMBER_OF_BuiltinOptions(table)
#define MEMBER_OF_BuiltinOptions2(table) \
  case schema::BuiltinOptions2::table:   \
    return ReadMember<schema::table>(op.builtin_options_2(), context);
#define OPTIONS(table, union_name) MEMBER_OF_##union_name(table)
#include "sdk/host/model/op_options.def"
#undef MEMBER_OF_BuiltinOptions
#undef MEMBER_OF_BuiltinOptions2
  }
  return BadFile("expected options (second union) of a known kind, found kind ",
                 static_cast<int>(op.builtin_options_2_type()));
}

}  // namespace

litert::Expected<OpOptions> ReadOptions(const schema::Operator& op, ReadContext& context) {
  if (op.builtin_options_2_type() == schema::BuiltinOptions2::NONE)
    return ReadFirstUnion(op, context);
  if (op.builtin_options_type() != schema::BuiltinOptions::NONE) {
    return BadFile("expected options in one of the two unions, found both");
  }
  return ReadSecondUnion(op, context);
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options_writer.h"

#include <tuple>

#include "sdk/host/model/stored_fields.h"
#include "sdk/host/model/tflite_schema_generated.h"

namespace npukit {
namespace {

// An enum value for whichever enum the schema declares there.
struct EnumNumber {
  int64_t number;
  template <typename E>
  requires std::is_enum_v<E>
  operator E() const {  // NOLINT(*-explicit-constructor)
    return static_cast<E>(number);
  }
};

// Prepares the fields of one table in schema order: scalars as they are,
// vectors and strings by writing them.
class FieldWriter {
 public:
  FieldWriter(flatbuffers::FlatBufferBuilder& builder, EmptyFields empty_fields)
      : builder_(builder), empty_fields_(empty_fields) {}

  template <typename T>
  auto Store(const T& value) {
    const size_t field = next_field_++;
    if constexpr (std::is_enum_v<T>) {
      return EnumNumber{static_cast<int64_t>(value)};
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return StoreString(builder_, value, empty_fields_, field);
    } else {
      return StoreElements(value, field);
    }
  }

 private:
  template <typename T>
  auto StoreElements(const std::vector<T>& values, size_t field) {
    return StoreVector<T>(builder_, values, empty_fields_, field);
  }
  auto StoreElements(const std::vector<bool>& values, size_t field) {
    return StoreVector<uint8_t>(builder_, values, empty_fields_, field);
  }
  auto StoreElements(const std::vector<StablehloPrecisionConfig>& values, size_t field) {
    return StoreVector<schema::StablehloPrecisionConfig>(builder_, values, empty_fields_, field);
  }

  flatbuffers::FlatBufferBuilder& builder_;
  EmptyFields empty_fields_;
  size_t next_field_ = 0;
};

template <typename Table>
void SetKind(WrittenOptions& written, schema::BuiltinOptions kind) {
  written.first_union_kind = static_cast<uint8_t>(kind);
}
template <typename Table>
void SetKind(WrittenOptions& written, schema::BuiltinOptions2 kind) {
  written.second_union_kind = static_cast<uint8_t>(kind);
}

WrittenOptions Write(flatbuffers::FlatBufferBuilder&, EmptyFields, const std::monostate&) {
  return {};
}

// The generated Create functions take the fields in schema order, as the table
// lists them.
#define OPTIONS(table, union_name)                                                        \
  WrittenOptions Write(flatbuffers::FlatBufferBuilder& builder, EmptyFields empty_fields, \
                       [[maybe_unused]] const table& in) {                                \
    WrittenOptions written;                                                               \
    SetKind<table>(written, schema::union_name::table);                                   \
    [[maybe_unused]] FieldWriter writer(builder, empty_fields);                           \
    const auto create = [&](const auto&... fields) {                                      \
      return schema::Create##table(builder, fields...);                                   \
    };                                                                                    \
    const std::tuple fields {
#define FIELD(type, name, ...) writer.Store(in.name),
#define END_OPTIONS(table)                             \
  }                                                    \
  ;                                                    \
  written.offset = std::apply(create, fields).Union(); \
  return written;                                      \
  }
#include "sdk/host/model/op_options.def"

}  // namespace

WrittenOptions WriteOptionsTable(flatbuffers::FlatBufferBuilder& builder,
                                 const OpOptions& options) {
  return VisitOptions(
      options, [&](const auto& table) { return Write(builder, options.empty_fields, table); });
}

}  // namespace npukit

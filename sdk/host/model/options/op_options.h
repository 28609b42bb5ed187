// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the builtin operators as plain values: one struct per options
// table of the schema (`Conv2DOptions`, fields named as there), and a class that
// holds any of them. Generated from op_options.def and schema_enums.def; needs no
// FlatBuffers.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sdk/host/model/options/empty_fields.h"

namespace npukit {

// -- Enums: `enum class Padding : int8_t { kSame = 0, kValid = 1 };` and so on.
// A file may hold any value of the underlying type; readers of options must
// expect values that are not listed.

#define ENUM(name, underlying) enum class name : underlying {
#define VALUE(name, schema_name, value) name = value,
#define END_ENUM(name) \
  }                    \
  ;
#include "sdk/host/model/options/schema_enums.def"

// The schema's name of a value ("SAME"), or its number if it has none.
#define ENUM(name, underlying) std::string EnumName(name value);
#include "sdk/host/model/options/schema_enums.def"

// True for the enums above.
template <typename T>
inline constexpr bool kIsSchemaEnum = false;
#define ENUM(name, underlying) \
  template <>                  \
  inline constexpr bool kIsSchemaEnum<name> = true;
#include "sdk/host/model/options/schema_enums.def"

// -- Tables: `struct SoftmaxOptions { float beta = 0.0f; };` and so on,
// comparable with ==.

#define OPTIONS(table, union_name) struct table {
#define FIELD(type, name, ...) type name = __VA_ARGS__;
#define END_OPTIONS(table)                       \
  bool operator==(const table&) const = default; \
  }                                              \
  ;
#include "sdk/host/model/options/op_options.def"

// True for the tables above.
template <typename T>
inline constexpr bool kIsOptionsTable = false;
#define OPTIONS(table, union_name) \
  template <>                      \
  inline constexpr bool kIsOptionsTable<table> = true;
#include "sdk/host/model/options/op_options.def"

// Which table; kNone: none.
enum class OptionsKind : uint8_t {
  kNone,
#define OPTIONS(table, union_name) k##table,
#include "sdk/host/model/options/op_options.def"
};

template <typename T>
inline constexpr OptionsKind kOptionsKind = OptionsKind::kNone;
#define OPTIONS(table, union_name) \
  template <>                      \
  inline constexpr OptionsKind kOptionsKind<table> = OptionsKind::k##table;
#include "sdk/host/model/options/op_options.def"

// -- Fields

// The C++ type of a field: those of the schema's scalars, strings and vectors, and the enums above.
#define NPUKIT_PLAIN_FIELD_TYPES(TYPE) \
  TYPE(Bool, bool)                     \
  TYPE(Int32, int32_t)                 \
  TYPE(UInt32, uint32_t)               \
  TYPE(Int64, int64_t)                 \
  TYPE(Float, float)                   \
  TYPE(String, std::string)            \
  TYPE(Bools, std::vector<bool>)       \
  TYPE(Bytes, std::vector<uint8_t>)    \
  TYPE(Int32s, std::vector<int32_t>)   \
  TYPE(Int64s, std::vector<int64_t>)   \
  TYPE(Floats, std::vector<float>)     \
  TYPE(PrecisionConfigs, std::vector<StablehloPrecisionConfig>)

enum class FieldType : uint8_t {
#define FIELD_TYPE(name, ...) k##name,
  NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#undef FIELD_TYPE
#define ENUM(name, underlying) k##name,
#include "sdk/host/model/options/schema_enums.def"
};

struct OptionField {
  const char* name;
  FieldType type;
  size_t offset_bytes;  // in its table
};

// In schema order; none for kNone.
std::span<const OptionField> OptionFields(OptionsKind kind);

// Options of any operator: one of the tables, or none, which is not the same as a table full of
// defaults. A std::variant of so many types would cost every file that includes this a second.
class OpOptions {
 public:
  OpOptions() = default;
  OpOptions(const OpOptions& other);
  OpOptions(OpOptions&& other) noexcept;
  OpOptions& operator=(const OpOptions& other);
  OpOptions& operator=(OpOptions&& other) noexcept;
  ~OpOptions();

  // NOLINTNEXTLINE(*-explicit-constructor): so that `op.options =
  // SoftmaxOptions{.beta = 1.0f};` works.
  OpOptions(std::monostate) {}
  template <typename T>
  requires kIsOptionsTable<T> OpOptions(T table)  // NOLINT(*-explicit-constructor)
      : kind_(kOptionsKind<T>), table_(new T(std::move(table))) {}

  // The table of that kind, its fields at their defaults.
  static OpOptions Default(OptionsKind kind);

  OptionsKind kind() const { return kind_; }

  template <typename T>
  requires kIsOptionsTable<T>
  bool Is() const { return kind_ == kOptionsKind<T>; }

  // Null if it is another table, or none.
  template <typename T>
  requires kIsOptionsTable<T> T* As() { return Is<T>() ? static_cast<T*>(table_) : nullptr; }
  template <typename T>
  requires kIsOptionsTable<T>
  const T* As() const { return Is<T>() ? static_cast<const T*>(table_) : nullptr; }

  // The table, of whichever type; null for none. For VisitFields.
  void* table() { return table_; }
  const void* table() const { return table_; }

  // Ignores empty_fields.
  friend bool operator==(const OpOptions& a, const OpOptions& b);

  EmptyFields empty_fields = 0;  // of the table

 private:
  OptionsKind kind_ = OptionsKind::kNone;
  void* table_ = nullptr;  // owned; of the type that kind_ tells
};

// "Conv2DOptions"; empty for none.
std::string_view OptionsName(const OpOptions& options);

// One field of a table; T is of the type that the field tells. A const table's are const.
template <typename T>
T& FieldAs(const OptionField& field, void* table) {
  return *reinterpret_cast<T*>(static_cast<char*>(table) + field.offset_bytes);
}
template <typename T>
const T& FieldAs(const OptionField& field, const void* table) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(table) + field.offset_bytes);
}

// visit(FieldAs<T>(field, table)), T by the field's type. Table is void or const void.
template <typename Table, typename Visitor>
void VisitField(const OptionField& field, Table* table, Visitor&& visit) {
  switch (field.type) {
#define FIELD_TYPE(name, ...) \
  case FieldType::k##name:    \
    return visit(FieldAs<__VA_ARGS__>(field, table));
    NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name, name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE
  }
}

// visit("stride_w", options.stride_w) for each field of whichever table it is, in schema order; no
// call for none. The visitor is instantiated for each type of field, not for each table.
template <typename Visitor>
void VisitFields(OpOptions& options, Visitor&& visit) {
  for (const OptionField& field : OptionFields(options.kind()))
    VisitField(field, options.table(), [&](auto& value) { visit(field.name, value); });
}
template <typename Visitor>
void VisitFields(const OpOptions& options, Visitor&& visit) {
  for (const OptionField& field : OptionFields(options.kind()))
    VisitField(field, options.table(), [&](const auto& value) { visit(field.name, value); });
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_

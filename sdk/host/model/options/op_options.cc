// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/op_options.h"

#include <initializer_list>

namespace npukit {

#define ENUM(name, underlying)       \
  std::string EnumName(name value) { \
    using E = name;                  \
    switch (value) {
#define VALUE(name, schema_name, number) \
  case E::name:                          \
    return schema_name;
#define END_ENUM(name)                                \
  }                                                   \
  return std::to_string(static_cast<int64_t>(value)); \
  }
#include "sdk/host/model/options/schema_enums.def"

namespace {

template <typename T>
inline constexpr FieldType kFieldType = {};
#define FIELD_TYPE(name, ...) \
  template <>                 \
  inline constexpr FieldType kFieldType<__VA_ARGS__> = FieldType::k##name;
NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name, name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE

#define OPTIONS(table, union_name) \
  struct FieldsOf##table {         \
    using Table = table;           \
    static constexpr std::initializer_list<OptionField> kFields = {
#define FIELD(type, name, ...) {#name, kFieldType<type>, offsetof(Table, name)},
#define END_OPTIONS(table) \
  }                        \
  ;                        \
  }                        \
  ;
#include "sdk/host/model/options/op_options.def"

struct OptionsTable {
  std::string_view name;
  std::span<const OptionField> fields;
  void* (*make)();
  void* (*copy)(const void* table);
  void (*destroy)(void* table);
};

template <typename T>
constexpr OptionsTable DescribeTable(std::string_view name, std::span<const OptionField> fields) {
  return {.name = name,
          .fields = fields,
          .make = []() -> void* { return new T(); },
          .copy = [](const void* table) -> void* { return new T(*static_cast<const T*>(table)); },
          .destroy = [](void* table) { delete static_cast<T*>(table); }};
}

// By OptionsKind.
constexpr OptionsTable kTables[] = {
    {.name = {},
     .fields = {},
     .make = []() -> void* { return nullptr; },
     .copy = [](const void*) -> void* { return nullptr; },
     .destroy = [](void*) {}},
#define OPTIONS(table, union_name) DescribeTable<table>(#table, FieldsOf##table::kFields),
#include "sdk/host/model/options/op_options.def"
};

const OptionsTable& TableOf(OptionsKind kind) { return kTables[static_cast<size_t>(kind)]; }

}  // namespace

std::span<const OptionField> OptionFields(OptionsKind kind) { return TableOf(kind).fields; }

OpOptions::OpOptions(const OpOptions& other)
    : empty_fields(other.empty_fields),
      kind_(other.kind_),
      table_(TableOf(other.kind_).copy(other.table_)) {}

OpOptions::OpOptions(OpOptions&& other) noexcept
    : empty_fields(std::exchange(other.empty_fields, 0)),
      kind_(std::exchange(other.kind_, OptionsKind::kNone)),
      table_(std::exchange(other.table_, nullptr)) {}

OpOptions& OpOptions::operator=(const OpOptions& other) { return *this = OpOptions(other); }

OpOptions& OpOptions::operator=(OpOptions&& other) noexcept {
  std::swap(empty_fields, other.empty_fields);
  std::swap(kind_, other.kind_);
  std::swap(table_, other.table_);
  return *this;
}

OpOptions::~OpOptions() { TableOf(kind_).destroy(table_); }

OpOptions OpOptions::Default(OptionsKind kind) {
  OpOptions options;
  options.table_ = TableOf(kind).make();
  options.kind_ = kind;
  return options;
}

bool operator==(const OpOptions& a, const OpOptions& b) {
  if (a.kind() != b.kind()) return false;
  bool equal = true;
  for (const OptionField& field : OptionFields(a.kind())) {
    VisitField(field, a.table(),
               [&]<typename T>(const T& value) { equal &= value == FieldAs<T>(field, b.table()); });
  }
  return equal;
}

std::string_view OptionsName(const OpOptions& options) { return TableOf(options.kind()).name; }

}  // namespace npukit

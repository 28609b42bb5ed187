// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/op_options.h"

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
#include "sdk/host/model/schema_enums.def"

OpOptions::OpOptions(const OpOptions& other)
    : empty_fields(other.empty_fields), kind_(other.kind_) {
  VisitOptions(other, [this](const auto& table) {
    using T = std::decay_t<decltype(table)>;
    if constexpr (kIsOptionsTable<T>) table_ = new T(table);
  });
}

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

OpOptions::~OpOptions() {
  VisitOptions(*this, [](auto& table) {
    if constexpr (kIsOptionsTable<std::decay_t<decltype(table)>>) delete &table;
  });
}

bool operator==(const OpOptions& a, const OpOptions& b) {
  return a.kind() == b.kind() && VisitOptions(a, [&b](const auto& table) {
           using T = std::decay_t<decltype(table)>;
           if constexpr (kIsOptionsTable<T>) {
             return table == *b.As<T>();
           } else {
             return true;
           }
         });
}

std::string_view OptionsName(const OpOptions& options) {
  switch (options.kind()) {
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return #table;
#include "sdk/host/model/op_options.def"
    case OptionsKind::kNone:
      break;
  }
  return {};
}

}  // namespace npukit

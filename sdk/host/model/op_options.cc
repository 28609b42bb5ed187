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

namespace {

std::string_view NameOf(const std::monostate&) { return {}; }
#define OPTIONS(table, union_name) \
  std::string_view NameOf(const table&) { return #table; }
#include "sdk/host/model/op_options.def"

const AnyOptionsTable& Base(const OpOptions& options) { return options; }

}  // namespace

// Written out as one visit each: the variant's own versions take a compiler
// many times longer.
OpOptions::OpOptions() = default;
OpOptions::OpOptions(std::monostate) {}
OpOptions::~OpOptions() = default;

OpOptions::OpOptions(const OpOptions& other) : AnyOptionsTable() { *this = other; }
OpOptions::OpOptions(OpOptions&& other) noexcept : AnyOptionsTable() { *this = std::move(other); }

OpOptions& OpOptions::operator=(const OpOptions& other) {
  if (this != &other) {
    std::visit([this](const auto& table) { emplace<std::decay_t<decltype(table)>>(table); },
               Base(other));
    empty_fields = other.empty_fields;
  }
  return *this;
}

OpOptions& OpOptions::operator=(OpOptions&& other) noexcept {
  if (this != &other) {
    std::visit([this](auto& table) { emplace<std::decay_t<decltype(table)>>(std::move(table)); },
               static_cast<AnyOptionsTable&>(other));
    empty_fields = other.empty_fields;
  }
  return *this;
}

bool operator==(const OpOptions& a, const OpOptions& b) {
  return a.index() == b.index() &&
         std::visit(
             [&b](const auto& table) {
               return table == *std::get_if<std::decay_t<decltype(table)>>(&b);
             },
             Base(a));
}

std::string_view OptionsName(const OpOptions& options) {
  return std::visit([](const auto& table) { return NameOf(table); }, Base(options));
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the builtin operators as plain values: one struct per options
// table of the schema (`Conv2DOptions`, fields named as there), and a variant
// of them all. Generated from op_options.def and schema_enums.def; needs no
// FlatBuffers.

#ifndef NPUKIT_SDK_HOST_MODEL_OP_OPTIONS_H_
#define NPUKIT_SDK_HOST_MODEL_OP_OPTIONS_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sdk/host/model/empty_fields.h"

namespace npukit {

// -- Enums: `enum class Padding : int8_t { kSame = 0, kValid = 1 };` and so on.
// A file may hold any value of the underlying type; readers of options must
// expect values that are not listed.

#define ENUM(name, underlying) enum class name : underlying {
#define VALUE(name, schema_name, value) name = value,
#define END_ENUM(name) \
  }                    \
  ;
#include "sdk/host/model/schema_enums.def"

// The schema's name of a value ("SAME"), or its number if it has none.
#define ENUM(name, underlying) std::string EnumName(name value);
#include "sdk/host/model/schema_enums.def"

// True for the enums above.
template <typename T>
inline constexpr bool kIsSchemaEnum = false;
#define ENUM(name, underlying) \
  template <>                  \
  inline constexpr bool kIsSchemaEnum<name> = true;
#include "sdk/host/model/schema_enums.def"

// -- Tables: `struct SoftmaxOptions { float beta = 0.0f; };` and so on,
// comparable with ==.

#define OPTIONS(table, union_name) struct table {
#define FIELD(type, name, ...) type name = __VA_ARGS__;
#define END_OPTIONS(table)                       \
  bool operator==(const table&) const = default; \
  }                                              \
  ;
#include "sdk/host/model/op_options.def"

// True for the tables above.
template <typename T>
inline constexpr bool kIsOptionsTable = false;
#define OPTIONS(table, union_name) \
  template <>                      \
  inline constexpr bool kIsOptionsTable<table> = true;
#include "sdk/host/model/op_options.def"

// clang-format off
using AnyOptionsTable = std::variant<std::monostate
#define OPTIONS(table, union_name) , table
#include "sdk/host/model/op_options.def"
>;
// clang-format on

// Options of any operator. monostate: the file has none, which is not the same
// as a table full of defaults. A variant (std::get_if, std::visit,
// std::holds_alternative work on it) whose special members are compiled once,
// in the .cc: they cost a compiler seconds.
class OpOptions : public AnyOptionsTable {
 public:
  OpOptions();
  OpOptions(const OpOptions& other);
  OpOptions(OpOptions&& other) noexcept;
  OpOptions& operator=(const OpOptions& other);
  OpOptions& operator=(OpOptions&& other) noexcept;
  ~OpOptions();

  // NOLINTNEXTLINE(*-explicit-constructor): so that `op.options =
  // SoftmaxOptions{.beta = 1.0f};` works.
  OpOptions(std::monostate);
  template <typename T>
  requires kIsOptionsTable<T> OpOptions(T table) : OpOptions() {  // NOLINT(*-explicit-constructor)
    emplace<T>(std::move(table));
  }

  // Ignores empty_fields.
  friend bool operator==(const OpOptions& a, const OpOptions& b);

  EmptyFields empty_fields = 0;  // of the table
};

// "Conv2DOptions"; empty for monostate.
std::string_view OptionsName(const OpOptions& options);

// -- Visiting fields: visit("stride_w", options.stride_w) for each field in
// schema order. `O` may be const or not.

template <typename O, typename T>
concept SameOptions = std::same_as<std::remove_const_t<O>, T>;

#define OPTIONS(table, union_name)                  \
  template <SameOptions<table> O, typename Visitor> \
  void VisitFields([[maybe_unused]] O& options, [[maybe_unused]] Visitor&& visit) {
#define FIELD(type, name, ...) visit(#name, options.name);
#define END_OPTIONS(table) }
#include "sdk/host/model/op_options.def"

// The same for whichever table the variant holds; no call for monostate.
template <typename Visitor>
void VisitFields(const OpOptions& options, Visitor&& visit) {
  std::visit(
      [&](const auto& table) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(table)>, std::monostate>)
          VisitFields(table, visit);
      },
      static_cast<const AnyOptionsTable&>(options));
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OP_OPTIONS_H_

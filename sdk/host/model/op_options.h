// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the builtin operators as plain values: one struct per options
// table of the schema (`Conv2DOptions`, fields named as there), and a class that
// holds any of them. Generated from op_options.def and schema_enums.def; needs no
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

// Which table; kNone: none.
enum class OptionsKind : uint8_t {
  kNone,
#define OPTIONS(table, union_name) k##table,
#include "sdk/host/model/op_options.def"
};

template <typename T>
inline constexpr OptionsKind kOptionsKind = OptionsKind::kNone;
#define OPTIONS(table, union_name) \
  template <>                      \
  inline constexpr OptionsKind kOptionsKind<table> = OptionsKind::k##table;
#include "sdk/host/model/op_options.def"

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

  // Ignores empty_fields.
  friend bool operator==(const OpOptions& a, const OpOptions& b);

  EmptyFields empty_fields = 0;  // of the table

 private:
  OptionsKind kind_ = OptionsKind::kNone;
  void* table_ = nullptr;  // owned; of the type that kind_ tells
};

// visit(table) with the table it is, or with std::monostate for none.
template <typename Visitor>
decltype(auto) VisitOptions(OpOptions& options, Visitor&& visit) {
  switch (options.kind()) {
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return visit(*options.As<table>());
#include "sdk/host/model/op_options.def"
    case OptionsKind::kNone:
      break;
  }
  std::monostate none;
  return visit(none);
}
template <typename Visitor>
decltype(auto) VisitOptions(const OpOptions& options, Visitor&& visit) {
  switch (options.kind()) {
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return visit(*options.As<table>());
#include "sdk/host/model/op_options.def"
    case OptionsKind::kNone:
      break;
  }
  return visit(std::monostate());
}

// "Conv2DOptions"; empty for none.
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

// The same for whichever table it is; no call for none.
template <typename Visitor>
void VisitFields(const OpOptions& options, Visitor&& visit) {
  VisitOptions(options, [&](const auto& table) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(table)>, std::monostate>)
      VisitFields(table, visit);
  });
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OP_OPTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the builtin operators as plain values: one struct per options
// table of the schema (`Conv2DOptions`, fields named as there), and a class that
// holds any of them. Generated from op_options.def and schema_enums.def; needs no
// FlatBuffers.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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

// HeldOptions, a closed hierarchy with a class for each table, is defined in op_options.cc alone,
// and the member templates below are instantiated there: that keeps this header, which nearly every
// source of the host includes, cheap. (A std::variant of so many tables takes 35 s to compile.)
class HeldOptions;

// Options of any operator: one of the tables, or none, which is not the same as a table full of
// defaults. Visiting fields: option_fields.h.
class OpOptions {
 public:
  OpOptions();
  OpOptions(const OpOptions& other);
  OpOptions(OpOptions&& other) noexcept;
  OpOptions& operator=(const OpOptions& other);
  OpOptions& operator=(OpOptions&& other) noexcept;
  ~OpOptions();

  // Implicit, so that `op.options = SoftmaxOptions{.beta = 1.0f};` works.
  template <typename T>
  requires kIsOptionsTable<T> OpOptions(T table);  // NOLINT(*-explicit-constructor)

  // The table of that kind, its fields at their defaults.
  static OpOptions Default(OptionsKind kind);

  OptionsKind kind() const;

  template <typename T>
  requires kIsOptionsTable<T>
  bool Is() const { return kind() == kOptionsKind<T>; }

  // Null if it is another table, or none.
  template <typename T>
  requires kIsOptionsTable<T> T* As();
  template <typename T>
  requires kIsOptionsTable<T>
  const T* As() const;

  // Ignores empty_fields.
  friend bool operator==(const OpOptions& a, const OpOptions& b);

  EmptyFields empty_fields = 0;  // of the table

 private:
  std::unique_ptr<HeldOptions> held_;  // null: none
};

// "Conv2DOptions"; empty for none.
std::string_view OptionsName(const OpOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_OP_OPTIONS_H_

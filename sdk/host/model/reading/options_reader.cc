// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/options_reader.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit {
namespace {

// As what a field's value is stored.
template <typename T>
struct StoredAs {
  using Type = T;
};
template <typename T>
requires std::is_enum_v<T>
struct StoredAs<T> {
  using Type = std::underlying_type_t<T>;
};
template <>
struct StoredAs<bool> {
  using Type = uint8_t;
};

// Reads the fields of one table, in schema order.
class TableReader {
 public:
  TableReader(const flatbuffers::Table& in, ReadContext& context) : in_(in), context_(context) {}

  // The fields so far that are vectors or strings, there though empty.
  EmptyFields empty_fields() const { return empty_fields_; }

  template <typename T>
  void Read(T& field) {
    using Stored = typename StoredAs<T>::Type;
    field = static_cast<T>(in_.GetField<Stored>(NextPlace(), static_cast<Stored>(field)));
  }
  void Read(std::string& field) { ReadContainer<flatbuffers::String>(field); }
  template <typename T>
  void Read(std::vector<T>& field) {
    ReadContainer<flatbuffers::Vector<typename StoredAs<T>::Type>>(field);
  }

 private:
  flatbuffers::voffset_t NextPlace() { return flatbuffers::FieldIndexToOffset(num_fields_++); }

  template <typename Stored, typename T>
  void ReadContainer(T& field) {
    const auto number = num_fields_;
    const auto* stored = in_.GetPointer<const Stored*>(NextPlace());
    if (stored != nullptr && stored->size() == 0) empty_fields_ |= EmptyFields{1} << number;
    context_.Fetch(stored, field);
  }

  const flatbuffers::Table& in_;
  ReadContext& context_;
  flatbuffers::voffset_t num_fields_ = 0;
  EmptyFields empty_fields_ = 0;
};

// kNone: unknown.
OptionsKind KindOf(schema::BuiltinOptions stated) {
  switch (stated) {
#define MEMBER_OF_BuiltinOptions(table) \
  case schema::BuiltinOptions::table:   \
    return OptionsKind::k##table;
#define MEMBER_OF_BuiltinOptions2(table)
#define OPTIONS(table, union_name) MEMBER_OF_##union_name(table)
#include "sdk/host/model/options/op_options.def"
#undef MEMBER_OF_BuiltinOptions
#undef MEMBER_OF_BuiltinOptions2
    default:
      return OptionsKind::kNone;
  }
}
OptionsKind KindOf(schema::BuiltinOptions2 stated) {
  switch (stated) {
#define MEMBER_OF_BuiltinOptions(table)
#define MEMBER_OF_BuiltinOptions2(table) \
  case schema::BuiltinOptions2::table:   \
    return OptionsKind::k##table;
#define OPTIONS(table, union_name) MEMBER_OF_##union_name(table)
#include "sdk/host/model/options/op_options.def"
#undef MEMBER_OF_BuiltinOptions
#undef MEMBER_OF_BuiltinOptions2
    default:
      return OptionsKind::kNone;
  }
}

litert::Expected<OpOptions> Read(OptionsKind kind, const void* table, ReadContext& context) {
  if (table == nullptr) return BadFile("expected an options table of the stated kind, found none");
  OpOptions options = OpOptions::Default(kind);
  TableReader reader(*static_cast<const flatbuffers::Table*>(table), context);
  VisitFields(options, [&](const char*, auto& field) { reader.Read(field); });
  options.empty_fields = reader.empty_fields();
  return options;
}

// `what` names the union in errors.
template <typename Union>
litert::Expected<OpOptions> ReadUnion(const char* what, Union stated, const void* table,
                                      ReadContext& context) {
  if (stated == Union::NONE) return OpOptions();
  const OptionsKind kind = KindOf(stated);
  if (kind != OptionsKind::kNone) return Read(kind, table, context);
  return BadFile(
      fmt::format("expected {} of a known kind, found kind {}", what, static_cast<int>(stated)));
}

}  // namespace

litert::Expected<OpOptions> ReadOpOptions(const schema::Operator& op, ReadContext& context) {
  if (op.builtin_options_2_type() == schema::BuiltinOptions2::NONE)
    return ReadUnion("options", op.builtin_options_type(), op.builtin_options(), context);
  if (op.builtin_options_type() != schema::BuiltinOptions::NONE) {
    return BadFile("expected options in one of the two unions, found both");
  }
  return ReadUnion("options (second union)", op.builtin_options_2_type(), op.builtin_options_2(),
                   context);
}

}  // namespace npukit

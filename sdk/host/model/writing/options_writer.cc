// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/writing/options_writer.h"

#include <array>
#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit {
namespace {

// One table, its fields stored in schema order. Does what the generated Create functions do, layout
// included; those, with the tuples to call them, were instantiated for each of 130 tables.
class TableWriter {
 public:
  TableWriter(flatbuffers::FlatBufferBuilder& builder, EmptyFields empty_fields)
      : builder_(builder), empty_fields_(empty_fields) {}

  template <typename T>
  void Store(const T& value, const T& default_value) {
    if constexpr (std::is_enum_v<T>) {
      using Number = std::underlying_type_t<T>;
      Store(static_cast<Number>(value), static_cast<Number>(default_value));
    } else if constexpr (std::is_same_v<T, float>) {
      StoreScalar(value != default_value, sizeof(value), std::bit_cast<uint32_t>(value));
    } else {
      static_assert(std::is_integral_v<T>);
      StoreScalar(value != default_value, sizeof(value), static_cast<uint64_t>(value));
    }
  }
  void Store(const std::string& text, const std::string&) {
    StoreOffset(StoreString(builder_, text, empty_fields_, num_fields_).o);
  }
  template <typename T>
  void Store(const std::vector<T>& values, const std::vector<T>&) {
    StoreOffset(StoreVector<T>(builder_, values, empty_fields_, num_fields_).o);
  }
  void Store(const std::vector<bool>& values, const std::vector<bool>&) {
    StoreOffset(StoreVector<uint8_t>(builder_, values, empty_fields_, num_fields_).o);
  }

  // After the last field: largest ones first, as alignment wants it.
  flatbuffers::Offset<void> Finish() {
    const flatbuffers::uoffset_t start = builder_.StartTable();
    for (const size_t size : {8, 4, 2, 1}) {
      for (size_t i = num_fields_; i-- > 0;) {
        if (fields_.at(i).size == size) Add(i);
      }
    }
    return builder_.EndTable(start);
  }

 private:
  struct Field {
    size_t size = 0;  // 0: left out
    bool is_offset = false;
    uint64_t bits = 0;
  };

  void StoreScalar(bool differs_from_default, size_t size, uint64_t bits) {
    fields_.at(num_fields_++) = {differs_from_default ? size : 0, false, bits};
  }
  void StoreOffset(flatbuffers::uoffset_t offset) {
    fields_.at(num_fields_++) = {offset != 0 ? sizeof(offset) : 0, true, offset};
  }

  void Add(size_t index) {
    const Field& field = fields_.at(index);
    const auto place = flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(index));
    if (field.is_offset) {
      const auto offset = static_cast<flatbuffers::uoffset_t>(field.bits);
      return builder_.AddOffset(place, flatbuffers::Offset<void>(offset));
    }
    switch (field.size) {
      case 8:
        return builder_.AddElement(place, field.bits);
      case 4:
        return builder_.AddElement(place, static_cast<uint32_t>(field.bits));
      case 2:
        return builder_.AddElement(place, static_cast<uint16_t>(field.bits));
      default:
        return builder_.AddElement(place, static_cast<uint8_t>(field.bits));
    }
  }

  flatbuffers::FlatBufferBuilder& builder_;
  EmptyFields empty_fields_;
  std::array<Field, 32> fields_;
  size_t num_fields_ = 0;
};

void SetKind(WrittenOptions& written, schema::BuiltinOptions kind) {
  written.first_union_kind = static_cast<uint8_t>(kind);
}
void SetKind(WrittenOptions& written, schema::BuiltinOptions2 kind) {
  written.second_union_kind = static_cast<uint8_t>(kind);
}

WrittenOptions StatedKind(OptionsKind kind) {
  WrittenOptions written;
  switch (kind) {
    case OptionsKind::kNone:
      break;
#define OPTIONS(table, union_name)               \
  case OptionsKind::k##table:                    \
    SetKind(written, schema::union_name::table); \
    break;
#include "sdk/host/model/options/op_options.def"
  }
  return written;
}

}  // namespace

WrittenOptions WriteOptionsTable(flatbuffers::FlatBufferBuilder& builder,
                                 const OpOptions& options) {
  if (options.kind() == OptionsKind::kNone) return {};
  TableWriter writer(builder, options.empty_fields);
  VisitFieldsAndDefaults(options, [&](const char*, const auto& value, const auto& schema_default) {
    writer.Store(value, schema_default);
  });
  WrittenOptions written = StatedKind(options.kind());
  written.offset = writer.Finish();
  return written;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/flatbuffer_walk.h"

#include <flatbuffers/minireflect.h>
#include <algorithm>

namespace npukit {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::ReadScalar;
using flatbuffers::Table;
using flatbuffers::TypeCode;
using flatbuffers::TypeTable;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

constexpr size_t kLengthBytes = sizeof(uoffset_t);

const uint8_t* Follow(const uint8_t* offset_field) {
  return offset_field + ReadScalar<uoffset_t>(offset_field);
}

const TypeTable* ReferencedType(const TypeTable* type, const TypeCode& code) {
  return code.sequence_ref < 0 ? nullptr : type->type_refs[code.sequence_ref]();
}

// Vectors of scalars and of bare enum values have no type table of a sequence.
bool IsTable(ElementaryType type, const TypeTable* reference) {
  return type == flatbuffers::ET_SEQUENCE && reference != nullptr &&
         reference->st == flatbuffers::ST_TABLE;
}
bool IsUnion(ElementaryType type, const TypeTable* reference) {
  return type == flatbuffers::ET_SEQUENCE && reference != nullptr &&
         reference->st == flatbuffers::ST_UNION;
}

class EndFinder {
 public:
  explicit EndFinder(const uint8_t* buffer) : end_(buffer + kLengthBytes) {}

  void VisitTable(const uint8_t* table_bytes, const TypeTable* type) {
    const auto* table = reinterpret_cast<const Table*>(table_bytes);
    const uint8_t* vtable = table->GetVTable();
    const auto vtable_bytes = ReadScalar<voffset_t>(vtable);
    Cover(vtable, vtable_bytes);
    // The verifier lets one pass that ends before the table's size.
    if (vtable_bytes >= 2 * sizeof(voffset_t))
      Cover(table_bytes, ReadScalar<voffset_t>(vtable + sizeof(voffset_t)));
    const uint8_t* previous_field = nullptr;
    for (size_t i = 0; i < type->num_elems; ++i) {
      const uint8_t* field =
          table->GetAddressOf(flatbuffers::FieldIndexToOffset(static_cast<voffset_t>(i)));
      if (field != nullptr) VisitField(field, previous_field, type, type->type_codes[i]);
      previous_field = field;
    }
  }

  const uint8_t* end() const { return end_; }

 private:
  void Cover(const uint8_t* start, size_t size_bytes) { end_ = std::max(end_, start + size_bytes); }

  // `previous_field` holds a union's kind: FlatBuffers puts it just before the
  // union.
  void VisitField(const uint8_t* field, const uint8_t* previous_field, const TypeTable* type,
                  const TypeCode& code) {
    const auto elementary = static_cast<ElementaryType>(code.base_type);
    const TypeTable* reference = ReferencedType(type, code);
    if (code.is_repeating) {
      VisitVector(Follow(field), elementary, reference);
    } else if (elementary == flatbuffers::ET_STRING) {
      VisitString(Follow(field));
    } else if (IsTable(elementary, reference)) {
      VisitTable(Follow(field), reference);
    } else if (IsUnion(elementary, reference) && previous_field != nullptr) {
      const size_t kind = *previous_field;
      if (kind >= reference->num_elems) return;
      if (const TypeTable* member = ReferencedType(reference, reference->type_codes[kind])) {
        VisitTable(Follow(field), member);
      }
    }
  }

  void VisitVector(const uint8_t* vector, ElementaryType elementary, const TypeTable* reference) {
    const size_t count = ReadScalar<uoffset_t>(vector);
    const uint8_t* elements = vector + kLengthBytes;
    const size_t element_bytes = flatbuffers::InlineSize(elementary, reference);
    Cover(vector, kLengthBytes + count * element_bytes);
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* element = elements + i * element_bytes;
      if (elementary == flatbuffers::ET_STRING) {
        VisitString(Follow(element));
      } else if (IsTable(elementary, reference)) {
        VisitTable(Follow(element), reference);
      } else {
        break;  // scalars lead nowhere
      }
    }
  }

  void VisitString(const uint8_t* string) {
    Cover(string, kLengthBytes + ReadScalar<uoffset_t>(string) + 1);
  }

  const uint8_t* end_;
};

}  // namespace

size_t FlatBufferEndBytes(const uint8_t* buffer, const TypeTable* root_type) {
  EndFinder finder(buffer);
  finder.VisitTable(Follow(buffer), root_type);
  return static_cast<size_t>(finder.end() - buffer);
}

EmptyFields EmptyFieldsOf(const void* table, const TypeTable* type) {
  EmptyFields empty = 0;
  for (size_t i = 0; i < std::min<size_t>(type->num_elems, 32); ++i) {
    const TypeCode& code = type->type_codes[i];
    if (!code.is_repeating && code.base_type != flatbuffers::ET_STRING) continue;
    const uint8_t* field = static_cast<const Table*>(table)->GetAddressOf(
        flatbuffers::FieldIndexToOffset(static_cast<voffset_t>(i)));
    if (field != nullptr && ReadScalar<uoffset_t>(Follow(field)) == 0) empty |= EmptyFields{1} << i;
  }
  return empty;
}

}  // namespace npukit

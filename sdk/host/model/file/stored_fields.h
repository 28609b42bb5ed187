// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values of the IR on their way into a FlatBuffer. Includes FlatBuffers: for
// this folder's sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_FILE_STORED_FIELDS_H_
#define NPUKIT_SDK_HOST_MODEL_FILE_STORED_FIELDS_H_

#include <flatbuffers/flatbuffers.h>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "sdk/host/model/options/empty_fields.h"

namespace npukit {

// Whether a vector or string goes into the table: if it holds something, or was
// there though empty.
template <typename Container>
bool IsStored(const Container& container, EmptyFields empty_fields, size_t field) {
  return !container.empty() || (empty_fields >> field & 1) != 0;
}

inline flatbuffers::Offset<flatbuffers::String> StoreString(flatbuffers::FlatBufferBuilder& builder,
                                                            const std::string& text,
                                                            EmptyFields empty_fields,
                                                            size_t field) {
  return IsStored(text, empty_fields, field) ? builder.CreateString(text) : 0;
}

template <typename Stored, typename T>
flatbuffers::Offset<flatbuffers::Vector<Stored>> StoreVector(
    flatbuffers::FlatBufferBuilder& builder, const std::vector<T>& values, EmptyFields empty_fields,
    size_t field) {
  if (!IsStored(values, empty_fields, field)) return 0;
  if constexpr (std::is_same_v<Stored, T>) {
    return builder.CreateVector(values.data(), values.size());
  } else {
    std::vector<Stored> converted;
    converted.reserve(values.size());
    for (const auto value : values) converted.push_back(static_cast<Stored>(value));
    return builder.CreateVector(converted.data(), converted.size());
  }
}

// The number of a field in its table, from the generated constant of its place
// in the vtable.
constexpr size_t FieldNumber(flatbuffers::voffset_t vtable_place) { return (vtable_place - 4) / 2; }

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_FILE_STORED_FIELDS_H_

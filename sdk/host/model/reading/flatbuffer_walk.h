// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Questions about a FlatBuffer that its generated accessors do not answer. All
// of them follow the schema's type tables and take a buffer that
// flatbuffers::Verifier has accepted. Includes FlatBuffers: for this folder's
// sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_READING_FLATBUFFER_WALK_H_
#define NPUKIT_SDK_HOST_MODEL_READING_FLATBUFFER_WALK_H_

#include <flatbuffers/flatbuffers.h>
#include <cstddef>
#include <cstdint>

#include "sdk/host/model/options/empty_fields.h"

namespace npukit {

// Where the FlatBuffer that starts at `buffer` ends: one past the last byte
// that its root reaches. (A FlatBuffer does not state its size, and a .tflite
// file may go on behind it.) Union members of unknown type are not followed.
size_t FlatBufferEndBytes(const uint8_t* buffer, const flatbuffers::TypeTable* root_type);

// Which of the table's vectors and strings are there though empty.
EmptyFields EmptyFieldsOf(const void* table, const flatbuffers::TypeTable* type);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_FLATBUFFER_WALK_H_

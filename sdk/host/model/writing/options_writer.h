// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Includes FlatBuffers: for this folder's sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_WRITING_OPTIONS_WRITER_H_
#define NPUKIT_SDK_HOST_MODEL_WRITING_OPTIONS_WRITER_H_

#include <flatbuffers/flatbuffers.h>
#include <cstdint>

#include "sdk/host/model/options/op_options.h"

namespace npukit {

// An options table in the FlatBuffer, and the kind to state beside it. At most
// one kind is not 0 (none).
struct WrittenOptions {
  uint8_t first_union_kind = 0;   // schema::BuiltinOptions
  uint8_t second_union_kind = 0;  // schema::BuiltinOptions2
  flatbuffers::Offset<void> offset;
};

WrittenOptions WriteOptionsTable(flatbuffers::FlatBufferBuilder& builder, const OpOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_WRITING_OPTIONS_WRITER_H_

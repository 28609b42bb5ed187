// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Includes FlatBuffers: for this folder's sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_WRITING_TENSOR_WRITER_H_
#define NPUKIT_SDK_HOST_MODEL_WRITING_TENSOR_WRITER_H_

#include <flatbuffers/flatbuffers.h>
#include <cstdint>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::schema {
struct Tensor;
}  // namespace npukit::schema

namespace npukit {

// `buffer_index`: where the tensor's buffer stands in the file. Error: an
// element type that a file cannot state.
litert::Expected<flatbuffers::Offset<schema::Tensor>> WriteTensor(
    flatbuffers::FlatBufferBuilder& builder, const Tensor& tensor, uint32_t buffer_index);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_WRITING_TENSOR_WRITER_H_
